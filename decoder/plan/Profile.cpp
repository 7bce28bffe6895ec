// Reads traces into profiles: totals by path, summed by region.
#include "decoder/plan/Profile.h"
#include "decoder/plan/Plan.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/totals/ProbeShare.h"
#include "decoder/trace/CompiledFunction.h"
#include "decoder/trace/Records.h"
#include "decoder/trace/SameBuild.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {
namespace {

/// Whether kperf-cc can sum up its entries: `--aggregate` is for what lies in the kernel's own body.
bool canBeSummed(const Region &region, const ProfiledKernel &kernel) {
  using enum format::RegionKind;
  const bool isBlock = region.kind == Scope || region.kind == Pragma || region.kind == Automatic || region.kind == Range;
  return isBlock && region.file == kernel.file && !kernel.function.empty() && CompiledFunction(region.function).name == kernel.function;
}

class KernelReader {
public:
  KernelReader(const RegionSet &regions, const KernelTotals &totals, const LaunchLedger::Group &launches, const ProbeCost &cost,
               const Trace &trace)
      : regions(regions), totals(totals), launches(launches), cost(cost), isHost(trace.header().target == format::Target::Host),
        isVirtual(hostClock(trace) == "virtual clock") {}

  ProfiledKernel read() {
    const Region *own = totals.region < regions.size() ? &regions[totals.region] : nullptr;
    kernel.name = totals.name;
    if (own) {
      kernel.function = CompiledFunction(own->function.empty() ? own->name : own->function).name;
      kernel.file = own->file;
    }
    kernel.launches = launches.launches;
    kernel.warps = totals.warps;
    const std::uint64_t threads = std::uint64_t{launches.block[0]} * launches.block[1] * launches.block[2];
    const std::uint64_t warpsOfBlock = std::max<std::uint64_t>((threads + regions.lanes() - 1) / regions.lanes(), 1);
    kernel.blocks = static_cast<double>(launches.warpsLaunched) / static_cast<double>(warpsOfBlock);
    kernel.blocksOfLaunch = std::uint64_t{launches.grid[0]} * launches.grid[1] * launches.grid[2];
    kernel.cycles = static_cast<double>(totals.cycles);
    kernel.unattributed = static_cast<double>(totals.unattributed);
    kernel.samplingInterval = totals.sampling.interval;
    kernel.nextShare = totals.sampling.probedWarps.shareNext();
    kernel.run.probedShare = probedShare(totals, launches);
    if (launches.warpsLaunched > launches.estimatedWarps)
      kernel.run.launchesOfRecorded =
          static_cast<double>(launches.warpsLaunched) / static_cast<double>(launches.warpsLaunched - launches.estimatedWarps);
    kernel.run.hasEntryProbes = !isHost && totals.foreignWarps == 0;
    kernel.run.durationNs = launches.durationNs;
    kernel.recordsNeeded = totals.recordsNeeded();
    if (const RecordCounts &records = totals.records; records.dropped > 0 && records.produced > records.dropped)
      kernel.keptShare = static_cast<double>(records.produced - records.dropped) / static_cast<double>(records.produced);
    const std::uint64_t known = totals.cycles - std::min(totals.cycles, totals.notRecorded);
    timeScale = kernel.keptShare < 1 && known > 0 ? kernel.cycles / static_cast<double>(known) : 1;
    kernel.unattributed *= timeScale;
    kernel.isCostKnown = cost.isKnown;
    const int part = cost.around[0] > 0 ? 0 : 1;
    kernel.cyclesOfRecord = cost.around[part];
    kernel.cyclesOfMark = cost.around[part] - cost.inside[part];
    const auto byTime = [&](std::uint32_t a, std::uint32_t b) { return inclusiveOf(a) > inclusiveOf(b); };
    for (const std::uint32_t node : totals.paths.inOrder(byTime))
      if (node < totals.rows.size())
        add(node);
    return std::move(kernel);
  }

private:
  std::uint64_t inclusiveOf(std::uint32_t node) const { return node < totals.rows.size() ? totals.rows[node].inclusive : 0; }

  ProfiledRow &rowOf(std::uint32_t region, unsigned depth) {
    const auto known = std::ranges::find(kernel.rows, region, &ProfiledRow::region);
    if (known != kernel.rows.end()) {
      known->depth = std::min(known->depth, depth);
      return *known;
    }
    ProfiledRow &row = kernel.rows.emplace_back();
    row.region = region;
    row.depth = depth;
    row.isSummable = canBeSummed(regions[region], kernel);
    return row;
  }

