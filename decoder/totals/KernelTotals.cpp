// Sums over the warps of each kernel, by region or by call path.
#include "decoder/totals/KernelTotals.h"
#include "decoder/span/KernelName.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/totals/SummaryTotals.h"
#include "decoder/trace/SameBuild.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace kperf::decoder {

void TotalsSink::beginTrace(const Trace &next) {
  trace = &next;
  deviceOfOrdinal.clear();
  kernelOfKey.clear();
  lastKey.reset();
  countsProbes |= regions.find(format::kCalibrationOwnEmpty) != RegionSet::kNone; // else nobody measured what they cost
  for (const format::DeviceRecord &device : next.devices())
    ledger.setDevice(deviceOf(device.device), {device.timerTickNs, device.warpLanes});
}

/// Devices of several traces are the same when ordinal and name are.
std::uint32_t TotalsSink::deviceOf(std::uint32_t ordinal) {
  for (const auto &[known, index] : deviceOfOrdinal)
    if (known == ordinal)
      return index;
  const format::DeviceRecord *record = trace->device(ordinal);
  const std::string name(record ? trace->string(record->name) : "");
  const auto known =
      std::ranges::find_if(deviceList, [&](const TracedDevice &device) { return device.ordinal == ordinal && device.name == name; });
  const auto index = static_cast<std::uint32_t>(known - deviceList.begin());
  if (known == deviceList.end())
    deviceList.push_back({ordinal, name, record ? record->timerTickNs : 0, record ? record->clockKhz : 0, record != nullptr, {}});
  deviceOfOrdinal.emplace_back(ordinal, index);
  return index;
}

std::uint32_t TotalsSink::kernelOf(std::uint32_t device, const format::WarpHeader &header) {
  const KernelKey key{device, header.kernel, header.nameAddress};
  if (lastKey == key)
    return lastKernel;
  const auto found = kernelOfKey.find(key);
  std::uint32_t kernel = found != kernelOfKey.end() ? found->second : newKernel(device, header);
  if (found == kernelOfKey.end() && kernelOfKey.size() < 16 * kMaxKernels)
    kernelOfKey.emplace(key, kernel);
  lastKey = key;
  return lastKernel = kernel;
}

std::uint32_t TotalsSink::newKernel(std::uint32_t device, const format::WarpHeader &header) {
  auto [name, plain, region] = kernelNameOf(*trace, regions, header);
  if (!isMeant(kernelPattern, name, plain)) {
    const HostLaunches::Shape shape = {header.gridX, header.gridY, header.gridZ, header.blockX, header.blockY, header.blockZ};
    leftOut.try_emplace({device, name}, SeenKernel{device, deviceList[device].ordinal, qualifiedName(region), shape});
    if (otherNames.size() < 8 && std::ranges::find(otherNames, name) == otherNames.end())
      otherNames.push_back(name);
    return kUnselected;
  }
  if (kernelList.size() >= kMaxKernels)
    name = "(other kernels)";
  const auto [entry, isNew] = kernelOfName.try_emplace({device, name}, static_cast<std::uint32_t>(kernelList.size()));
  if (isNew) {
    KernelTotals &kernel = kernelList.emplace_back();
    kernel.device = device;
    kernel.name = name;
    kernel.region = region;
    kernel.paths = PathTree(kMaxRows);
  }
  return entry->second;
}

/// Makes room for the nodes that the kernel has by now.
void TotalsSink::addRows(KernelTotals &kernel) {
  rowCount += kernel.paths.size() - static_cast<std::uint32_t>(kernel.rows.size());
  kernel.rows.resize(kernel.paths.size());
  if (rowCount > kMaxRows)
    for (KernelTotals &any : kernelList)
      any.paths.freeze();
}

RowTotals &TotalsSink::summedRow(KernelTotals &kernel, std::uint32_t node) {
  if (node >= kernel.rows.size())
    addRows(kernel);
  return kernel.rows[node];
}

