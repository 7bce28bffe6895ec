// Compares traces taken before and after a change.
#include "decoder/compare/Diff.h"
#include "decoder/compare/DiffSide.h"
#include "decoder/compare/RunChange.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/ReportNotes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <set>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr double kSignificance = 0.05;
/// Percent: what runs of one build may differ by. With one run a side nobody knows, and less is called no change.
constexpr double kMinOfOneRun = 5;

std::vector<Column> columns() {
  return {{"kernel", Unit::None, Role::Group},
          {"launches-a", Unit::None, Role::Group},
          {"launches-b", Unit::None, Role::Group},
          {"region", Unit::None, Role::Label},
          {"kind", Unit::None, Role::Value, 8},
          {"verdict", Unit::None, Role::Value, 99},
          {"change", Unit::Percent, Role::Value, 98},
          {"change-low", Unit::Percent, Role::Value, 96},
          {"change-high", Unit::Percent, Role::Value, 96, true},
          {"a", Unit::Nanoseconds, Role::Value, 90},
          {"b", Unit::Nanoseconds, Role::Value, 90, true},
          {"a", Unit::Cycles, Role::Value, 30},
          {"b", Unit::Cycles, Role::Value, 30, true},
          {"visits-a", Unit::None, Role::Value, 60},
          {"visits-b", Unit::None, Role::Value, 60, true},
          {"p", Unit::None, Role::Value, 40},
          {"source", Unit::None, Role::Value, 50},
          {"kernel-a", Unit::None, Role::Group}};
}
enum At {
  kKernel,
  kLaunchesA,
  kLaunchesB,
  kRegion,
  kKind,
  kVerdict,
  kChange,
  kLow,
  kHigh,
  kNsA,
  kNsB,
  kCyclesA,
  kCyclesB,
  kVisitsA,
  kVisitsB,
  kP,
  kSource,
  kKernelA,
  kColumns
};

/// One comparison, before the verdicts that need all of them.
struct Compared {
  std::vector<Cell> cells = std::vector<Cell>(kColumns);
  std::optional<RunChange> change;
  double weight = 0; ///< for the order of rows: what the change amounts to in all launches
};

class DiffBuilder {
public:
  /// `terms`: what its notes call a warp.
  DiffBuilder(const DiffSide &a, const DiffSide &b, const DiffOptions &options, const VendorTerms &terms)
      : a(a), b(b), options(options), terms(terms) {}
  Expected<Diff> build();

private:
  void pairKernels();
  void compareKernels(const SideKernel &before, const SideKernel &after);
  void pairRenamed(const SideKernel &before, const SideKernel &after,
                   std::vector<std::pair<const SideRegion *, const SideRegion *>> &pairs) const;
  void compareRegions(const SideRegion *before, const SideRegion *after, std::vector<Compared> &rows);
  RunChange changeOf(std::span<const RunValues> before, std::span<const RunValues> after) const;
  void measure(Compared &row, std::span<const RunValues> before, std::span<const RunValues> after, At first) const;
  void addAlone(const SideKernel &kernel, bool isInA);
  void decide();
  void judge(Compared &row, bool isRejected);
  void noteRuns();
  void noteKernels(const SideKernel &before, const SideKernel &after, bool isExact);

  const DiffSide &a, &b;
  const DiffOptions &options;
  const VendorTerms &terms;
  std::vector<std::pair<const SideKernel *, const SideKernel *>> kernels;
  std::vector<Compared> rows;
  std::vector<std::string> otherKinds; ///< regions that the sides ask for by different annotations
  bool isUndecidedOfOneRun = false, isDrifting = false, hasChangeInOrder = false, hasExact = false, hasSampled = false,
       hasInexact = false; ///< of rows' changes
  Diff diff{.table = {.name = "diff", .columns = columns()}};
};

