// Everything that the commands of kperf do with a trace, on bytes in memory.
#ifndef KPERF_TEST_EVERY_COMMAND_H
#define KPERF_TEST_EVERY_COMMAND_H

#include <cstddef>
#include <string>
#include <vector>

namespace kperf::test {

/// What became of it.
struct Outcome {
  std::string said;     ///< the first error, else why the file is incomplete and the notes of all tables; "" for nothing
  std::string violated; ///< a promise that was broken, or "": what is reduced or merged is readable, and an explanation short
  std::string unlike;   ///< why pack(dump(t)) is not t, or ""; a damaged trace may say what the text form does not
};

/// Reads `bytes` as a trace and runs every view with each way of grouping, every printer, the report's page, findings,
/// both timelines, stacks, diff, merge, reduce and dump, as the commands do. Nothing is written anywhere.
Outcome runEveryCommand(const std::vector<std::byte> &bytes);

/// Reads them and runs one command, by one printer: which ones, the bytes choose. Fifty times as fast.
Outcome runSomeCommand(const std::vector<std::byte> &bytes);

/// Reads them, dumps the trace and packs the text.
Outcome packAgain(const std::vector<std::byte> &bytes);

} // namespace kperf::test

#endif
