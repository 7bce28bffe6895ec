// Sums over the warps of each kernel, by region or by call path.
#include "KernelTotals.h"
#include "Glob.h"
#include "KernelName.h"
#include "SpanDecoder.h"
#include "SummaryTotals.h"
#include "View.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

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
  const auto known = std::ranges::find_if(
      deviceList, [&](const TracedDevice &device) { return device.ordinal == ordinal && device.name == name; });
  const auto index = static_cast<std::uint32_t>(known - deviceList.begin());
  if (known == deviceList.end())
    deviceList.push_back(
        {ordinal, name, record ? record->timerTickNs : 0, record ? record->clockKhz : 0, record != nullptr, {}});
  deviceOfOrdinal.emplace_back(ordinal, index);
  return index;
}

std::uint32_t TotalsSink::kernelOf(std::uint32_t device, const format::WarpHeader &header) {
  const KernelKey key{device, header.kernel, header.nameAddress};
  if (lastKey == key)
    return lastKernel;
  const auto found = kernelOfKey.find(key);
  std::uint32_t kernel = found != kernelOfKey.end() ? found->second : newKernel(device, header);
  if (found == kernelOfKey.end() && kernelOfKey.size() < 16 * kMostKernels)
    kernelOfKey.emplace(key, kernel);
  lastKey = key;
  return lastKernel = kernel;
}

std::uint32_t TotalsSink::newKernel(std::uint32_t device, const format::WarpHeader &header) {
  auto [name, plain, region] = kernelNameOf(*trace, regions, header);
  if (!matches(kernelPattern, name) && !matches(kernelPattern, plain)) {
    if (otherNames.size() < 8 && std::ranges::find(otherNames, name) == otherNames.end())
      otherNames.push_back(name);
    return kUnselected;
  }
  if (kernelList.size() >= kMostKernels)
    name = "(other kernels)";
  const auto [entry, isNew] = kernelOfName.try_emplace({device, name}, static_cast<std::uint32_t>(kernelList.size()));
  if (isNew) {
    KernelTotals &kernel = kernelList.emplace_back();
    kernel.device = device;
    kernel.name = name;
    kernel.region = region;
    kernel.paths = PathTree(kMostRows);
  }
  return entry->second;
}

/// Makes room for the nodes that the kernel has by now.
void TotalsSink::addRows(KernelTotals &kernel) {
  rowCount += kernel.paths.size() - static_cast<std::uint32_t>(kernel.rows.size());
  kernel.rows.resize(kernel.paths.size());
  if (rowCount > kMostRows)
    for (KernelTotals &any : kernelList)
      any.paths.freeze();
}

RowTotals &TotalsSink::summedRow(KernelTotals &kernel, std::uint32_t node) {
  if (node >= kernel.rows.size())
    addRows(kernel);
  return kernel.rows[node];
}

KernelTotals *TotalsSink::summed(std::uint32_t ordinal, std::uint32_t kernel, std::uint64_t name,
                                 const LaunchLedger::Group &launches) {
  format::WarpHeader header{};
  header.kernel = kernel;
  header.nameAddress = name;
  const std::uint32_t device = deviceOf(ordinal), index = kernelOf(device, header);
  if (index == kUnselected)
    return nullptr;
  ledger.add(device, index, launches);
  return &kernelList[index];
}

RowTotals &TotalsSink::row(KernelTotals &kernel, std::uint32_t node) {
  if (node >= kernel.rows.size())
    addRows(kernel);
  RowTotals &totals = kernel.rows.data()[node];
  if (!totals.isInWarp) {
    totals.isInWarp = true;
    totals.inWarp = 0;
    touched.push_back(node);
  }
  return totals;
}

void TotalsSink::warp(const WarpSpans &warp) {
  const std::uint32_t device = deviceOf(warp.device);
  const std::uint32_t index = kernelOf(device, warp.header);
  if (index == kUnselected)
    return;
  ledger.add(device, index, warp.header, warp.isFinished);
  nesting.build(warp, regions);
  KernelTotals &kernel = kernelList[index];
  ++kernel.warps;
  kernel.foreignWarps += isForeign(warp.header);
  kernel.unfinishedWarps += !warp.isFinished && !isForeign(warp.header);
  kernel.cycles += warp.cycles();
  kernel.unattributed += nesting.unattributed();
  kernel.notRecorded += nesting.notRecorded();
  kernel.mostCapacity = std::max(kernel.mostCapacity, warp.header.capacity);
  kernel.keepsLast |= warp.policy == format::KeepPolicy::Last;
  kernel.records += warp.counts;
  touched.clear();
  addSpans(kernel, warp);
  if (countsProbes)
    countProbes(kernel, warp);
  addMarks(kernel, warp);
  const std::size_t sm = std::min<std::size_t>(warp.header.sm, kMostSms - 1);
  for (const std::uint32_t node : touched) {
    RowTotals &totals = kernel.rows[node];
    totals.isInWarp = false;
    ++totals.warps;
    totals.mostInWarp = std::max(totals.mostInWarp, totals.inWarp);
    if (sm >= totals.bySm.size())
      totals.bySm.resize(sm + 1);
    totals.bySm[sm] += totals.inWarp;
  }
}