/// Kernels by name, then by their name without template arguments where that is one on each side.
void DiffBuilder::pairKernels() {
  std::set<const SideKernel *> paired;
  const auto pair = [&](const SideKernel &before, const SideKernel &after) {
    kernels.emplace_back(&before, &after);
    paired.insert({&before, &after});
  };
  for (const SideKernel &before : a.kernels)
    if (const auto after = std::ranges::find(b.kernels, before.name, &SideKernel::name); after != b.kernels.end())
      pair(before, *after);
  const auto alone = [&](const DiffSide &side, const std::string &plain) {
    std::vector<const SideKernel *> out;
    for (const SideKernel &kernel : side.kernels)
      if (kernel.plain == plain && !paired.contains(&kernel))
        out.push_back(&kernel);
    return out;
  };
  for (const SideKernel &before : a.kernels) {
    const auto left = alone(a, before.plain), right = alone(b, before.plain);
    if (left.size() == 1 && right.size() == 1 && left.front() == &before) {
      pair(before, *right.front());
      diff.table.notes.push_back(fmt::format("{} in A is compared with {} in B", before.name, right.front()->name));
      diff.table.namedKernels.push_back(before.name);
    }
  }
  for (const SideKernel &before : a.kernels)
    if (!paired.contains(&before))
      kernels.emplace_back(&before, nullptr);
  for (const SideKernel &after : b.kernels)
    if (!paired.contains(&after))
      kernels.emplace_back(nullptr, &after);
}

RunChange DiffBuilder::changeOf(std::span<const RunValues> before, std::span<const RunValues> after) const {
  if (a.isVirtual && b.isVirtual && a.reduced + b.reduced == 0) { // a reduced trace may be of any number of launches
    if (std::ranges::any_of(before, &RunValues::isSampled) || std::ranges::any_of(after, &RunValues::isSampled))
      return sampledChange(before, after);
    if (const std::optional<RunChange> exact = exactChange(before, after))
      return *exact;
  }
  return changeBetween(before, after);
}

void DiffBuilder::measure(Compared &row, std::span<const RunValues> before, std::span<const RunValues> after, At first) const {
  if (!before.empty())
    row.cells[first] = changeOf(before, after.empty() ? before : after).before;
  if (!after.empty())
    row.cells[first + 1] = changeOf(before.empty() ? after : before, after).after;
}

/// Regions that one side has under a name, once, and the other side too, but in another function: neither build has both. What
/// a build has and no launch entered is no other region.
void DiffBuilder::pairRenamed(const SideKernel &before, const SideKernel &after,
                              std::vector<std::pair<const SideRegion *, const SideRegion *>> &pairs) const {
  const auto alone = [](const SideKernel &here, const DiffSide &there, const RegionIdentity &like) {
    std::vector<const SideRegion *> out;
    for (const auto &[identity, region] : here.regions)
      if (std::get<1>(identity) == std::get<1>(like) && std::get<2>(identity) == std::get<2>(like) && !there.regions.contains(identity))
        out.push_back(&region);
    return out;
  };
  for (const auto &[identity, region] : before.regions) {
    if (after.regions.contains(identity))
      continue;
    const auto left = alone(before, b, identity), right = alone(after, a, identity);
    const bool isOne = left.size() == 1 && left.front() == &region && right.size() == 1;
    pairs.emplace_back(&region, isOne ? right.front() : nullptr);
  }
  for (const auto &[identity, region] : after.regions)
    if (!before.regions.contains(identity) &&
        std::ranges::find(pairs, &region, [](const auto &pair) { return pair.second; }) == pairs.end())
      pairs.emplace_back(nullptr, &region);
}

void DiffBuilder::compareRegions(const SideRegion *before, const SideRegion *after, std::vector<Compared> &out) {
  const SideRegion &any = after ? *after : *before;
  if (isInstant(any.region.kind))
    return;
  Compared row;
  row.cells[kRegion] = any.region.name;
  row.cells[kKind] = decoder::named(any.region.kind);
  row.cells[kSource] = any.region.location();
  if (before)
    row.cells[kVisitsA] = before->visits;
  if (after)
    row.cells[kVisitsB] = after->visits;
  const std::vector<RunValues> none;
  measure(row, before ? before->ns : none, after ? after->ns : none, kNsA);
  measure(row, before ? before->cycles : none, after ? after->cycles : none, kCyclesA);
  if (before && after && before->region.kind != after->region.kind)
    otherKinds.push_back(
        fmt::format("{} ({} in A, {} in B)", after->region.name, decoder::named(before->region.kind), decoder::named(after->region.kind)));
  if (before && after && (before->cycles.empty() || after->cycles.empty())) {
    row.cells[kVerdict] = std::string("can't tell");
  } else if (before && after) {
    const bool hasNs = before->ns.size() == before->cycles.size() && after->ns.size() == after->cycles.size();
    const auto &left = hasNs ? before->ns : before->cycles, &right = hasNs ? after->ns : after->cycles;
    row.change = changeOf(left, right);
    row.weight = std::abs(row.change->after - row.change->before) *
                 (options.measure == Measure::Mean ? static_cast<double>(std::max(before->visits, after->visits)) : 1);
  } else {
    row.cells[kVerdict] = std::string(before ? "only in A" : "only in B");
    ++diff.onlyInOne;
  }
  out.push_back(std::move(row));
}

