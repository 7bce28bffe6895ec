// Writes each region's row: its cost now, the decision, its cost then, and the reason.
#include "decoder/plan/PlanTable.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

std::vector<Column> planColumns() {
  return {
      {"kernel", Unit::None, Role::Group},
      {"launches", Unit::None, Role::Group},
      {"kernel-cost", Unit::Percent, Role::Group},
      {"kernel-predicted", Unit::Percent, Role::Group},
      {"costs-are", Unit::None, Role::Group},
      {"kernel-cost-low", Unit::Percent, Role::Group, 0},
      {"kernel-cost-high", Unit::Percent, Role::Group, 0},
      {"depth", Unit::None, Role::Depth},
      {"region", Unit::None, Role::Label},
      {"source", Unit::None, Role::Value, 8},
      {"visits", Unit::None, Role::Value, 80},
      {"share", Unit::Percent, Role::Value, 90},
      {"total", Unit::Percent, Role::Value, 30},
      {"p50", Unit::Nanoseconds, Role::Value, 40},
      {"p95", Unit::Nanoseconds, Role::Value, 38},
      {"p50", Unit::Cycles, Role::Value, 20},
      {"p95", Unit::Cycles, Role::Value, 18},
      {"cost", Unit::Percent, Role::Value, 95},
      {"choice", Unit::None, Role::Value, 99},
      {"predicted", Unit::Percent, Role::Value, 97},
      {"reason", Unit::None, Role::Value, 70},
  };
}

/// Of what is recorded at all.
std::string sampleText(const KernelDecision &decision) {
  if (decision.samplingInterval > 1)
    return fmt::format("1 block in {}", decision.samplingInterval);
  return decision.launchInterval > 1 ? fmt::format("1 launch in {}", decision.launchInterval) : "";
}

std::string choiceText(const RegionDecision &region, const KernelDecision &kernel) {
  const std::string sample = sampleText(kernel);
  switch (region.choice) {
  case Choice::LeftOut:
    return "left out";
  case Choice::Sums:
    return sample.empty() ? "sums" : "sums, " + sample;
  case Choice::Record:
    break;
  }
  return sample.empty() ? "record" : sample;
}

class PlanTableBuilder {
public:
  PlanTableBuilder(const Profile &profile, const Plan &plan) : profile(profile), plan(plan) {}

  Table build() {
    for (const KernelDecision &decision : plan.kernels)
      addKernel(decision);
    if (profile.target == format::Target::Host)
      table.addLead(fmt::format("costs are what {}, which says nothing of a GPU: plan a build for one from a trace of it",
                                profile.hostClock == "virtual clock"
                                    ? "the virtual clock charges for probes, as much for a sum as for a record"
                                    : "probes take on this CPU"));
    table.notes.push_back(budgetNote());
    if (const std::string wide = wideKernels(); !wide.empty())
      table.notes.push_back(
          fmt::format("of wide launches few {0}s are recorded ({1}), and the others run without probes, but for the question "
                      "at their entry: what is predicted is of the recorded ones",
                      profile.regions->terms().block, wide));
    if (profile.areLaunchesChosen)
      table.notes.push_back(
          "launches and visits are estimates for all launches, of which an overhead budget chose by chance those that were "
          "recorded");
    return std::move(table);
  }

private:
  static bool isCostKnown(const ProfiledKernel &kernel) { return kernel.isCostKnown || kernel.measured; }

  std::vector<Cell> groupOf(const KernelDecision &decision) const {
    const ProfiledKernel &kernel = profile.kernels[decision.kernel];
    std::vector<Cell> cells{kernel.name, kernel.launches};
    cells.resize(7);
    if (!isCostKnown(kernel))
      return cells;
    cells[2] = decision.cost.now;
    cells[3] = decision.predictedPercent;
    cells[4] = std::string(decision.cost.isMeasured ? "measured" : isGpu() ? "at least these" : "calibrated");
    if (kernel.measured && kernel.measured->interval) {
      cells[5] = kernel.measured->interval->first / kernel.run.launchesOfRecorded;
      cells[6] = kernel.measured->interval->second / kernel.run.launchesOfRecorded;
    }
    return cells;
  }

  bool isGpu() const { return profile.target != format::Target::Host; }

  /// What the budget is of, and how costs are known.
  std::string budgetNote() const {
    std::string text = fmt::format("the budget is {:g} % of each kernel's time", plan.budgetPercent);
    const auto isMeasured = [](const KernelDecision &decision) { return decision.cost.isMeasured; };
    const bool isAny = std::ranges::any_of(plan.kernels, isMeasured), isAll = std::ranges::all_of(plan.kernels, isMeasured);
    if (!isGpu())
      return text + "; costs are of what the probes of regions add to warps, by the trace's own calibration";
    if (isAny)
      text += fmt::format("; costs{} are what launches take longer with probes than without, as measured, and what is planned follows from "
                          "them: each {} pays the part that its records don't explain, whatever is recorded",
                          isAll ? "" : " that are called measured", profile.regions->terms().warp);
    if (!isAll)
      text += fmt::format("; {} the least that they can be: records by the trace's own calibration, and the instructions of a {}'s entry; "
                          "registers, memory and waiting are not among them. A run with KPERF_LAUNCH_TIMES=1 KPERF_SAMPLE_LAUNCHES=2 "
                          "measures all of it, where nvcc built it and each kernel is launched some twenty times",
                          isAny ? "others are" : "costs are", profile.regions->terms().warp);
    return text;
  }

