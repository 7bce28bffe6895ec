// Collects a sample of each region from each launch of its kernel.
#include "decoder/totals/LaunchSamples.h"
#include "decoder/span/KernelName.h"
#include "decoder/span/SpanDecoder.h"

#include <algorithm>

namespace kperf::decoder {

void SampleList::add(double value) {
  ++count;
  sum += value;
  if (++pending < perValue)
    return;
  list.push_back(sum / static_cast<double>(perValue));
  pending = 0;
  sum = 0;
  if (list.size() < 2 * kMax)
    return;
  for (std::size_t i = 0; i < kMax; ++i)
    list[i] = (list[2 * i] + list[2 * i + 1]) / 2;
  list.resize(kMax);
  perValue *= 2;
}

LaunchSamples::LaunchSamples(const Trace &trace, const RegionSet &regions, std::string kernelPattern, Measure measure)
    : trace(trace), regions(regions), kernelPattern(std::move(kernelPattern)), measure(measure), inWarp(regions.size()) {
  for (std::uint32_t i = 0; i < trace.devices().size(); ++i)
    ledger.setDevice(i, {trace.devices()[i].timerTickNs, trace.devices()[i].warpLanes});
}

std::uint32_t LaunchSamples::kernelOf(const format::WarpHeader &header) {
  const auto [entry, isNew] = kernelOfKey.try_emplace({header.kernel, header.nameAddress}, kUnselected);
  if (!isNew)
    return entry->second;
  const KernelName name = kernelNameOf(trace, regions, header);
  if (!isMeant(kernelPattern, name.name, name.plain)) {
    if (otherNames.size() < 8 && std::ranges::find(otherNames, name.name) == otherNames.end())
      otherNames.push_back(name.name);
    return kUnselected;
  }
  const auto known = std::ranges::find(kernelList, name.name, &KernelSamples::name);
  entry->second = static_cast<std::uint32_t>(known - kernelList.begin());
  if (known == kernelList.end() && kernelList.size() < kMaxKernels)
    kernelList.push_back({.name = name.name, .plain = name.plain});
  else if (known == kernelList.end())
    entry->second = kUnselected;
  return entry->second;
}

void LaunchSamples::warp(const WarpSpans &warp) {
  const std::uint32_t kernel = kernelOf(warp.header);
  if (kernel == kUnselected)
    return;
  const std::uint32_t device = trace.deviceIndex(warp.device);
  ledger.add(device, kernel, warp.header, warp.isFinished);
  deviceOfKernel.resize(kernelList.size());
  deviceOfKernel[kernel] = device;
  const std::pair key{warp.header.gridId, warp.device};
  if (!open.contains(key) && open.size() >= kMaxOpen) {
    close(open.begin()->second);
    open.erase(open.begin());
  }
  Launch &launch = open[key];
  launch.kernel = kernel;
  ++launch.warps;
  launch.startNs = std::min(launch.startNs, warp.header.startNs);
  if (warp.isFinished)
    launch.endNs = std::max(launch.endNs, warp.header.endNs);
  kernelList[kernel].dropped += warp.counts.dropped;
  kernelList[kernel].means.addWarp(warp.header, ledger.warpsOfBlock(device, warp.header));
  addSpans(launch, warp);
}

/// Null where there is no room for another.
RegionSamples *LaunchSamples::samplesOf(KernelSamples &kernel, std::uint32_t region) {
  const auto known = kernel.regions.find(region);
  if (known != kernel.regions.end() || rows >= kMaxRows)
    return known != kernel.regions.end() ? &known->second : nullptr;
  ++rows;
  return &kernel.regions[region];
}

void LaunchSamples::addSpans(Launch &launch, const WarpSpans &warp) {
  if (measure != Measure::Mean)
    nesting.build(warp, regions);
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    const Span &span = warp.spans[i];
    RegionSum &sum = inWarp[span.region];
    if (sum.count++ == 0)
      touched.push_back(span.region);
    if (measure == Measure::Self)
      sum.cycles += nesting.exclusive()[i];
    else if (measure == Measure::Mean || !nesting.isRecursive(warp.spans, i))
      sum.cycles += span.cycles();
  }
  for (const decoder::RegionSum &entered : warp.sums) {
    if (entered.count == 0)
      continue;
    RegionSum &sum = inWarp[entered.region];
    if (sum.count == 0)
      touched.push_back(entered.region);
    sum.count += entered.count;
    sum.untimed += entered.isTimed ? 0 : entered.count;
    sum.cycles += entered.cycles;
  }
  for (const decoder::RegionSum &entered : warp.sums)
    if (measure == Measure::Self && entered.around >= 0)
      inWarp[warp.sums[static_cast<std::size_t>(entered.around)].region].cycles -= entered.cycles;
  KernelSamples &kernel = kernelList[launch.kernel];
  for (const std::uint32_t region : touched) {
    if (RegionSamples *samples = samplesOf(kernel, region); samples && inWarp[region].untimed == 0)
      kernel.means.addTo(samples->sum, inWarp[region].count, inWarp[region].cycles);
    RegionSum &sum = launch.regions[region];
    sum.count += inWarp[region].count;
    sum.cycles += inWarp[region].cycles;
    sum.untimed += inWarp[region].untimed;
    inWarp[region] = {};
  }
  touched.clear();
}

void LaunchSamples::close(const Launch &launch) {
  KernelSamples &kernel = kernelList[launch.kernel];
  ++kernel.launches;
  kernel.warps += launch.warps;
  if (launch.endNs > launch.startNs)
    kernel.durationNs.add(static_cast<double>(launch.endNs - launch.startNs));
  for (const auto &[region, sum] : launch.regions) {
    RegionSamples *const samples = samplesOf(kernel, region);
    if (!samples)
      continue;
    samples->visits += sum.count;
    kernel.untimed += sum.untimed;
    if (sum.untimed > 0)
      continue;
    samples->cycles.add(static_cast<double>(sum.cycles) / static_cast<double>(measure == Measure::Mean ? sum.count : launch.warps));
  }
}

Status LaunchSamples::run() {
  if (Status status = SpanDecoder(regions, *this).run(trace); !status)
    return status;
  for (const auto &[key, launch] : open)
    close(launch);
  open.clear();
  ledger.finish();
  for (std::uint32_t i = 0; i < kernelList.size(); ++i) {
    kernelList[i].warpsLaunched = ledger.group(i).warpsLaunched;
    kernelList[i].means.finish(ledger.group(i));
    const bool isListed = deviceOfKernel[i] < trace.devices().size();
    const format::DeviceRecord device = isListed ? trace.devices()[deviceOfKernel[i]] : format::DeviceRecord{};
    kernelList[i].rate = chooseRate(trace.header().target, ledger.group(i).clock, ledger.deviceClock(deviceOfKernel[i]), device.timerTickNs,
                                    device.clockKhz);
  }
  return {};
}

} // namespace kperf::decoder
