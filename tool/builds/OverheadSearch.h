// Builds and runs a program with less and less recorded, until what that costs is within a budget.
#ifndef KPERF_TOOL_OVERHEAD_SEARCH_H
#define KPERF_TOOL_OVERHEAD_SEARCH_H

#include "decoder/compare/Perturb.h"
#include "tool/builds/SameLines.h"

#include <string>
#include <vector>

namespace kperf::tool {

struct OverheadSearchOptions {
  std::string build; ///< a command that builds the program anew, with {probes} where options of kperf-cc belong
  std::string run;   ///< the command that runs it
  unsigned runs = 3; ///< of each build
  SameLines same;    ///< lines of the program's output that no build may change
};

struct OverheadSearchResult {
  decoder::Perturbation found;      ///< of all builds that were tried; isOver: none keeps the budget
  std::vector<std::string> options; ///< of kperf-cc, for the one that was built last
  unsigned blocks = 0;              ///< N: one in N was recorded when it ran (KPERF_SAMPLE); 0: all
  bool isOutputSame = true;         ///< of every build that was tried
};

/// `perturb` has a budget. Builds stand in the order of how much they tell: every entry, sums with a histogram, sums, one block in so
/// many, as few as need be. The last that was built, the one that keeps the budget if one does, is left where the user's command puts it.
/// Traces go to a folder of their own.
decoder::Expected<OverheadSearchResult> searchOverhead(const OverheadSearchOptions &options, const decoder::PerturbOptions &perturb);

} // namespace kperf::tool

#endif
