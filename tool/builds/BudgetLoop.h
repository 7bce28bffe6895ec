// Builds and runs a program, plans the next build from what was measured, and repeats until the probes' cost is within a budget.
#ifndef KPERF_TOOL_BUDGET_LOOP_H
#define KPERF_TOOL_BUDGET_LOOP_H

#include "decoder/compare/Perturb.h"
#include "tool/builds/SameLines.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::tool {

struct BudgetLoopOptions {
  std::string build;               ///< a command that builds the program anew, with {probes} where options of kperf-cc belong
  std::string run;                 ///< the command that runs it
  std::vector<std::string> probes; ///< options of kperf-cc for every build: what is to be recorded where the budget allows for it
  unsigned runs = 3;               ///< of each build
  SameLines same;                  ///< lines of the program's output that no build may change
  double budgetPercent = 2;        ///< of the kernels' time, all together
  std::string folder;              ///< exists; gets profile.kperf, from which builds are planned, and trace.kperf, of the last build
};

struct BudgetLoopResult {
  decoder::Perturbation found;        ///< of all builds
  bool isOver = false;                ///< the last one does not keep the budget
  std::vector<std::string> options;   ///< of kperf-cc, for the last build, which is left where the user's command puts it
  unsigned planned = 0;               ///< builds that a plan decided; 0: the first one keeps the budget
  bool isOutputSame = true;           ///< of every build
  std::optional<decoder::Trace> last; ///< trace.kperf: of the last build

  /// Of the last build: of the kernels' time.
  double costPercent() const { return found.lastOverheadPercent.value_or(0); }
};

/// Plans of at most so many builds.
inline constexpr unsigned kMaxPlans = 3;

/// Measures the program without probes, then with all, then as the profile of that plans it. Where a planned build costs more than the
/// budget, the next plan gets as much less as that was too much.
decoder::Expected<BudgetLoopResult> keepBudget(const BudgetLoopOptions &options);

} // namespace kperf::tool

#endif
