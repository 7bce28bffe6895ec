// Reads what traces say into facts: totals, one pass over blocks, launches and waits, and the counters of memory accesses.
#include "decoder/explain/Arithmetic.h"
#include "decoder/explain/Facts.h"
#include "decoder/explain/SiteFacts.h"
#include "decoder/memory/UncountedKernels.h"
#include "decoder/span/KernelName.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/sync/SyncBlocks.h"
#include "decoder/totals/KernelNeeds.h"
#include "decoder/totals/LaunchTimes.h"
#include "decoder/totals/ProbeShare.h"
#include "decoder/totals/SummaryTotals.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/LossNotes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

/// Blocks, launches and waits of the kernels that the totals have.
class FactsSink final : public WarpSink {
public:
  FactsSink(const RegionSet &regions, const TotalsSink &totals, SyncTotals &sync, std::span<const PlacedInstructions> placed)
      : balance(regions), feeders(regions, placed), regions(regions), totals(totals),
        blocks(regions, [&sync](const SyncBlock &block) { sync.add(block); }) {}

  Status beginTrace(const Trace &next) {
    trace = &next;
    known.clear();
    if (Status status = weights.read(next); !status)
      return status;
    return timeline.begin(next);
  }
  void endTrace() {
    ledger.finish();
    blocks.finish();
    balance.finish();
    timeline.finish();
  }
  void warp(const WarpSpans &warp) override;

  BlockBalance balance;
  LaunchTimeline timeline;
  TensorFeeders feeders;
  LaunchWeights weights;
  /// All launches, those for which recorded ones stand, too, by the kernel's index in the totals; behind them all of the others.
  LaunchLedger ledger;

private:
  static constexpr std::size_t kMaxKnown = 4096;
  std::optional<std::uint32_t> kernelOf(const WarpSpans &warp);

  const RegionSet &regions;
  const TotalsSink &totals;
  SyncBlocks blocks;
  const Trace *trace = nullptr;
  std::map<KernelKey, std::optional<std::uint32_t>> known; ///< of the trace
};

std::optional<std::uint32_t> FactsSink::kernelOf(const WarpSpans &warp) {
  if (known.size() > kMaxKnown)
    known.clear();
  const auto [entry, isNew] = known.try_emplace({warp.device, warp.header.kernel, warp.header.nameAddress});
  if (!isNew)
    return entry->second;
  const std::string name = kernelNameOf(*trace, regions, warp.header).name;
  const auto found = std::ranges::find_if(totals.kernels(), [&](const KernelTotals &kernel) {
    return kernel.name == name && totals.devices()[kernel.device].ordinal == warp.device;
  });
  if (found != totals.kernels().end())
    entry->second = static_cast<std::uint32_t>(found - totals.kernels().begin());
  return entry->second;
}

void FactsSink::warp(const WarpSpans &warp) {
  const std::optional<std::uint32_t> kernel = kernelOf(warp);
  const format::WarpHeader &header = warp.header;
  if (!kernel && isCalibration(header))
    return;
  const auto others = static_cast<std::uint32_t>(totals.kernels().size());
  const LaunchWeight *const launch = weights.of(warp.device, header.gridId);
  ledger.add(trace->deviceIndex(warp.device), kernel.value_or(others), header, warp.isFinished, launch ? launch->launches : 1);
  if (!kernel) {
    timeline.add(warp.device, LaunchTimeline::kOther, header);
    return;
  }
  const format::DeviceRecord *row = trace->device(warp.device);
  const std::uint64_t lanes = std::max(row ? row->warpLanes : 32, 1u);
  const std::uint64_t threads = std::uint64_t{header.blockX} * header.blockY * header.blockZ;
  const std::uint64_t expected = (threads + lanes - 1) / lanes;
  timeline.add(warp.device, *kernel, header);
  balance.add(warp.device, *kernel, expected, warp);
  feeders.add(*kernel, totals.kernels()[*kernel].name, warp);
  if (blocks.areNeeded())
    blocks.add(trace->deviceIndex(warp.device), *kernel, expected, warp);
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// What entries of twice the median or more took beyond it, in cycles.
double beyondMedian(const Quantiles &lengths) {
  const auto median = static_cast<double>(lengths.at(0.5));
  double sum = 0;
  lengths.forValues([&](std::uint64_t value, std::uint64_t count) {
    if (static_cast<double>(value) >= 2 * median)
      sum += (static_cast<double>(value) - median) * static_cast<double>(count);
  });
  return sum;
}

RegionFacts regionFacts(const RowTotals &row, std::uint32_t index, const RegionSet &regions, const KernelTotals &kernel,
                        const ProbeCost &cost, const BlockBalance::Kernel &balance) {
  const Region &region = regions[index];
  const auto life = static_cast<double>(kernel.cycles);
  RegionFacts out{.region = index, .name = region.name, .place = region.location(), .kind = region.kind};
  out.count = row.count;
  out.share = percent(static_cast<double>(row.exclusive), life);
  if (cost.isKnown && !row.hasUnknownProbes)
    out.probeShare = percent(row.nested.times(cost.inside) + std::max(0.0, cost.beside(row.children)), life);
  if (row.durations.count() > 0 && row.durations.areKnown() && row.untimed() == 0) {
    out.p50 = static_cast<double>(row.durations.at(0.5));
    out.p99 = static_cast<double>(row.durations.at(0.99));
    out.beyondMedian = std::min(out.share, percent(beyondMedian(row.durations), life));
  }
  out.mean = row.durations.mean();
  if (const auto found = balance.rows.find(index); found != balance.rows.end() && found->second.cycles > 0)
    out.lanes = found->second.laneCycles / found->second.cycles;
  return out;
}

void addRegions(KernelFacts &out, const KernelTotals &kernel, const RegionSet &regions, const ProbeCost &cost) {
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node) {
    const std::uint32_t index = kernel.paths[node].region & ~KernelTotals::kOverlap;
    if (index < regions.size() && !isInstant(regions[index].kind) && kernel.rows[node].count > 0)
      out.regions.push_back(regionFacts(kernel.rows[node], index, regions, kernel, cost, out.balance));
  }
  std::ranges::stable_sort(out.regions, std::greater<>(), &RegionFacts::share);
}