  void add(std::uint32_t node) {
    const std::uint32_t region = totals.paths[node].region & ~KernelTotals::kOverlap;
    const RowTotals &from = totals.rows[node];
    if (region >= regions.size() || from.count == 0)
      return;
    ProfiledRow &row = rowOf(region, totals.paths[node].depth - 1);
    const double visits = static_cast<double>(from.count) / kernel.keptShare;
    row.visits += static_cast<std::uint64_t>(std::llround(visits));
    row.self += timeScale * static_cast<double>(from.exclusive);
    row.total = std::min(kernel.cycles, row.total + timeScale * static_cast<double>(from.inclusive));
    row.lengths.add(from.durations);
    const bool isMark = isInstant(regions[region].kind);
    const bool isSummed = from.durations.unknownCount() > 0 || (from.untimed() > 0 && !isMark);
    row.isSummed |= isSummed;
    double record = visits * (isMark ? kernel.cyclesOfMark : kernel.cyclesOfRecord);
    const bool isMeasured = from.nested.own + from.nested.shared > 0;
    const bool isPair = regions[region].kind == format::RegionKind::Range && !isSummed && !isMeasured && from.hasUnknownProbes;
    if (isMeasured)
      record = from.nested.times(cost.around) / kernel.keptShare;
    else if (isPair && !isVirtual) // whose virtual clock takes as much for them as for a region's one record
      record *= kRangeOfRecord;
    row.isPair |= isPair;
    row.isSummable = isSummed || (row.isSummable && (!isPair || isHost));
    const double before = row.recordCost * row.nextShare;
    row.recordCost += record;
    if (row.recordCost > 0)
      row.nextShare = (before + record * from.probed.shareNext()) / row.recordCost;
    row.sumOfRecord = isVirtual ? kVirtualSumOfRecord : kSumOfRecord;
    row.costInTimes += (isSummed ? row.sumOfRecord : 1) * record;
    // Without a sample of blocks it is known how many entries had probes, and the rows' estimate is a whole number.
    const double shareNow = totals.sampling.interval > 1 ? from.probed.shareNow() : from.probed.now / static_cast<double>(from.count);
    row.costNow += (isSummed ? row.sumOfRecord : 1) * record * shareNow;
  }

  const RegionSet &regions;
  const KernelTotals &totals;
  const LaunchLedger::Group &launches;
  const ProbeCost &cost;
  const bool isHost, isVirtual;
  ProfiledKernel kernel;
  double timeScale = 1; ///< what times have to be multiplied by, where records were dropped
};

} // namespace

double ProfiledKernel::netCycles() const {
  double cost = 0;
  for (const ProfiledRow &row : rows)
    cost += row.costInTimes;
  return std::max({cycles - cost, cycles / 10, 1.0});
}

Expected<Profile> readProfile(std::span<const Trace> traces, const std::string &kernel) {
  Profile profile{.target = traces.front().header().target,
                  .hostClock = std::string(hostClock(traces.front())),
                  .regions = std::make_shared<RegionSet>(),
                  .kernels = {},
                  .names = {}};
  for (const Trace &trace : traces)
    profile.names.push_back(trace.name());
  TotalsSink totals(*profile.regions, kernel, /*byPath=*/true);
  LaunchWeights weights;
  if (Status status = decodeTotals(traces, *profile.regions, totals, &weights); !status)
    return failure(status.error());
  const auto times = LaunchTimes::read({traces});
  if (!times)
    return failure(times.error());
  profile.areLaunchesChosen = areLaunchesSampled(totals.kernels());
  for (std::uint32_t i = 0; i < totals.kernels().size(); ++i) {
    const KernelTotals &each = totals.kernels()[i];
    const ProbeCost cost = totals.devices()[each.device].probes.cost();
    profile.kernels.push_back(KernelReader(*profile.regions, each, totals.launches().group(i), cost, traces.front()).read());
    profile.kernels.back().measured = times->of(each.name);
    profile.kernels.back().nsPerCycle = totals.rateOf(i, profile.target).nsPerCycle;
  }
  if (profile.kernels.empty())
    return failure({.message = "the trace has no warp, so it says nothing of what regions cost",
                    .expected = "a trace of a program that ran its kernels with probes",
                    .file = traces.front().name()});
  std::ranges::stable_sort(profile.kernels, std::greater<>(), &ProfiledKernel::cycles);
  return profile;
}

} // namespace kperf::decoder
