// Chooses how the next build records each region: in the kernels of most time first, dropping what tells least about them.
#include "decoder/plan/Plan.h"
#include "decoder/span/RegionOrdinals.h"
#include "decoder/trace/CompiledFunction.h"
#include "decoder/trace/Records.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <utility>

namespace kperf::decoder {
namespace {

constexpr double kLittlePercent = 1;       ///< of a kernel's time: a region that takes less goes first
constexpr double kWorthOfBudget = 0.02;    ///< what costs less than this part of the budget stays as it is
constexpr double kUnexplainedPercent = 20; ///< of a kernel's time: what takes more and holds no region is looked at closer
constexpr double kWide = 4;                ///< 95th percentile over median: such lengths have several causes
constexpr std::uint32_t kMaxBlocks = 1024; ///< one block in more says little of the others
constexpr double kMaxExcess = 1.05;        ///< of a prediction over the budget: less is rounding
constexpr double kFewestSamples = 8;       ///< blocks, or launches, from which a kernel's numbers are estimated

/// As rewriters/select/ProfileSites.cpp numbers the sites of a source.
std::vector<std::uint32_t> numbersOf(const RegionSet &regions) {
  return ordinalsOf(regions,
                    [](const Region &region) { return std::tuple(region.file, CompiledFunction(region.function).name, region.name); });
}

class Planner {
public:
  Planner(const Profile &profile, double budgetPercent, bool choosesLaunches)
      : profile(profile), choosesLaunches(choosesLaunches && profile.target == format::Target::Cuda) {
    plan.budgetPercent = budgetPercent;
  }

  Plan run() {
    addRegions();
    for (std::size_t i = 0; i < profile.kernels.size(); ++i)
      addKernel(i);
    for (KernelDecision &decision : plan.kernels) { // what a later one decided holds in all
      decision.recordedPercent = recordedPercent(profile.kernels[decision.kernel], decision);
      predict(decision, plan.budgetPercent);
      decision.isOver = decision.predictedPercent > plan.budgetPercent * kMaxExcess;
      lookCloser(decision);
      explainRecords(decision);
    }
    shareBudget();
    return std::move(plan);
  }

private:
  using Choices = std::vector<RegionDecision>;

  RegionDecision &of(std::uint32_t region) { return *std::ranges::lower_bound(plan.regions, region, {}, &RegionDecision::region); }

  void addRegions() {
    const std::vector<std::uint32_t> numbers = numbersOf(*profile.regions);
    std::map<std::uint32_t, double> shares;
    for (const ProfiledKernel &kernel : profile.kernels)
      for (const ProfiledRow &row : kernel.rows)
        shares[row.region] = std::max(shares[row.region], percentOf(row.total, kernel.cycles));
    for (const auto &[region, share] : shares)
      plan.regions.push_back({region, numbers[region]});
    greatestShare = std::move(shares);
  }

  /// Percent of the time of a launch that is recorded that the kernel's probes will add; nothing where no region of it is left.
  double recordedPercent(const ProfiledKernel &kernel, const KernelDecision &decision) {
    double records = 0;
    bool isLeft = kernel.rows.empty();
    for (const ProfiledRow &row : kernel.rows) {
      const Choice choice = of(row.region).choice;
      records += plannedCostOf(row, choice, decision);
      isLeft |= choice != Choice::LeftOut;
    }
    const double warps = decision.samplingInterval > 1 ? 1.0 / decision.samplingInterval : kernel.nextShare;
    return isLeft ? decision.cost.next(warps, percentOf(records, kernel.netCycles())) : 0;
  }
  /// The same, were every block recorded.
  double fullPercent(const ProfiledKernel &kernel, const KernelDecision &decision) {
    double records = 0;
    for (const ProfiledRow &row : kernel.rows)
      records += costOf(row, of(row.region).choice);
    return decision.cost.next(1, percentOf(records, kernel.netCycles()));
  }

  /// Whether what is recorded costs more than the budget.
  bool isOver(const ProfiledKernel &kernel, const KernelDecision &decision) {
    return recordedPercent(kernel, decision) > plan.budgetPercent;
  }

  /// Rows of the kernel that `isCandidate` and whose change is worth it, those that save most first.
  template <typename Predicate>
  std::vector<const ProfiledRow *> bySaving(const ProfiledKernel &kernel, const KernelDecision &decision, Choice choice,
                                            Predicate isCandidate) {
    std::vector<std::pair<double, const ProfiledRow *>> found;
    for (const ProfiledRow &row : kernel.rows) {
      const double saving = plannedCostOf(row, of(row.region).choice) - plannedCostOf(row, choice);
      if (decision.cost.recordTimes * percentOf(saving, kernel.netCycles()) > kWorthOfBudget * plan.budgetPercent && isCandidate(row))
        found.emplace_back(saving, &row);
    }
    std::ranges::stable_sort(found, std::greater<>(), [](const auto &entry) { return entry.first; });
    std::vector<const ProfiledRow *> rows;
    for (const auto &[saving, row] : found)
      rows.push_back(row);
    return rows;
  }

