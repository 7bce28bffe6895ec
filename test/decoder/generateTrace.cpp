// Writes a generated trace: what the decoder's speed is measured with.
#include "TraceGenerator.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: generateTrace MILLIONS-OF-RECORDS FILE [mixed|waits]\n");
    return 2;
  }
  kperf::test::TraceShape shape;
  const double millions = std::atof(argv[1]);
  const bool isMixed = argc > 3;
  shape.hasWaits = isMixed && std::string_view(argv[3]) == "waits";
  shape.blocks = 132;
  shape.warpsPerBlock = 8;
  shape.recordsPerWarp = 900;
  shape.capacity = 4096;
  shape.hasRanges = shape.hasMarks = shape.hasParts = isMixed;
  shape.launches = static_cast<unsigned>(millions * 1e6 / (132 * 8 * 900.0)) + 1;
  kperf::test::TraceGenerator generator(shape, 1);
  std::FILE *file = std::fopen(argv[2], "wb");
  bool isWritten = file != nullptr;
  const auto write = [&](const std::vector<std::byte> &bytes) {
    isWritten = isWritten && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  };
  write(generator.head());
  for (unsigned launch = 0; launch < shape.launches && isWritten; ++launch)
    write(generator.launch());
  write(generator.end());
  if (!isWritten || std::fclose(file) != 0) {
    std::perror(argv[2]);
    return 2;
  }
  std::printf("%llu records\n", static_cast<unsigned long long>(generator.truth().kept));
}