/// `seen`: in traces that are not reduced.
std::uint64_t recordedWarps(const KernelTotals &kernel, const LaunchLedger::Group &launches, std::uint64_t seen, bool isReduced) {
  if (!isReduced)
    return seen;
  const double notChosen =
      static_cast<double>(launches.estimatedWarps) / static_cast<double>(std::max<std::uint64_t>(launches.warpsLaunched, 1));
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(kernel.warps) * (1 - notChosen)));
}

KernelFacts kernelFacts(std::uint32_t index, const TotalsSink &totals, const FactsSink &sink, const ProgramFacts &program,
                        format::Target target) {
  const KernelTotals &kernel = totals.kernels()[index];
  const LaunchLedger::Group &launches = totals.launches().group(index);
  const TracedDevice &device = totals.devices()[kernel.device];
  KernelFacts out{.name = kernel.name};
  out.device.name = device.name;
  out.launches.count = launches.launches;
  out.launches.warpsNotChosen = launches.estimatedWarps;
  out.launches.warps = recordedWarps(kernel, launches, sink.ledger.group(index).warpsRecorded, program.isReduced);
  out.launches.warpsLaunched = launches.warpsLaunched;
  std::ranges::copy(launches.grid, out.launches.grid);
  std::ranges::copy(launches.block, out.launches.block);
  out.launches.gridVaries = launches.gridVaries;
  out.launches.durationNs = launches.durationNs;
  out.launches.recorded = launches.launches - launches.estimatedLaunches;
  if (launches.durationNs > launches.estimatedNs)
    out.launches.timesAsRecorded = launches.durationNs / (launches.durationNs - launches.estimatedNs);
  if (launches.timedLaunches > 0)
    out.launches.timedShare = static_cast<double>(launches.timedLaunches) / static_cast<double>(launches.launches);
  out.launches.nsPerCycle = totals.rateOf(index, target).nsPerCycle;
  const ProbeCost cost = device.probes.cost();
  const auto life = static_cast<double>(kernel.cycles);
  out.recording.hasCostlyAtomics = hasCostlyAtomics(kernel);
  out.recording.probeCost = probePercent(kernel, cost);
  out.recording.probedShare = probedShare(kernel, launches);
  out.recording.recordsNeeded = kernel.recordsNeeded();
  out.recording.unfinished = kernel.unfinishedWarps;
  out.recording.stuck = kernel.stuck;
  if (kernel.records.produced > 0)
    out.recording.recordsKept =
        percent(static_cast<double>(kernel.records.produced - kernel.records.dropped), static_cast<double>(kernel.records.produced));
  if (kernel.sampling.isCut)
    out.recording.roomFound = percent(static_cast<double>(launches.warpsRecorded), launches.warpsChosen);
  const double around = cost.isKnown ? std::max(0.0, cost.beside(kernel.probes.topLevel)) : 0;
  out.outside = percent(static_cast<double>(kernel.unattributed), life);
  out.unattributed = percent(std::max(0.0, static_cast<double>(kernel.unattributed) - around), life);
  out.recording.isSummed = kernel.records.sums > 0;
  out.recording.samplingInterval = kernel.sampling.interval;
  out.sync = program.sync->kernel(index);
  out.balance = sink.balance.kernel(index);
  out.timeline = sink.timeline.kernel(index);
  addRegions(out, kernel, *program.regions, cost);
  if (!out.recording.probeCost)
    for (RegionFacts &region : out.regions)
      region.probeShare.reset();
  return out;
}