  static double recordPercent(const ProfiledRow &row, const ProfiledKernel &kernel, const KernelDecision &decision) {
    return decision.cost.recordTimes * percentOf(plannedCostOf(row, Choice::Record), kernel.netCycles());
  }

  void leaveOut(const ProfiledKernel &kernel, const KernelDecision &decision, double belowPercent) {
    const auto isSmall = [&](const ProfiledRow &row) { // who waits for whom is known of all that wait, or of none
      return greatestShare.at(row.region) < belowPercent && !isSync((*profile.regions)[row.region].kind);
    };
    for (const ProfiledRow *row : bySaving(kernel, decision, Choice::LeftOut, isSmall)) {
      if (!isOver(kernel, decision))
        return;
      RegionDecision &region = of(row->region);
      region.choice = Choice::LeftOut;
      region.reason = fmt::format("{:.1f} % of the time, and to record it costs {:.1f} %", percentOf(row->total, kernel.cycles),
                                  recordPercent(*row, kernel, decision));
    }
  }

  void sumUp(const ProfiledKernel &kernel, const KernelDecision &decision) {
    for (const ProfiledRow *row : bySaving(kernel, decision, Choice::Sums, [](const ProfiledRow &each) { return each.isSummable; })) {
      if (!isOver(kernel, decision))
        return;
      RegionDecision &region = of(row->region);
      region.choice = Choice::Sums;
      region.reason = fmt::format("{} visits: each as a record costs {:.1f} %{}", row->visits, recordPercent(*row, kernel, decision),
                                  row->isPair ? " (if begun and ended in one block)" : "");
    }
  }

  /// A power of two that brings a cost below the budget, if there are enough of so many launches or blocks to record one in it; else 1.
  static std::uint32_t oneIn(double percent, double ofAll, double budget) {
    const double times = percent / std::max(budget, 1e-3);
    std::uint32_t count = 2;
    while (count < times && count < kMaxBlocks)
      count *= 2;
    return percent / count <= budget && ofAll / count >= kFewestSamples ? count : 1;
  }

  bool sample(const ProfiledKernel &kernel, KernelDecision &decision) {
    // Of launches that are not recorded nothing is left; blocks still pay for the kernel's probes with registers, and are asked.
    if (choosesLaunches)
      decision.launchInterval = oneIn(recordedPercent(kernel, decision), static_cast<double>(kernel.launches), plan.budgetPercent);
    // Of all blocks: that a launch is wide does not count where it is said how many are recorded. What each warp pays stays, of any block.
    if (const double rest = plan.budgetPercent - decision.cost.asking; decision.launchInterval == 1 && !decision.isEntryOver)
      decision.samplingInterval = oneIn(fullPercent(kernel, decision) - decision.cost.asking, kernel.blocks, rest);
    return decision.samplingInterval > 1 || decision.launchInterval > 1;
  }

  void addKernel(std::size_t index) {
    const ProfiledKernel &kernel = profile.kernels[index];
    KernelDecision decision{.kernel = index};
    decision.cost = costOfKernel(kernel);
    decision.isEntryOver = decision.cost.asking > plan.budgetPercent;
    // No choice of regions helps then: what is recorded is recorded whole, in some launches.
    const bool isDone = decision.isEntryOver && isOver(kernel, decision) && sample(kernel, decision);
    if (!isDone)
      leaveOut(kernel, decision, kLittlePercent);
    const Choices recorded = plan.regions;
    if (!isDone)
      sumUp(kernel, decision);
    if (!isDone && isOver(kernel, decision)) { // entries of some blocks tell more than sums of all
      Choices summed = std::exchange(plan.regions, recorded);
      if (!sample(kernel, decision)) {
        plan.regions = std::move(summed);
        leaveOut(kernel, decision, kKeptPercent);
        if (isOver(kernel, decision))
          sample(kernel, decision);
      }
    }
    plan.kernels.push_back(decision);
  }

  void predict(KernelDecision &decision, double budgetPercent) const {
    const ProfiledKernel &kernel = profile.kernels[decision.kernel];
    decision.predictedPercent = decision.recordedPercent;
    if (choosesLaunches)
      decision.predictedPercent =
          chosenPercent(decision.recordedPercent, budgetPercent, kernel.launches, kernel.measured ? kernel.measured->plainNs : 0);
  }

  /// While the program runs its kernels have one budget together.
  void shareBudget() {
    std::vector<BudgetShare> shares;
    for (const KernelDecision &decision : plan.kernels)
      if (const ProfiledKernel &kernel = profile.kernels[decision.kernel]; kernel.isCostKnown || kernel.measured)
        shares.push_back({kernel.run.durationNs > 0 ? kernel.run.durationNs : kernel.netCycles(), decision.recordedPercent});
    const double times = partOfBudget(shares, plan.budgetPercent);
    for (KernelDecision &decision : plan.kernels)
      predict(decision, times * plan.budgetPercent);
  }

