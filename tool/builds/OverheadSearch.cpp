// Tries builds in order, the one that records most first.
#include "tool/builds/OverheadSearch.h"
#include "tool/builds/TimedBuilds.h"

#include <fmt/format.h>

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::failure;
using Words = std::vector<std::string>;

/// One way to record, by the name that its trace gets.
struct Mode {
  std::string name;
  Words options;       ///< of kperf-cc
  unsigned blocks = 0; ///< N: one in N is recorded: a matter of running it; 0: all
};

class Search {
public:
  Search(const decoder::PerturbOptions &perturb, TimedBuilds builds) : perturb(perturb), builds(std::move(builds)) {}

  Expected<OverheadSearchResult> run();

private:
  decoder::Status tryMode(const Mode &mode);

  const decoder::PerturbOptions &perturb;
  TimedBuilds builds;
  std::vector<decoder::Trace> clean, traces;
  OverheadSearchResult result;
};

/// Adds a build to those that were tried, and judges all.
decoder::Status Search::tryMode(const Mode &mode) {
  auto trace = builds.record(mode.name, mode.options, mode.blocks);
  if (!trace)
    return failure(trace.error());
  traces.push_back(std::move(*trace));
  auto found = decoder::perturbation(clean.front(), traces, perturb);
  if (!found)
    return failure(found.error());
  result.found = std::move(*found);
  result.options = mode.options;
  result.blocks = mode.blocks;
  result.isOutputSame = builds.isOutputSame();
  return {};
}

Expected<OverheadSearchResult> Search::run() {
  auto trace = builds.record("clean", kPlainProbes);
  if (!trace)
    return failure(trace.error());
  clean.push_back(std::move(*trace));
  double whole = 0; // what recording every entry costs, in percent
  for (const Mode &mode :
       {Mode{"every-entry", {}}, Mode{"sums-and-histogram", {"--aggregate=*", "--histogram"}}, Mode{"sums", {"--aggregate=*"}}}) {
    if (auto status = tryMode(mode); !status)
      return failure(status.error());
    if (!result.found.isOver)
      return std::move(result);
    if (traces.size() == 1)
      whole = result.found.lastOverheadPercent.value_or(0);
  }
  // What is recorded costs in proportion, what a warp's entry and exit cost stays.
  for (unsigned blocks = decoder::blocksForBudget(whole, *perturb.budgetPercent); blocks <= decoder::kMaxBlocks; blocks *= 2) {
    if (auto status = tryMode({fmt::format("one-block-in-{}", blocks), {"--sample"}, blocks}); !status)
      return failure(status.error());
    if (!result.found.isOver)
      break;
  }
  return std::move(result);
}

} // namespace

Expected<OverheadSearchResult> searchOverhead(const OverheadSearchOptions &options, const decoder::PerturbOptions &perturb) {
  auto builds = TimedBuilds::make(options.build, options.run, options.runs, options.same);
  if (!builds)
    return failure(builds.error());
  return Search(perturb, std::move(*builds)).run();
}

} // namespace kperf::tool
