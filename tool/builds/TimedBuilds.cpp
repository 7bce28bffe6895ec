// Builds and runs the program, and compares its outputs.
#include "tool/builds/TimedBuilds.h"

#include <fmt/format.h>
#include <sstream>
#include <utility>

namespace kperf::tool {

using decoder::Expected;
using decoder::failure;

Expected<TimedBuilds> TimedBuilds::make(const std::string &build, const std::string &run, unsigned runs, const SameLines &same) {
  auto folder = process::makeTemporaryFolder("builds");
  if (!folder)
    return failure(folder.error());
  auto program = BuildRuns::make(build, run);
  if (!program)
    return failure(program.error());
  return TimedBuilds(std::move(*folder), std::move(*program), runs, same);
}

Expected<decoder::Trace> TimedBuilds::record(const std::string &name, const std::vector<std::string> &options, unsigned blocks) {
  if (auto status = program.build(options); !status)
    return failure(status.error());
  std::vector<decoder::Trace> traces;
  for (unsigned i = 0; i < runs; ++i) {
    const std::string path = fmt::format("{}/{}-{}.kperf", folder.path(), name, i);
    const auto output = program.run(name, path, blocks);
    if (!output)
      return failure(output.error());
    compare(name, *output);
    auto trace = decoder::Trace::open(path);
    if (!trace)
      return failure(trace.error());
    if (trace->header().target == format::Target::Host) // before all other builds
      return failure({.message = "what probes cost can't be measured",
                      .found = "a program for the host target, which does not time launches",
                      .expected = "one for a GPU",
                      .remedy = "kperf-cc nvcc in --build, on a machine with a GPU"});
    traces.push_back(std::move(*trace));
  }
  return mergedRuns(traces, fmt::format("{}/{}", folder.path(), name));
}

void TimedBuilds::compare(const std::string &name, const std::string &output) {
  std::istringstream printed(output);
  const std::vector<std::string> now = same.of(printed);
  if (!lines) {
    lines = now;
    firstName = name;
  }
  isSame &= areSameLines(*lines, firstName, now, name);
}

} // namespace kperf::tool