  /// Why what costs much stays as it is, where that breaks the budget.
  void explainRecords(const KernelDecision &decision) {
    const ProfiledKernel &kernel = profile.kernels[decision.kernel];
    for (const ProfiledRow &row : kernel.rows) {
      RegionDecision &region = of(row.region);
      const double cost = recordPercent(row, kernel, decision);
      if (!decision.isOver || region.choice != Choice::Record || !region.reason.empty() || cost <= kWorthOfBudget * plan.budgetPercent)
        continue;
      if (isSync((*profile.regions)[row.region].kind))
        region.reason = "waits and signals are never left out";
      else if (greatestShare.at(row.region) >= kKeptPercent && row.isSummable && row.sumOfRecord >= 1)
        region.reason =
            fmt::format("{:.1f} % of the time, and sums cost as much under the virtual clock", percentOf(row.total, kernel.cycles));
      else if (greatestShare.at(row.region) >= kKeptPercent && !row.isSummable)
        region.reason = fmt::format("{:.1f} % of the time, and can't be summed up: {}", percentOf(row.total, kernel.cycles),
                                    row.isPair ? "its KPERF_BEGIN and KPERF_END are a record each, as where they are in two blocks"
                                               : "it is not in the kernel's own body");
    }
  }

  /// Loops one level deeper than what --auto timed in the function already.
  unsigned depthFor(const std::string &function) const {
    unsigned depth = 1;
    for (std::uint32_t i = 0; i < profile.regions->size(); ++i)
      if (const Region &region = (*profile.regions)[i];
          region.kind == format::RegionKind::Automatic && CompiledFunction(region.function).name == function)
        depth = 2;
    return depth;
  }

  /// `nextShare`: of the visits, in blocks that are recorded.
  void lookInto(KernelDecision &decision, const std::string &function, double visits, double nextShare, std::string reason) {
    if (function.empty() || std::ranges::find(plan.closer, function, &CloserLook::function) != plan.closer.end())
      return;
    const ProfiledKernel &kernel = profile.kernels[decision.kernel];
    // How often loops are entered is not known: one that each visit enters, and one in it that is no longer than it costs.
    ProfiledRow loops{.region = 0};
    loops.recordCost = 2 * visits * kernel.cyclesOfRecord;
    loops.nextShare = nextShare;
    const double added = decision.cost.recordTimes * percentOf(plannedCostOf(loops, Choice::Record, decision), kernel.netCycles());
    if (decision.recordedPercent + added > plan.budgetPercent * decision.launchInterval)
      return;
    decision.recordedPercent += added;
    plan.closer.push_back({decision.kernel, function, depthFor(function), std::move(reason)});
  }

  void lookCloser(KernelDecision &decision) {
    const ProfiledKernel &kernel = profile.kernels[decision.kernel];
    if (!kernel.isCostKnown)
      return;
    if (const double share = percentOf(kernel.unattributed, kernel.cycles); share >= kUnexplainedPercent)
      lookInto(decision, kernel.function, static_cast<double>(kernel.warps), kernel.nextShare,
               fmt::format("{:.0f} % of {} is in no region", share, kernel.name));
    for (const ProfiledRow &row : kernel.rows) {
      const Region &region = (*profile.regions)[row.region];
      const std::string function(CompiledFunction(region.function).name);
      const bool isBlock = !isSync(region.kind) && !isInstant(region.kind);
      const bool isLeaf = row.self >= 0.999 * row.total && region.endLine > region.line;
      const double share = percentOf(row.self, kernel.cycles);
      if (isBlock && isLeaf && share >= kUnexplainedPercent)
        lookInto(decision, function, static_cast<double>(row.visits), row.nextShare,
                 fmt::format("{:.0f} % of {} is in {}, which holds no region", share, kernel.name, region.name));
      else if (isBlock && share >= kKeptPercent && row.lengths.areKnown() && row.lengths.count() > 0 &&
               static_cast<double>(row.lengths.at(0.95)) >= kWide * std::max(1.0, static_cast<double>(row.lengths.at(0.5))))
        lookInto(decision, function, static_cast<double>(row.visits), row.nextShare,
                 fmt::format("entries of {} differ {} times and more in length", region.name, kWide));
    }
  }

  const Profile &profile;
  const bool choosesLaunches;
  Plan plan;
  std::map<std::uint32_t, double> greatestShare; ///< by region: percent of the kernel where it is largest
};

} // namespace

const RegionDecision *Plan::of(std::uint32_t region) const {
  const auto found = std::ranges::lower_bound(regions, region, {}, &RegionDecision::region);
  return found != regions.end() && found->region == region ? &*found : nullptr;
}

double costOf(const ProfiledRow &row, Choice choice) {
  return choice == Choice::LeftOut ? 0 : choice == Choice::Sums ? row.sumOfRecord * row.recordCost : row.recordCost;
}

double plannedCostOf(const ProfiledRow &row, Choice choice, const KernelDecision &kernel) {
  const double ofBlocks = kernel.samplingInterval > 1 ? 1.0 / kernel.samplingInterval : row.nextShare;
  return costOf(row, choice) * ofBlocks;
}

Plan planFor(const Profile &profile, double budgetPercent, bool choosesLaunches) {
  return Planner(profile, budgetPercent, choosesLaunches).run();
}

} // namespace kperf::decoder