void DiffBuilder::noteKernels(const SideKernel &before, const SideKernel &after, bool isExact) {
  std::vector<std::string> &notes = diff.table.notes;
  const bool isOneRun = a.runs == 1 && b.runs == 1;
  if (isOneRun && a.reduced > 0)
    notes.push_back(fmt::format("a reduced trace has one value of {}, the mean of its launches: give at least 2 of each side, "
                                "better 5, with --against",
                                after.name));
  else if (isOneRun && !isExact && std::min(before.launches, after.launches) < 4)
    notes.push_back(fmt::format("{} was launched {} and {} times: to tell a change from what differs between launches takes at "
                                "least 4 on each side; launch it more often, or give several traces of each side with "
                                "--against",
                                after.name, before.launches, after.launches));
  if (before.dropped + after.dropped > 0 && options.measure != Measure::Mean)
    notes.push_back(fmt::format("records of {} were dropped: times per {} leave those out, and can be compared only "
                                "if both sides dropped equally many; raise KPERF_RECORDS, or compare --of=mean",
                                after.name, terms.warp));
  if (before.untimed + after.untimed > 0)
    notes.push_back(fmt::format("the time of some entries of {} is not known, for {}s that lived for 2^32 cycles or longer summed "
                                "it up in 32 bits: such launches are left out; build both sides with --extremes",
                                after.name, terms.warp));
  const bool isSampled = before.isSampled || after.isSampled; // how many were recorded is chance then
  const std::uint64_t left = isSampled ? before.warpsLaunched : before.warps, right = isSampled ? after.warpsLaunched : after.warps;
  if (left * after.launches != right * before.launches)
    notes.push_back(fmt::format("{} has {:.6g}{} {}s a launch in A and {:.6g} in B: the work may not be the same", after.name,
                                static_cast<double>(left) / static_cast<double>(before.launches), isSampled ? "" : " recorded", terms.warp,
                                static_cast<double>(right) / static_cast<double>(after.launches)));
}

void DiffBuilder::compareKernels(const SideKernel &before, const SideKernel &after) {
  Compared whole;
  whole.cells[kRegion] = std::string("(whole kernel)");
  whole.cells[kVisitsA] = before.launches;
  whole.cells[kVisitsB] = after.launches;
  measure(whole, before.durationNs, after.durationNs, kNsA);
  if (!before.durationNs.empty() && !after.durationNs.empty()) {
    whole.change = changeOf(before.durationNs, after.durationNs);
  } else {
    whole.cells[kVerdict] = std::string("can't tell");
  }
  std::vector<std::pair<const SideRegion *, const SideRegion *>> pairs;
  for (const auto &[identity, region] : before.regions)
    if (const auto other = after.regions.find(identity); other != after.regions.end())
      pairs.emplace_back(&region, &other->second);
  pairRenamed(before, after, pairs);
  const bool isExact = whole.change && (whole.change->isExact || whole.change->isSampled);
  std::vector<Compared> regions;
  for (const auto &[left, right] : pairs)
    compareRegions(left, right, regions);
  std::ranges::stable_sort(regions, std::greater<>(), &Compared::weight);
  regions.insert(regions.begin(), std::move(whole));
  for (Compared &row : regions) {
    row.cells[kKernel] = after.name;
    row.cells[kLaunchesA] = before.launches;
    row.cells[kLaunchesB] = after.launches;
    if (before.name != after.name)
      row.cells[kKernelA] = before.name;
    rows.push_back(std::move(row));
  }
  noteKernels(before, after, isExact);
}

void DiffBuilder::addAlone(const SideKernel &kernel, bool isInA) {
  Compared row;
  row.cells[kKernel] = kernel.name;
  row.cells[kRegion] = std::string("(whole kernel)");
  row.cells[isInA ? kLaunchesA : kLaunchesB] = kernel.launches;
  row.cells[kVerdict] = std::string(isInA ? "only in A" : "only in B");
  ++diff.onlyInOne;
  if (!kernel.durationNs.empty())
    row.cells[isInA ? kNsA : kNsB] = changeOf(kernel.durationNs, kernel.durationNs).before;
  rows.push_back(std::move(row));
}