void TotalsSink::addSpans(KernelTotals &kernel, const WarpSpans &warp) {
  const std::span<const std::int32_t> parents = nesting.parents();
  const std::span<const std::uint64_t> exclusive = nesting.exclusive();
  nodes.resize(warp.spans.size());
  isOutermost.resize(warp.spans.size());
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    const Span &span = warp.spans.data()[i];
    const std::int32_t parent = parents.data()[i];
    std::uint32_t node;
    if (byPath && parent >= 0)
      node = kernel.paths.child(nodes.data()[parent], span.region);
    else
      node = kernel.paths.child(PathTree::kRoot, byPath && parent == Nesting::kOverlapping
                                                     ? span.region | KernelTotals::kOverlap
                                                     : span.region);
    nodes.data()[i] = node;
    RowTotals &totals = row(kernel, node);
    ++totals.count;
    totals.overlapping += parent == Nesting::kOverlapping;
    totals.exclusive += exclusive.data()[i];
    totals.durations.add(span.cycles());
    isOutermost.data()[i] = byPath || parent < 0 || !nesting.isRecursive(warp.spans, i);
    if (isOutermost.data()[i]) {
      totals.inclusive += span.cycles();
      totals.inWarp += span.cycles();
    }
  }
}

/// Counts the probes whose cost lies in each row's times. Spans follow the one around them, so the way back is leaves
/// first.
void TotalsSink::countProbes(KernelTotals &kernel, const WarpSpans &warp) {
  const std::span<const std::int32_t> parents = nesting.parents();
  probesInside.assign(warp.spans.size(), {});
  for (std::size_t i = warp.spans.size(); i-- > 0;) {
    const std::uint32_t region = warp.spans.data()[i].region;
    const std::int32_t parent = parents.data()[i];
    ProbeCounts probe;
    if (regions.kinds().data()[region] != format::RegionKind::Range) // what begins and ends cost is not measured
      probe.add(warp.isShared.data()[region]);
    kernel.probes += probe;
    RowTotals &totals = kernel.rows.data()[nodes.data()[i]];
    if (isOutermost.data()[i]) {
      totals.outermost += probe;
      totals.inside += probesInside.data()[i];
    }
    if (parent == Nesting::kOverlapping)
      continue;
    totals.nested += probe;
    (parent == Nesting::kTop ? kernel.topLevel : kernel.rows.data()[nodes.data()[parent]].children) += probe;
    if (parent >= 0) {
      probesInside.data()[parent] += probesInside.data()[i];
      probesInside.data()[parent] += probe;
    }
  }
}

void TotalsSink::calibration(const WarpSpans &warp) { deviceList[deviceOf(warp.device)].probes.add(warp, regions); }

void TotalsSink::addMarks(KernelTotals &kernel, const WarpSpans &warp) {
  for (const Mark &mark : warp.marks)
    ++row(kernel, kernel.paths.child(PathTree::kRoot, mark.region)).count;
  for (const UnmatchedEvents &events : warp.unmatched) {
    RowTotals &totals = row(kernel, kernel.paths.child(PathTree::kRoot, events.region));
    totals.unmatchedBegins += events.begins;
    totals.unmatchedEnds += events.ends;
  }
}

void TotalsSink::damagedWarp(const format::WarpHeader &header, std::uint32_t device) {
  const std::uint32_t index = kernelOf(deviceOf(device), header);
  if (index != kUnselected)
    ++kernelList[index].damagedWarps;
}

Status checkSameBuild(std::span<const Trace> traces) {
  for (const Trace &trace : traces.subspan(1)) {
    const format::FileHeader &first = traces.front().header(), &other = trace.header();
    if (first.buildId != other.buildId)
      return failure({.message = fmt::format("its regions are not those of {}", traces.front().name()),
                      .found = fmt::format("build id {:#x}", other.buildId),
                      .expected = fmt::format("{:#x}", first.buildId),
                      .remedy = "report traces of different builds one at a time",
                      .file = trace.name()});
    if (first.target != other.target)
      return failure({.message = fmt::format("its target is not that of {}", traces.front().name()),
                      .remedy = "report traces of different targets one at a time",
                      .file = trace.name()});
  }
  return {};
}

Status decodeTotals(std::span<const Trace> traces, RegionSet &regions, TotalsSink &totals) {
  if (Status status = checkSameBuild(traces); !status)
    return status;
  for (const Trace &trace : traces)
    regions.add(trace);
  SpanDecoder decoder(regions, totals);
  for (const Trace &trace : traces) {
    totals.beginTrace(trace);
    Status status = decoder.run(trace);
    if (status && trace.isReduced())
      status = addSummaries(trace, regions, totals);
    if (!status)
      return status;
    totals.endTrace();
  }
  if (totals.kernels().empty() && !totals.others().empty())
    return failure({.message = fmt::format("no kernel matches '{}'", totals.pattern()),
                    .found = fmt::format("{}", fmt::join(totals.others(), ", ")),
                    .file = traces.front().name()});
  return {};
}

} // namespace kperf::decoder