KernelTotals *TotalsSink::summed(std::uint32_t ordinal, std::uint32_t kernel, std::uint64_t name, const LaunchLedger::Group &launches) {
  format::WarpHeader header{};
  header.kernel = kernel;
  header.nameAddress = name;
  const std::uint32_t device = deviceOf(ordinal), index = kernelOf(device, header);
  if (index == kUnselected)
    return nullptr;
  ledger.add(device, index, launches);
  return &kernelList[index];
}

/// The sums of one row over the warp being added.
WarpSums &TotalsSink::inWarp(KernelTotals &kernel, std::uint32_t node) {
  if (node >= kernel.rows.size())
    addRows(kernel);
  if (node >= warpSums.size())
    warpSums.resize(kernel.rows.size());
  WarpSums &sums = warpSums.data()[node];
  if (!sums.isTouched) {
    sums.isTouched = true;
    touched.push_back(node);
  }
  return sums;
}

void TotalsSink::warp(const WarpSpans &warp) {
  const std::uint32_t device = deviceOf(warp.device);
  const std::uint32_t index = kernelOf(device, warp.header);
  if (index == kUnselected)
    return;
  const LaunchWeight *launch = weights ? weights->of(warp.device, warp.header.gridId) : nullptr;
  ledger.add(device, index, warp.header, warp.isFinished, launch ? launch->launches : 1);
  nesting.build(warp, regions);
  KernelTotals &kernel = kernelList[index];
  ++kernel.warps;
  kernel.foreignWarps += isForeign(warp.header);
  kernel.unfinishedWarps += !warp.isFinished && !isForeign(warp.header);
  kernel.cycles += warp.cycles();
  kernel.unattributed += nesting.unattributed();
  kernel.notRecorded += nesting.notRecorded();
  kernel.maxCapacity = std::max(kernel.maxCapacity, warp.header.capacity);
  kernel.maxProduced = std::max(kernel.maxProduced, warp.counts.produced);
  kernel.keepsLast |= warp.policy == format::KeepPolicy::Last;
  kernel.records += warp.counts;
  const auto isWait = [&](const Span &span) { return regions.kinds()[span.region] == format::RegionKind::Wait; };
  if (const auto wait = std::ranges::find_if(warp.open.rbegin(), warp.open.rend(), isWait); wait != warp.open.rend())
    ++kernel.stuck[wait->region];
  touched.clear();
  addSpans(kernel, warp);
  if (countsProbes)
    addMarkProbes(kernel);
  addMarks(kernel, warp);
  addSums(kernel, warp);
  kernel.sampling.launchIntervals.add(launch ? launch->oneIn : 0);
  const std::uint64_t warpsOfBlock = ledger.warpsOfBlock(device, warp.header);
  if (warp.header.sampled > 1 || (launch && launch->oneIn > 1))
    addSampled(kernel, warp, launch, warpsOfBlock, nesting.notRecorded(), touched, warpSums);
  const bool isHost = trace->header().target == format::Target::Host;
  addProbed(kernel, warp, warpsOfBlock, launch ? launch->launches : 1, isHost, touched, warpSums);
  const std::size_t sm = std::min<std::size_t>(warp.header.sm, kMaxSms - 1);
  for (const std::uint32_t node : touched) {
    RowTotals &totals = kernel.rows[node];
    WarpSums &sums = warpSums[node];
    sums.addTo(totals);
    if (sm >= totals.bySm.size())
      totals.bySm.resize(sm + 1);
    totals.bySm[sm] += sums.inclusive;
    sums = {};
  }
}

void TotalsSink::estimateAllBlocks() {
  for (std::uint32_t i = 0; i < kernelList.size(); ++i) {
    for (RowTotals &row : kernelList[i].rows)
      row.finish();
    estimateKernel(kernelList[i], ledger.group(i));
    ledger.countAllLaunches(i);
  }
}

std::uint32_t TotalsSink::nodeOf(KernelTotals &kernel, std::uint32_t region, std::int32_t parent) {
  if (byPath && parent >= 0)
    return kernel.paths.child(nodes.data()[parent], region);
  if (byPath)
    return kernel.paths.child(PathTree::kRoot, parent == Nesting::kOverlapping ? region | KernelTotals::kOverlap : region);
  if (region >= kernel.nodeOfRegion.size())
    kernel.nodeOfRegion.resize(regions.size());
  std::uint32_t &node = kernel.nodeOfRegion.data()[region];
  if (node == PathTree::kRoot)
    node = kernel.paths.child(PathTree::kRoot, region);
  return node;
}