/// Verdicts by Holm's method: the smallest p value is compared with 5 % over the number of rows, the next with 5 % over
/// one less, until one is too large.
void DiffBuilder::decide() {
  std::vector<Compared *> tested;
  for (Compared &row : rows)
    if (row.change)
      tested.push_back(&row);
  std::ranges::stable_sort(tested, {}, [](const Compared *row) { return row->change->p; });
  bool isRejecting = true;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    Compared &row = *tested[i];
    isRejecting = isRejecting && row.change->p <= kSignificance / static_cast<double>(tested.size() - i);
    judge(row, isRejecting);
  }
}

/// `isRejected`: the test says that the row changed.
void DiffBuilder::judge(Compared &row, bool isRejected) {
  const RunChange &change = *row.change;
  row.cells[kChange] = change.percent;
  row.cells[kP] = change.p;
  bool isNone = false;
  if (change.interval) {
    const auto [low, high] = *change.interval;
    if (!change.isExact) { // else it is a point
      row.cells[kLow] = low;
      row.cells[kHigh] = high;
    }
    isNone = low >= -options.marginPercent && high <= options.marginPercent;
  }
  const bool isLarge = !change.isOfOneRun || std::abs(change.percent) >= kMinOfOneRun;
  const bool isChange = isRejected && change.interval && !isNone && isLarge;
  isUndecidedOfOneRun |= isRejected && !isNone && !isLarge;
  isDrifting |= change.isDrifting;
  hasChangeInOrder |= isChange && change.isInOrder;
  (change.isExact ? hasExact : change.isSampled ? hasSampled : hasInexact) = true;
  row.cells[kVerdict] = std::string(isNone ? "not changed" : isChange ? "changed" : "can't tell");
  if (isChange && change.percent > diff.maxSlower.value_or(0)) {
    diff.maxSlower = change.percent;
    diff.slowest = fmt::format("{} of {}", std::get<std::string>(row.cells[kRegion]), std::get<std::string>(row.cells[kKernel]));
  }
  if (!isChange && !isNone)
    diff.maxUndecided = std::max(diff.maxUndecided.value_or(0), change.interval ? change.interval->second : INFINITY);
}

/// What the numbers of all rows are of.
void DiffBuilder::noteRuns() {
  std::vector<std::string> &notes = diff.table.notes;
  if (hasExact)
    notes.emplace_back(
        "the virtual clock gives equal work equal times: what differs is a change, whatever the number of runs, unless the "
        "program does other work in each of its runs (random input, the order of atomics), which several runs of a side show");
  if (hasSampled)
    notes.push_back(fmt::format("the virtual clock gives equal work equal times, but not every {0} was recorded: intervals are of which "
                                "{0}s were chosen, and where that is not known nothing can be told; with KPERF_SAMPLE=1 on both sides all "
                                "are recorded, and one run a side tells",
                                terms.block));
  if (!hasInexact)
    return;
  const auto counted = [](std::uint64_t runs) { return fmt::format("{} run{}", runs, runs == 1 ? "" : "s"); };
  if (std::min(a.runs, b.runs) > 1)
    notes.push_back(
        fmt::format("{} of A and {} of B are compared, each by the mean of its launches without the fastest and the slowest fifth",
                    counted(a.runs), counted(b.runs)));
  else if (std::max(a.runs, b.runs) > 1)
    notes.push_back(fmt::format("there is one run of {}: intervals assume that runs of that side differ as much as those of the other, "
                                "and no change below {:g} % is called one",
                                a.runs == 1 ? "A" : "B", kMinOfOneRun));
  else
    notes.push_back(fmt::format("one run a side: how much runs differ is unknown and not in the intervals, which come from the launches "
                                "of these runs; {}give several runs of each side with --against",
                                isUndecidedOfOneRun ? fmt::format("no change below {:g} % is called one; ", kMinOfOneRun) : ""));
  if (isDrifting)
    notes.emplace_back("runs of both sides became steadily slower or faster, and the difference between the sides continues "
                       "that trend: take runs of A and B in turns");
  else if (hasChangeInOrder)
    notes.emplace_back(
        "all runs of one side were made before those of the other: what became otherwise on the machine meanwhile looks like "
        "a change: take runs of A and B in turns");
}