void addDevices(KernelFacts &kernel, std::uint32_t ordinal, std::span<const Trace> traces) {
  for (const Trace &trace : traces) {
    if (const format::DeviceRecord *device = trace.device(ordinal)) {
      kernel.device.sms = device->multiprocessors;
      kernel.device.architecture = trace.string(device->architecture);
      kernel.device.warpLanes = std::max(device->warpLanes, 1u);
    }
    const auto limits = std::ranges::find(trace.deviceLimits(), ordinal, &format::DeviceLimitsRecord::device);
    if (limits == trace.deviceLimits().end())
      continue;
    kernel.device.limits = *limits;
    kernel.device.memoryBytesPerNs = static_cast<double>(limits->memoryBytesPerSecond) / 1e9;
  }
}

/// Sets a member of each kernel to what the traces say that it needs.
Status addNeeds(ProgramFacts &out, std::span<const Trace> traces, std::optional<format::KernelRecord> KernelFacts::*member) {
  KernelNeedsTable table;
  for (const Trace &trace : traces)
    if (Status status = table.add(trace); !status)
      return status;
  for (const KernelNeeds &needs : table.all())
    for (KernelFacts &kernel : out.kernels) {
      const std::uint64_t threads = std::uint64_t{kernel.launches.block[0]} * kernel.launches.block[1] * kernel.launches.block[2];
      if ((kernel.name == needs.name || qualifiedNameOf(kernel.name) == qualifiedNameOf(needs.name)) &&
          threads == needs.record.blockThreads)
        kernel.*member = needs.record;
    }
  return {};
}

/// Adds what kernels need and take with their probes, and without.
Status addWithoutProbes(ProgramFacts &out, std::span<const Trace> timed, std::span<const Trace> plain) {
  const auto times = LaunchTimes::read({timed, plain});
  if (!times)
    return failure(times.error());
  std::vector<std::pair<std::string, double>> durations;
  for (const KernelFacts &each : out.kernels)
    durations.emplace_back(each.name, each.launches.durationNs);
  out.measuredPercent = times->together(durations);
  out.isMeasuredByLaunches = out.measuredPercent.has_value();
  Status status = addNeeds(out, timed, &KernelFacts::needs);
  return status ? addNeeds(out, plain, &KernelFacts::plainNeeds) : status;
}

bool hasSites(const Trace &trace) { return !trace.sites().empty(); }

/// What is said of the program as a whole.
Status addProgram(ProgramFacts &out, std::span<const Trace> traces) {
  const Trace &first = traces.front();
  out.isHost = first.header().target == format::Target::Host;
  const std::string_view clock = hostClock(first);
  out.isVirtual = clock == "virtual clock";
  out.clock = clock.empty() ? "GPU clock" : std::string(clock);
  out.buildId = first.header().buildId;
  if (const auto &program = first.program())
    out.program = std::string(first.string(program->commandLine));
  if (!first.devices().empty())
    out.device = std::string(first.string(first.devices().front().name));
  out.areSmsInvented = out.isHost && !out.device.ends_with(format::kChosenMultiprocessors);
  for (const Trace &trace : traces) {
    out.traces.push_back(trace.name());
    out.isReduced |= trace.isReduced();
    out.hasSites |= hasSites(trace);
    if (!trace.incomplete().empty())
      out.losses.push_back(fmt::format("{} is incomplete: {}", trace.name(), trace.incomplete()));
    const auto losses = traceLosses(trace);
    if (!losses)
      return failure(losses.error());
    out.losses.insert(out.losses.end(), losses->begin(), losses->end());
  }
  return {};
}

/// Whether the trace is of the program without probes (--probes=launches): it may say what kernels need, and nothing else of them.
bool isPlain(const Trace &trace) {
  const auto isOwn = [](const format::RegionRecord &region) { return region.id >= format::kFirstFreeId; };
  return !hasSites(trace) && std::ranges::none_of(trace.regions(), isOwn);
}

bool recordsWaits(const Trace &trace) {
  return std::ranges::any_of(trace.regions(), [](const format::RegionRecord &region) { return region.kind == format::RegionKind::Wait; });
}

struct TraceGroups {
  std::span<const Trace> timed, probed, plain; ///< probed: those that are not plain; timed: those of them whose times count
  std::size_t unusedTimes = 0;                 ///< traces whose times would count if there were none with waits
};