/// Whether entries of the region share a record with those of another, and come second; never in a reserved part.
static bool isSecondOfTwo(const WarpSpans &warp, std::uint32_t region) {
  return !warp.isShared.data()[region] && warp.isSecond.data()[region];
}

/// How many probes of the tree stand before each span, and before the end: those that add to what is around them more
/// than to their own region, and apart from them the second ones of two that share a record, which do not.
void TotalsSink::countProbes(const WarpSpans &warp) {
  const std::int32_t *const parents = nesting.parents().data();
  probesBefore.resize(warp.spans.size() + 1);
  secondsBefore.resize(warp.spans.size() + 1);
  PackedProbes before = 0;
  std::uint32_t seconds = 0;
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    const std::uint32_t region = warp.spans.data()[i].region;
    probesBefore.data()[i] = before;
    secondsBefore.data()[i] = seconds;
    const bool isMeasured = !warp.isPaired.data()[region] && parents[i] != Nesting::kOverlapping;
    const bool isSecond = isSecondOfTwo(warp, region);
    before += packedProbe(isMeasured && !isSecond, warp.isShared.data()[region] != 0);
    seconds += isMeasured && isSecond;
  }
  probesBefore.back() = before;
  secondsBefore.back() = seconds;
  markProbes.count(warp, nesting);
}

/// How much of the span lies between the two.
static std::uint64_t overlapOf(const Span &span, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t begin = std::max(span.begin, from), end = std::min(span.end, to);
  return end - std::min(begin, end);
}

void TotalsSink::countUncalibrated(KernelTotals &kernel, const WarpSpans &warp, const Span &span) const {
  kernel.probes.pairs += warp.isPaired.data()[span.region] != 0;
  const bool isWait = regions[span.region].kind == format::RegionKind::Wait; // whose lanes are an object
  kernel.probes.withoutFirstLane += trace->header().target != format::Target::Host && (span.lanes & 1) == 0 && !isWait &&
                                    !warp.isShared.data()[span.region] && !warp.isPaired.data()[span.region];
}

void TotalsSink::addSpans(KernelTotals &kernel, const WarpSpans &warp) {
  const std::int32_t *const parents = nesting.parents().data();
  const std::uint64_t *const exclusive = nesting.exclusive().data();
  const auto count = static_cast<std::uint32_t>(warp.spans.size());
  nodes.resize(count);
  if (countsProbes)
    countProbes(warp);
  PackedProbes all = 0, onTop = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Span &span = warp.spans.data()[i];
    const std::int32_t parent = parents[i];
    const std::uint64_t cycles = span.cycles();
    const std::uint32_t node = nodes.data()[i] = nodeOf(kernel, span.region, parent);
    WarpSums &sums = inWarp(kernel, node);
    ++sums.count;
    sums.overlapping += parent == Nesting::kOverlapping;
    sums.exclusive += exclusive[i];
    RowTotals &row = kernel.rows.data()[node];
    row.durations.add(cycles);
    row.hasUnknownProbes |= warp.isPaired.data()[span.region] != 0;
    const bool isOutermost = byPath || parent < 0 || !nesting.isRecursive(warp.spans, i);
    sums.inclusive += isOutermost ? cycles : 0;
    if (isOutermost && (span.begin < warp.kept.begin || span.end > warp.kept.end))
      sums.lost += cycles - overlapOf(span, warp.kept.begin, warp.kept.end);
    if (!countsProbes)
      continue;
    // What a Begin and an End cost is not measured.
    const PackedProbes probe = packedProbe(!warp.isPaired.data()[span.region], warp.isShared.data()[span.region] != 0);
    all += probe;
    countUncalibrated(kernel, warp, span);
    if (isOutermost) {
      sums.marks += unpacked(markProbes.in(span));
      const PackedProbes inside = probesBefore.data()[nesting.ends()[i]] - probesBefore.data()[i + 1];
      // What a second one adds is what it adds to itself: as if the region around were entered once more.
      sums.outermost += probe + (secondsBefore.data()[nesting.ends()[i]] - secondsBefore.data()[i + 1]);
      sums.insideOwn += unpacked(inside).own;
      sums.insideShared += unpacked(inside).shared;
    }
    if (parent == Nesting::kOverlapping)
      continue;
    sums.nested += probe;
    if (isSecondOfTwo(warp, span.region))
      continue;
    (parent == Nesting::kTop ? onTop : warpSums.data()[nodes.data()[parent]].children) += probe;
  }
  kernel.probes.all += unpacked(all);
  kernel.probes.topLevel += unpacked(onTop);
}

