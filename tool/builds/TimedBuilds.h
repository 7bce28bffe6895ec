// Builds one program with different probes and runs each build several times: what each recorded, and whether all print the same.
#ifndef KPERF_TOOL_TIMED_BUILDS_H
#define KPERF_TOOL_TIMED_BUILDS_H

#include "decoder/trace/Trace.h"
#include "tool/builds/BuildRuns.h"
#include "tool/builds/SameLines.h"
#include "tool/process/TemporaryFolder.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::tool {

/// Options of kperf-cc for the program without probes, whose launches are timed.
inline const std::vector<std::string> kPlainProbes = {"--probes=launches"};

class TimedBuilds {
public:
  /// `build`, `run`: as BuildRuns takes them. `runs`: of each build. `same`: lines of the program's output that no build may change.
  static decoder::Expected<TimedBuilds> make(const std::string &build, const std::string &run, unsigned runs, const SameLines &same);

  /// Builds the program with these options of kperf-cc, unless that is what is there, runs it, and gives one trace of all runs, in a
  /// folder that this object removes. `name`: of the build and its trace; `blocks`: N, one in N is recorded, 0: as it was built.
  decoder::Expected<decoder::Trace> record(const std::string &name, const std::vector<std::string> &options, unsigned blocks = 0);

  /// Whether every build printed what the first one did; where not, record() said so.
  bool isOutputSame() const { return isSame; }

private:
  TimedBuilds(process::TemporaryFolder folder, BuildRuns program, unsigned runs, const SameLines &same)
      : folder(std::move(folder)), program(std::move(program)), runs(runs), same(same) {}
  void compare(const std::string &name, const std::string &output);

  process::TemporaryFolder folder;
  BuildRuns program;
  unsigned runs;
  SameLines same;
  std::string firstName;
  std::optional<std::vector<std::string>> lines; ///< of the first build's output
  bool isSame = true;
};

} // namespace kperf::tool

#endif
