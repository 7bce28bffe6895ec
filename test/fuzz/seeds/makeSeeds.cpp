// Writes the fuzzers' seeds: the texts in the tests of the decoder, as they are and packed, and generated traces.
#include "decoder/text/Dump.h"
#include "decoder/text/Pack.h"
#include "test/decoder/TraceGenerator.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace kperf;
namespace fs = std::filesystem;

namespace {

/// More makes a fuzzer slow, and shows no more than the first of it.
constexpr std::size_t kMaxBytes = 4096;

void write(const fs::path &path, std::string_view text) {
  if (text.size() <= kMaxBytes)
    std::ofstream(path, std::ios::binary) << text;
}

std::string_view view(const std::vector<std::byte> &bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

/// One input of a test: what stands between two lines of split-file.
void writePart(const fs::path &out, const std::string &name, std::string_view text) {
  if (name.ends_with(".yaml"))
    write(out / "BudgetFuzzer" / name, text);
  if (!text.starts_with("kperf "))
    return;
  write(out / "TextFuzzer" / name, text);
  if (const auto bytes = decoder::packText(text, name))
    write(out / "TraceFuzzer" / name, view(*bytes));
}

void writeTest(const fs::path &out, const fs::path &test) {
  std::ifstream in(test, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(in)), {});
  const std::string mark = "\n#--- ";
  std::size_t next = 0;
  for (std::size_t at = all.find(mark); at != std::string::npos; at = next) {
    const std::size_t name = at + mark.size(), end = std::min(all.find('\n', name), all.size() - 1);
    next = all.find(mark, end);
    std::string stem = test.stem().string() + '-' + all.substr(name, end - name);
    std::ranges::replace(stem, '/', '-');
    writePart(out, stem, std::string_view(all).substr(end + 1, next == std::string::npos ? next : next - end));
  }
}

void writeGenerated(const fs::path &out, unsigned seed) {
  test::TraceShape shape;
  shape.launches = 1;
  shape.blocks = 1;
  shape.hasWaits = seed % 2;
  shape.warpsPerBlock = 1 + seed % 2;
  shape.recordsPerWarp = 6;
  shape.capacity = seed % 3 ? 64 : 8;
  shape.keepsLast = seed % 2;
  shape.hasUnfinished = seed % 5 == 0;
  const std::vector<std::byte> bytes = test::TraceGenerator(shape, seed).make(seed % 7 != 0);
  const std::string name = "generated-" + std::to_string(seed);
  write(out / "TraceFuzzer" / name, view(bytes));
  const auto trace = decoder::Trace::read(decoder::ByteSource::memory(bytes));
  decoder::OutputString text;
  if (trace && dumpTrace(*trace, text))
    write(out / "TextFuzzer" / name, text.text());
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: makeSeeds FOLDER-OF-TESTS FOLDER\n");
    return 2;
  }
  const fs::path out = argv[2];
  for (const char *fuzzer : {"TraceFuzzer", "TextFuzzer", "BudgetFuzzer"})
    fs::create_directories(out / fuzzer);
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(argv[1]))
    if (entry.path().extension() == ".test")
      writeTest(out, entry.path());
  for (unsigned seed = 0; seed < 20; ++seed)
    writeGenerated(out, seed);
  return 0;
}