/// Of the marks next inside each span, whose nodes are known by now.
void TotalsSink::addMarkProbes(KernelTotals &kernel) {
  kernel.probes.marks += unpacked(markProbes.all());
  kernel.probes.topLevel += unpacked(markProbes.onTop());
  for (std::size_t i = 0; i < markProbes.next().size(); ++i)
    warpSums.data()[nodes.data()[i]].children += markProbes.next()[i];
}

std::optional<std::uint64_t> KernelTotals::recordsNeeded() const {
  constexpr std::uint64_t kMostRecords = 1u << 20; // docs/reference/environment.md
  if (maxProduced <= maxCapacity || maxProduced > kMostRecords)
    return {};
  return maxProduced;
}

double KernelTotals::probeCycles(const ProbeCost &cost) const {
  const std::uint64_t kept = records.produced - std::min(records.produced, records.dropped);
  return (probes.all.times(cost.around) + cost.beside(probes.marks)) *
         (kept > 0 ? static_cast<double>(records.produced) / static_cast<double>(kept) : 1);
}

ClockRate TotalsSink::rateOf(std::uint32_t kernel, format::Target target) const {
  const std::uint32_t index = kernelList[kernel].device;
  const TracedDevice &device = deviceList[index];
  return chooseRate(target, ledger.group(kernel).clock, ledger.deviceClock(index), device.timerTickNs, device.clockKhz);
}

void TotalsSink::calibration(const WarpSpans &warp) { deviceList[deviceOf(warp.device)].probes.add(warp, regions); }

void TotalsSink::addMarks(KernelTotals &kernel, const WarpSpans &warp) {
  for (const Mark &mark : warp.marks)
    ++inWarp(kernel, kernel.paths.child(PathTree::kRoot, mark.region)).count;
  for (const UnmatchedEvents &events : warp.unmatched) {
    const std::uint32_t node = kernel.paths.child(PathTree::kRoot, events.region);
    inWarp(kernel, node);
    RowTotals &totals = kernel.rows[node];
    totals.unmatchedBegins += events.begins;
    totals.unmatchedEnds += events.ends;
  }
}

void TotalsSink::addSums(KernelTotals &kernel, const WarpSpans &warp) {
  const std::span<const RegionSum> sums = warp.sums;
  const auto nodeOfSum = [&](auto &&self, const RegionSum &sum) -> std::uint32_t {
    return kernel.paths.child(byPath && sum.around >= 0 ? self(self, sums[static_cast<std::size_t>(sum.around)]) : PathTree::kRoot,
                              sum.region);
  };
  for (const RegionSum &sum : sums) {
    if (sum.count == 0)
      continue;
    const std::uint32_t node = nodeOfSum(nodeOfSum, sum);
    WarpSums &row = inWarp(kernel, node);
    row.count += sum.count;
    if (!sum.isTimed)
      continue;
    row.inclusive += sum.cycles;
    row.exclusive += sum.cycles;
    kernel.rows[node].durations.addSum(sum.count, sum.cycles,
                                       sum.hasExtremes ? std::optional(Quantiles::Extremes{sum.min, sum.max}) : std::nullopt);
    if (!warp.lengthsOfSums.empty())
      kernel.rows[node].durations.addPowers(
          warp.lengthsOfSums.subspan(static_cast<std::size_t>(&sum - sums.data()) * format::kLengthPowers, format::kLengthPowers));
    if (sum.around >= 0) // it was entered, for this one was
      inWarp(kernel, nodeOfSum(nodeOfSum, sums[static_cast<std::size_t>(sum.around)])).exclusive -= sum.cycles;
  }
}