  /// "1 in 8 of walk": of the first few of which most blocks are not recorded and run without probes.
  std::string wideKernels() const {
    constexpr std::size_t kMost = 3;
    std::string names;
    std::size_t count = 0;
    for (const KernelDecision &decision : plan.kernels)
      if (const ProfiledKernel &kernel = profile.kernels[decision.kernel];
          kernel.isCostKnown && kernel.nextShare < 1 && decision.samplingInterval == 1 && ++count <= kMost)
        names += fmt::format("{}1 in {:.0f} of {}", names.empty() ? "" : ", ", 1 / kernel.nextShare, kernel.name);
    return count > kMost ? fmt::format("{}, and {} more", names, count - kMost) : names;
  }

  void addKernel(const KernelDecision &decision) {
    const ProfiledKernel &kernel = profile.kernels[decision.kernel];
    for (const ProfiledRow &row : kernel.rows)
      addRow(decision, kernel, row);
    for (const CloserLook &look : plan.closer)
      if (look.kernel == decision.kernel)
        addCloser(decision, look);
    if (kernel.keptShare < 1)
      table.addLead(fmt::format("{:.1f} % of the records of {} were dropped: what is said of its regions is as if those had been like the "
                                "others{}",
                                100 - 100 * kernel.keptShare, kernel.name,
                                kernel.recordsNeeded ? fmt::format("; with KPERF_RECORDS={} each {} has room for all",
                                                                   *kernel.recordsNeeded, profile.regions->terms().warp)
                                                     : ""));
    if (!isCostKnown(kernel))
      table.notes.push_back(
          fmt::format("what a record costs {} is not known, so all of it stays as it is: the trace has no calibration of its "
                      "device",
                      kernel.name));
    else if (decision.isOver && decision.launchInterval > 1)
      table.notes.push_back(
          fmt::format("{} does not keep the budget: its launches ({}) are so few, or so short, that to find out which ones to "
                      "record takes {:.1f} %",
                      kernel.name, kernel.launches, decision.predictedPercent));
    else if (decision.isOver && decision.isEntryOver)
      table.notes.push_back(
          fmt::format("{} does not keep the budget: {:.1f} % is what each {} pays with probes, whatever is recorded, and its launches ({}) "
                      "are too few to record some of them; leave the kernel out, or give more",
                      kernel.name, decision.cost.asking, profile.regions->terms().warp, kernel.launches));
    else if (decision.isOver)
      table.notes.push_back(
          fmt::format("{} does not keep the budget: {:.1f} % is left of what takes {:g} % of its time or more; its blocks ({}) and "
                      "launches ({}) are too few to record some of them",
                      kernel.name, decision.predictedPercent, kKeptPercent, static_cast<std::uint64_t>(kernel.blocks), kernel.launches));
  }

  void addLength(std::vector<Cell> &cells, const ProfiledKernel &kernel, const ProfiledRow &row, bool inNs) const {
    const bool isKnown = row.lengths.areKnown() && row.lengths.count() > 0 && (!inNs || kernel.nsPerCycle > 0);
    for (const double q : {0.5, 0.95})
      cells.push_back(isKnown ? Cell(static_cast<double>(row.lengths.at(q)) * (inNs ? kernel.nsPerCycle : 1)) : Cell());
  }

  void addRow(const KernelDecision &decision, const ProfiledKernel &kernel, const ProfiledRow &row) {
    const Region &region = (*profile.regions)[row.region];
    const RegionDecision &choice = *plan.of(row.region);
    const double net = kernel.netCycles();
    std::vector<Cell> cells = groupOf(decision);
    cells.emplace_back(std::uint64_t{row.depth});
    cells.emplace_back(region.name);
    cells.emplace_back(region.location());
    cells.emplace_back(row.visits);
    cells.emplace_back(percentOf(row.self, kernel.cycles));
    cells.emplace_back(percentOf(row.total, kernel.cycles));
    addLength(cells, kernel, row, true);
    addLength(cells, kernel, row, false);
    const double ofLaunches = decision.recordedPercent > 0 ? decision.predictedPercent / decision.recordedPercent : 1;
    const double planned = ofLaunches * percentOf(plannedCostOf(row, choice.choice, decision), net);
    cells.push_back(kernel.isCostKnown ? Cell(decision.cost.recordTimes * percentOf(row.costNow, net)) : Cell());
    cells.emplace_back(choiceText(choice, decision));
    cells.push_back(kernel.isCostKnown ? Cell(decision.cost.recordTimes * planned) : Cell());
    cells.emplace_back(choice.reason);
    if (!region.file.empty())
      table.places[table.rows.size()] = {region.file, region.line};
    table.rows.push_back(std::move(cells));
  }

  void addCloser(const KernelDecision &decision, const CloserLook &look) {
    std::vector<Cell> cells = groupOf(decision);
    cells.emplace_back(std::uint64_t{0});
    cells.emplace_back(fmt::format("(loops of {})", look.function));
    cells.resize(table.columns.size() - 3);
    cells.emplace_back(std::string("closer look"));
    cells.emplace_back();
    cells.emplace_back(look.reason);
    table.rows.push_back(std::move(cells));
  }

  const Profile &profile;
  const Plan &plan;
  Table table{.name = "plan", .columns = planColumns(), .rows = {}, .notes = {}};
};

} // namespace

Table planTable(const Profile &profile, const Plan &plan) { return PlanTableBuilder(profile, plan).build(); }

} // namespace kperf::decoder
