// Fuzzes the text form of a trace: packs it, decodes what came out, and holds pack and dump against each other.
#include "EveryCommand.h"
#include "Limits.h"
#include "decoder/text/Pack.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace kperf;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t maxSize);

namespace {

using Lines = std::vector<std::string>;

Lines linesOf(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Writes as many whole lines as there is room for; gives the bytes.
std::size_t store(const Lines &lines, std::uint8_t *data, std::size_t maxSize) {
  std::string text;
  for (const std::string &line : lines)
    if (text.size() + line.size() + 1 <= maxSize)
      text += line + '\n';
  std::ranges::copy(text, data);
  return text.size();
}

/// Puts a number that is worth a try in place of one of the line's.
void replaceNumber(std::string &line, std::mt19937_64 &random) {
  const char *const digits = "0123456789abcdef";
  std::size_t at = line.find_first_of("0123456789", line.empty() ? 0 : random() % line.size());
  if (at == std::string::npos)
    return;
  const std::size_t end = line.find_first_not_of(digits, at);
  const std::uint64_t shift = random() % 64;
  const std::uint64_t choices[] = {0,
                                   1,
                                   ~std::uint64_t{0},
                                   0xffffffff,
                                   std::uint64_t{1} << shift,
                                   (std::uint64_t{1} << shift) - 1,
                                   random() % 64,
                                   random() % 100000,
                                   random()};
  line.replace(at, end == std::string::npos ? end : end - at, std::to_string(choices[random() % std::size(choices)]));
}

void mutateLines(Lines &lines, std::mt19937_64 &random) {
  const std::size_t first = random() % lines.size(), second = random() % lines.size();
  switch (random() % 6) {
  case 0:
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(first), lines[second]);
    break;
  case 1:
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first));
    break;
  case 2:
    std::swap(lines[first], lines[second]);
    break;
  default:
    replaceNumber(lines[first], random);
  }
}

void stopWhen(bool isWrong, const std::string &what) {
  if (!isWrong)
    return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t maxSize, unsigned seed) {
  std::mt19937_64 random(seed);
  Lines lines = linesOf({reinterpret_cast<const char *>(data), size});
  if (lines.empty() || random() % 3 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  for (unsigned changes = 1 + random() % 3; changes > 0 && !lines.empty(); --changes)
    mutateLines(lines, random);
  return store(lines, data, maxSize);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t *one, std::size_t oneSize, const std::uint8_t *other,
                                                 std::size_t otherSize, std::uint8_t *out, std::size_t maxSize, unsigned seed) {
  std::mt19937_64 random(seed);
  Lines lines = linesOf({reinterpret_cast<const char *>(one), oneSize});
  const Lines others = linesOf({reinterpret_cast<const char *>(other), otherSize});
  if (others.empty())
    return 0;
  const std::size_t first = random() % others.size();
  const std::size_t count = 1 + random() % (others.size() - first);
  const auto from = others.begin() + static_cast<std::ptrdiff_t>(first);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random() % (lines.size() + 1)), from, from + static_cast<std::ptrdiff_t>(count));
  return store(lines, out, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  std::vector<std::byte> bytes;
  {
    // A line of a few letters stands for a row of up to 272 bytes, whatever it leaves out.
    const test::Limits limit(size + 272 * static_cast<std::size_t>(std::ranges::count(text, '\n') + 1));
    auto packed = decoder::packText(text, "text");
    if (!packed)
      return 0;
    bytes = std::move(*packed);
  }
  const test::Limits limit(bytes.size());
  const test::Outcome done = test::runSomeCommand(bytes), packed = test::packAgain(bytes);
  stopWhen(!done.violated.empty(), done.violated);
  stopWhen(!packed.unlike.empty(), packed.unlike);
  return 0;
}
