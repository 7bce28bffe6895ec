// Builds a program by one command of the user's, with chosen probes, and runs it by another.
#ifndef KPERF_TOOL_BUILD_RUNS_H
#define KPERF_TOOL_BUILD_RUNS_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kperf::tool {

class BuildRuns {
public:
  using Words = std::vector<std::string>;

  /// `build`: a command that builds the program anew, with {probes} where options of kperf-cc belong. `run`: the command that runs it.
  static decoder::Expected<BuildRuns> make(const std::string &build, const std::string &run);

  /// Builds it with these options, unless it is already; what the command prints goes to stderr.
  decoder::Status build(const Words &options);
  /// Runs what is there in a process of its own, with launches timed. `name`: of the build, for messages; `trace`: the file that it
  /// leaves; `blocks`: N, one in N is recorded, 0: as it was built. Gives what it printed.
  decoder::Expected<std::string> run(const std::string &name, const std::string &trace, unsigned blocks) const;

private:
  BuildRuns() = default;
  Words buildWords, runWords;
  std::optional<Words> built; ///< the options of what is there now
};

/// Traces of several runs of one build as one, written to `path`, in place of a trace there, too: several times as many
/// launches.
decoder::Expected<decoder::Trace> mergedRuns(std::span<const decoder::Trace> runs, const std::string &path);

} // namespace kperf::tool

#endif
