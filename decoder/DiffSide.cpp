// One side of a comparison.
#include "DiffSide.h"
#include "View.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

std::map<std::uint32_t, RegionIdentity> identitiesOf(const RegionSet &regions) {
  std::vector<std::uint32_t> order(regions.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(
      order, {}, [&](std::uint32_t i) { return std::tie(regions[i].file, regions[i].line, regions[i].column); });
  std::map<RegionIdentity, std::uint32_t> seen;
  std::map<std::uint32_t, RegionIdentity> out;
  for (const std::uint32_t i : order) {
    RegionIdentity identity{regions[i].function, regions[i].name, regions[i].kind, 0};
    std::get<3>(identity) = seen[identity]++;
    out.emplace(i, std::move(identity));
  }
  return out;
}

void addTo(SideKernel &kernel, const KernelSamples &samples, const RegionSet &regions,
           const std::map<std::uint32_t, RegionIdentity> &identities) {
  kernel.launches += samples.launches;
  kernel.warps += samples.warps;
  kernel.dropped += samples.dropped;
  const std::vector<double> durations = samples.durationNs.values();
  kernel.durationNs.insert(kernel.durationNs.end(), durations.begin(), durations.end());
  for (const auto &[index, region] : samples.regions) {
    SideRegion &side = kernel.regions[identities.at(index)];
    side.region = regions[index];
    side.visits += region.visits;
    for (const double cycles : region.cycles.values()) {
      side.cycles.push_back(cycles);
      if (samples.rate.isKnown())
        side.ns.push_back(cycles * samples.rate.nsPerCycle);
    }
  }
}

} // namespace

Expected<DiffSide> readSide(std::span<const Trace> traces, const std::string &kernelPattern, Measure measure) {
  if (Status status = checkSameBuild(traces); !status)
    return failure(status.error());
  DiffSide side;
  side.target = traces.front().header().target;
  for (const Trace &trace : traces) {
    RegionSet regions;
    regions.add(trace);
    LaunchSamples samples(trace, regions, kernelPattern, measure);
    if (Status status = samples.run(); !status)
      return failure(status.error());
    const auto identities = identitiesOf(regions);
    for (const KernelSamples &kernel : samples.kernels()) {
      auto known = std::ranges::find(side.kernels, kernel.name, &SideKernel::name);
      if (known == side.kernels.end())
        known = side.kernels.insert(known, {.name = kernel.name, .plain = kernel.plain});
      addTo(*known, kernel, regions, identities);
    }
    side.others.insert(side.others.end(), samples.others().begin(), samples.others().end());
    for (const format::DeviceRecord &device : trace.devices())
      side.devices.emplace_back(trace.string(device.name));
  }
  return side;
}

} // namespace kperf::decoder
