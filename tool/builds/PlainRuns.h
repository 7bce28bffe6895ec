// Measures what probes cost a program, by running it with and without them in turn.
#ifndef KPERF_TOOL_PLAIN_RUNS_H
#define KPERF_TOOL_PLAIN_RUNS_H

#include "decoder/trace/Trace.h"
#include "tool/process/TemporaryFolder.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::tool {

struct PlainRuns {
  process::TemporaryFolder folder;       ///< of the traces
  std::vector<decoder::Trace> traces;    ///< with probes, one for each run
  std::vector<decoder::Trace> plain;     ///< without
  std::optional<double> overheadPercent; ///< by how much probes slow launches down; nothing where launches were not timed
};

/// Builds and runs the program plain, with probes, with probes, plain, each time in a process of its own: what drifts meanwhile hits both
/// alike. The build with probes is made twice at most, and the last that is left is plain. The host target, which times no launches, is
/// built and run plain and with probes, once each. `probes`: options of kperf-cc.
decoder::Expected<PlainRuns> runPlainAndInstrumented(const std::string &build, const std::string &run,
                                                     const std::vector<std::string> &probes);

} // namespace kperf::tool

#endif