/// Brings them into the order of timed ones, others with probes, plain ones. Runs of two builds are not added up: of builds with waits and
/// without those with waits say more.
TraceGroups grouped(std::span<Trace> traces) {
  const auto plain = std::ranges::stable_partition(traces, [](const Trace &trace) { return !isPlain(trace); });
  const std::span<Trace> probed = plain.size() == traces.size() ? traces : std::span<Trace>(traces.begin(), plain.begin());
  const auto others = std::ranges::stable_partition(probed, [](const Trace &trace) { return !hasSites(trace); });
  const std::size_t withoutSites = probed.size() - others.size();
  const std::span<Trace> timed = probed.first(withoutSites > 0 ? withoutSites : probed.size());
  const std::span<Trace> withoutWaits = std::ranges::stable_partition(timed, recordsWaits);
  const std::size_t unused = withoutWaits.size() < timed.size() ? withoutWaits.size() : 0;
  return {.timed = timed.first(timed.size() - unused), .probed = probed, .plain = traces.subspan(probed.size()), .unusedTimes = unused};
}

/// Shares are of the time of all kernels, whichever are asked for.
Status addLeftOut(ProgramFacts &out, std::span<const Trace> traces, const LaunchLedger &ledger) {
  double all = 0;
  for (std::uint32_t i = 0; i <= out.kernels.size(); ++i)
    all += ledger.group(i).durationNs;
  RegionSet regions;
  TotalsSink summed(regions, "", false);
  for (const Trace &trace : traces)
    if (trace.isReduced()) {
      regions.add(trace);
      summed.beginTrace(trace);
      if (Status status = addSummaries(trace, regions, summed); !status)
        return status;
      summed.endTrace();
    }
  for (std::uint32_t i = 0; i < summed.kernels().size(); ++i)
    all += summed.launches().group(i).durationNs;
  for (const KernelFacts &each : out.kernels)
    all -= each.launches.durationNs;
  out.builds.leftOutNs = std::max(0.0, all);
  return {};
}

} // namespace

Expected<ProgramFacts> readFacts(std::span<Trace> all, const std::string &kernel, std::span<const PlacedInstructions> placed) {
  ProgramFacts out;
  const auto [timed, traces, plain, unusedTimes] = grouped(all);
  out.builds.unusedTimes = unusedTimes;
  if (Status status = checkSameBuild(traces); !status) // accesses of another source are none of these kernels'
    return failure(status.error());
  if (Status status = addProgram(out, traces); !status)
    return failure(status.error());
  out.hasSitesInTimes = hasSites(timed.front());
  out.builds.hasPlacement = !placed.empty();
  out.regions = std::make_shared<RegionSet>();
  TotalsSink totals(*out.regions, kernel, false);
  LaunchWeights weights;
  if (Status status = decodeTotals(timed, *out.regions, totals, &weights); !status)
    return failure(status.error());
  out.unseen = totals.unseen();
  out.builds.mixed = mixedBuilds(timed, Summands::Times);
  out.hasWaits = out.regions->hasWaits();
  out.sync = std::make_shared<SyncTotals>(*out.regions, /*wantsDepths=*/true);
  FactsSink sink(*out.regions, totals, *out.sync, placed);
  SpanDecoder decoder(*out.regions, sink);
  for (const Trace &trace : timed) {
    if (Status status = sink.beginTrace(trace); !status)
      return failure(status.error());
    if (Status status = decoder.run(trace); !status)
      return failure(status.error());
    sink.endTrace();
  }
  for (std::uint32_t i = 0; i < totals.kernels().size(); ++i) {
    out.kernels.push_back(kernelFacts(i, totals, sink, out, traces.front().header().target));
    addDevices(out.kernels.back(), totals.devices()[totals.kernels()[i].device].ordinal, timed);
    if (const TensorFeeders::Kernel *const feeders = sink.feeders.kernel(i))
      addTensorFacts(out.kernels.back(), *feeders, totals.kernels()[i], totals.launches().group(i));
    addFloatFacts(out.kernels.back(), placed, *out.regions, totals.kernels()[i], totals.launches().group(i));
  }
  if (Status status = kernel.empty() ? Status() : addLeftOut(out, timed, sink.ledger); !status)
    return failure(status.error());
  if (Status status = addWithoutProbes(out, timed, plain); !status)
    return failure(status.error());
  out.builds.uncounted = uncountedNote(traces, kernel);
  if (Status status = addSites(out, traces); !status)
    return failure(status.error());
  std::ranges::stable_sort(out.kernels, std::greater<>(), [](const KernelFacts &each) { return each.launches.durationNs; });
  return out;
}

} // namespace kperf::decoder