Expected<Diff> DiffBuilder::build() {
  pairKernels();
  for (const auto &[before, after] : kernels)
    if (before && after)
      compareKernels(*before, *after);
    else
      addAlone(before ? *before : *after, before != nullptr);
  decide();
  if (std::ranges::any_of(rows, [](const Compared &row) { return row.change.has_value(); }))
    noteRuns();
  for (Compared &row : rows)
    diff.table.rows.push_back(std::move(row.cells));
  if (!otherKinds.empty())
    diff.table.notes.push_back(
        fmt::format("the annotation changed of {}: what its probes cost may have, too", fmt::join(otherKinds, ", ")));
  if (a.devices != b.devices && !a.devices.empty() && !b.devices.empty())
    diff.table.notes.push_back(fmt::format("the devices differ: {} in A, {} in B", a.devices.front(), b.devices.front()));
  return std::move(diff);
}

/// Runs that differ by their probes, too.
void noteBuilds(std::vector<std::string> &notes, std::span<const Trace> before, std::span<const Trace> after) {
  for (const auto &[side, traces] : {std::pair{'A', before}, std::pair{'B', after}})
    if (const std::string builds = mixedBuilds(traces, Summands::Times); !builds.empty())
      notes.push_back(fmt::format("runs of {} are of {}, whose probes cost other times: give each side traces of one build", side, builds));
  const std::string left = probesOf(before.front()), right = probesOf(after.front());
  if (left != right)
    notes.push_back(
        fmt::format("A records {}, and B {}: where the builds differ by --probes, so do the times that these cost", left, right));
}

std::string namesOf(const DiffSide &side) {
  std::vector<std::string> names = side.others;
  for (const SideKernel &kernel : side.kernels)
    names.push_back(kernel.name);
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  if (names.size() > 8)
    names.resize(8);
  return names.empty() ? "no kernel" : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

static Status noteSamples(std::vector<std::string> &notes, std::span<const Trace> side) {
  if (Status status = addSampleNote(notes, side, fmt::format("what is compared is per recorded {}", termsOf(side.front()).warp)); !status)
    return status;
  return addLaunchSampleNote(notes, side,
                             std::ranges::any_of(side, &Trace::isReduced)
                                 ? "what is compared are estimates for all launches"
                                 : "what is compared is of those, each counted once; kperf reduce weighs them as report does");
}

Expected<Diff> diffTraces(std::span<const Trace> before, std::span<const Trace> after, const DiffOptions &options) {
  const auto a = readSide(before, options.kernel, options.measure);
  if (!a)
    return failure(a.error());
  const auto b = readSide(after, options.kernel, options.measure);
  if (!b)
    return failure(b.error());
  if (Status status = checkComparable(*a, before.front(), *b, after.front()); !status)
    return failure(status.error());
  const auto isShared = [&](const SideKernel &kernel) {
    return std::ranges::any_of(b->kernels, [&](const SideKernel &other) { return other.plain == kernel.plain; });
  };
  const auto countsAccesses = [](const Trace &trace) { return !trace.sites().empty(); };
  if (a->kernels.empty() && b->kernels.empty() && std::ranges::all_of(before, countsAccesses) && std::ranges::all_of(after, countsAccesses))
    return Diff{.table = {.name = "diff", .columns = columns()}}; // nothing was timed; accesses are compared elsewhere
  if (std::ranges::none_of(a->kernels, isShared))
    return failure({.message = options.kernel.empty() ? fmt::format("it has no kernel in common with {}", before.front().name())
                                                      : fmt::format("no kernel that matches '{}' is in both", options.kernel),
                    .found = namesOf(*b),
                    .expected = namesOf(*a),
                    .remedy = "compare traces of one program, before and after a change",
                    .file = after.front().name()});
  auto diff = DiffBuilder(*a, *b, options, termsOf(after.front())).build();
  if (diff)
    noteBuilds(diff->table.notes, before, after);
  for (const std::span<const Trace> side : {before, after})
    if (Status status = diff ? noteSamples(diff->table.notes, side) : Status(); !status)
      return failure(status.error());
  return diff;
}

} // namespace kperf::decoder