void TotalsSink::damagedWarp(const format::WarpHeader &header, std::uint32_t device) {
  const std::uint32_t index = kernelOf(deviceOf(device), header);
  if (index != kUnselected)
    ++kernelList[index].damagedWarps;
}

std::optional<double> recordsKept(const KernelTotals &kernel, const LaunchLedger::Group &launches) {
  const auto produced = static_cast<double>(kernel.records.produced);
  if (produced == 0)
    return std::nullopt;
  // Warps that found no room would have had as many records as others have.
  const bool areSampled = kernel.sampling.interval > 1;
  const double chosen = areSampled ? launches.warpsChosen : static_cast<double>(launches.warpsLaunched);
  const double room = static_cast<double>(launches.warpsRecorded) / chosen;
  const bool hasMissed = kernel.foreignWarps == 0 && room < 1 && (!areSampled || kernel.sampling.isCut);
  return 100 * (hasMissed ? room : 1) * (1 - static_cast<double>(kernel.records.dropped) / produced);
}

void TotalsSink::addUnseenLaunches(const HostLaunches &launches) {
  std::vector<SeenKernel> all;
  for (std::uint32_t i = 0; i < kernelList.size(); ++i) {
    const LaunchLedger::Group &seen = ledger.group(i);
    const auto &[device, name, region] = std::tie(kernelList[i].device, kernelList[i].name, kernelList[i].region);
    all.push_back({.device = device,
                   .ordinal = deviceList[device].ordinal,
                   .name = qualifiedName(region),
                   .shape = {seen.grid[0], seen.grid[1], seen.grid[2], seen.block[0], seen.block[1], seen.block[2]},
                   .isOneShape = !seen.gridVaries && !seen.blockVaries,
                   .isForeign = kernelList[i].foreignWarps > 0,
                   .isAmbiguous = region != RegionSet::kNone && !distinguishingLabel(regions, region).empty(),
                   .isInstance = name.find_first_of("<[") != std::string::npos,
                   .seen = HostLaunches::Sum{seen.launches, seen.warpsLaunched}});
  }
  std::ranges::copy(leftOut | std::views::values, std::back_inserter(all));
  const std::vector<HostLaunches::Sum> unseen = unseenLaunches(all, launches);
  for (std::uint32_t i = 0; i < kernelList.size(); ++i) {
    KernelTotals &kernel = kernelList[i];
    if (unseen[i].launches > 0)
      ledger.addUnseen(i, unseen[i].launches, unseen[i].warps, kernel.sampling.interval);
    kernel.sampling.isCut = kernel.foreignWarps == 0 && ledger.group(i).launches > 0 && kernel.sampling.interval > 1 &&
                            launches.warpsWithoutBuffer() > 0 && isFewerThanChosen(kernel, ledger.group(i));
  }
  unseenSum = sumOfUnseen(all, launches, kernelPattern);
}

Status decodeTotals(std::span<const Trace> traces, RegionSet &regions, TotalsSink &totals, LaunchWeights *weights) {
  if (Status status = checkSameBuild(traces); !status)
    return status;
  for (const Trace &trace : traces)
    regions.add(trace);
  totals.weighBy(weights);
  SpanDecoder decoder(regions, totals);
  HostLaunches launches;
  for (const Trace &trace : traces) {
    totals.beginTrace(trace);
    Status status = weights ? weights->read(trace) : Status();
    if (status)
      status = decoder.run(trace);
    if (status)
      status = launches.add(trace);
    if (status && trace.isReduced())
      status = addSummaries(trace, regions, totals);
    if (!status)
      return status;
    totals.endTrace();
  }
  totals.addUnseenLaunches(launches);
  totals.estimateAllBlocks();
  if (totals.kernels().empty() && !totals.others().empty())
    return failure({.message = fmt::format("no {}kernel matches '{}'", totals.unseen().areNone() ? "" : "recorded ", totals.pattern()),
                    .found = fmt::format("{}", fmt::join(totals.others(), ", ")),
                    .file = traces.front().name()});
  return {};
}

} // namespace kperf::decoder
