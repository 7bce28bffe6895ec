// Fuzzes the trace reader and all that follows it: bytes of a trace, mutated, mostly with checksums that are right.
#include "Checksums.h"
#include "EveryCommand.h"
#include "Limits.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <vector>

using namespace kperf;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t maxSize);

namespace {

/// Puts a number that is worth a try in place of some member: most are 4 or 8 bytes, and aligned.
void replaceMember(std::span<std::uint8_t> data, std::mt19937 &random) {
  const std::size_t width = random() % 2 ? 8 : 4;
  if (data.size() < width)
    return;
  const std::uint64_t shift = random() % 64;
  const std::uint64_t choices[] = {
      0, 1, 2, ~std::uint64_t{0}, std::uint64_t{1} << shift, (std::uint64_t{1} << shift) - 1, random() % 64, random()};
  const std::uint64_t value = choices[random() % std::size(choices)];
  std::memcpy(data.data() + random() % (data.size() / width) * width, &value, width);
}

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 2)
    replaceMember(std::span(data, size), random);
  else
    size = LLVMFuzzerMutate(data, size, maxSize);
  if (random() % 16) // without right checksums nearly every mutation would end there
    test::repairChecksums(std::as_writable_bytes(std::span(data, size)));
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const auto *begin = reinterpret_cast<const std::byte *>(data);
  const std::vector<std::byte> bytes(begin, begin + size);
  const test::Limits limit(size);
  const test::Outcome outcome = test::runSomeCommand(bytes);
  if (!outcome.violated.empty()) {
    std::fprintf(stderr, "%s\n", outcome.violated.c_str());
    std::abort();
  }
  return 0;
}
