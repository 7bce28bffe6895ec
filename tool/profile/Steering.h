// What earlier traces decide about a build, as the rewriters take it.
#ifndef KPERF_TOOL_STEERING_H
#define KPERF_TOOL_STEERING_H

#include "decoder/io/Error.h"
#include "rewriters/pattern/ProfileDecision.h"
#include "rewriters/pattern/Selection.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace kperf::tool {

struct Steering {
  /// Of a kernel of which some blocks are recorded.
  struct Sample {
    std::string file; ///< that defines it
    unsigned interval;
  };

  ProfileDecisions decisions;        ///< one list for each build that left traces, the last one named first
  std::vector<SelectionRule> closer; ///< loops to be timed besides
  std::vector<Sample> samples;
  std::vector<std::string> over; ///< kernels that no choice brings below the budget

  /// For a source, which also compiles the kernels of headers: of how many blocks one is recorded, so that none of its kernels costs more
  /// than the budget; 1: all are.
  unsigned sampleFor(llvm::StringRef source) const;
};

/// Reads traces, those of one build together. An error where one can't be read, or is of the host target (`isForHost`: of a GPU), or does
/// not say what records cost: then nothing is to be decided by them. `choosesLaunches` as in decoder::planFor.
decoder::Expected<Steering> steer(llvm::ArrayRef<std::string> files, double budgetPercent, bool isForHost, bool choosesLaunches);

} // namespace kperf::tool

#endif
