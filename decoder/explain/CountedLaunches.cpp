// Counts the launches in the traces that count memory accesses.
#include "decoder/explain/CountedLaunches.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/trace/Records.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {

std::optional<double> scaleOfCounters(const LaunchCount &timed, const LaunchCount &counted) {
  if (timed.launches == 0 || counted.launches == 0 || counted.warps == 0)
    return {};
  const double launches = static_cast<double>(timed.launches) / static_cast<double>(counted.launches);
  const double warps = static_cast<double>(timed.warps) / static_cast<double>(counted.warps);
  constexpr double kRounding = 0.01;
  if (std::abs(warps / launches - 1) > kRounding)
    return {};
  return launches;
}

Expected<CountedLaunches> CountedLaunches::read(std::span<const Trace> traces) {
  CountedLaunches out;
  for (const Trace &next : traces) {
    out.trace = &next;
    out.seenGrids.clear();
    out.summaries.clear();
    for (const Section &section : next.sections()) {
      using enum format::SectionKind;
      if (section.kind == Launches || section.kind == Warps || section.kind == Summaries || section.kind == SampledLaunches)
        if (Status status = next.visitSection(section, out); !status)
          return failure(status.error());
    }
  }
  return out;
}

std::string CountedLaunches::kernelOf(std::uint32_t id) const {
  const auto region = std::ranges::find(trace->regions(), id, &format::RegionRecord::id);
  return region == trace->regions().end() ? std::string() : qualifiedNameOf(trace->string(region->name));
}

std::uint64_t CountedLaunches::warpsOf(std::uint32_t ordinal, std::uint64_t blocks, std::uint64_t threads) const {
  const format::DeviceRecord *const row = trace->device(ordinal);
  const std::uint64_t lanes = std::max(row ? row->warpLanes : 32, 1u);
  return blocks * ((threads + lanes - 1) / lanes);
}

void CountedLaunches::launches(std::span<const format::LaunchRecord> rows) {
  for (const format::LaunchRecord &row : rows) {
    if (row.flags & (format::kLaunchCaptured | format::kLaunchUnrecorded | format::kLaunchPlain))
      continue;
    const std::string kernel = qualifiedNameOf(trace->string(row.kernel));
    if (const std::string name(trace->string(row.kernel)); name.contains(kernel + "<"))
      listedInstances[kernel].insert(name);
    LaunchCount &sum = listed[kernel];
    ++sum.launches;
    sum.warps += warpsOf(row.device, std::uint64_t{row.grid[0]} * row.grid[1] * row.grid[2],
                         std::uint64_t{row.block[0]} * row.block[1] * row.block[2]);
  }
}

void CountedLaunches::warp(const format::WarpHeader &warp) {
  if (isCalibration(warp) || !seenGrids.emplace(device, warp.gridId).second)
    return;
  const std::string kernel = kernelOf(warp.kernel);
  seenInstances[kernel].emplace(trace->string(warp.nameAddress));
  LaunchCount &sum = seen[kernel];
  ++sum.launches;
  sum.warps += warpsOf(device, std::uint64_t{warp.gridX} * warp.gridY * warp.gridZ, std::uint64_t{warp.blockX} * warp.blockY * warp.blockZ);
}

void CountedLaunches::summary(const format::SummaryRecord &summary) {
  auto &[kernel, own] = summaries.emplace_back();
  if ((summary.flags & format::kSummaryByRegion) == 0)
    return;
  kernel = kernelOf(summary.kernel);
  own = {summary.counts[format::kSummaryLaunches], summary.counts[format::kSummaryWarpsLaunched]};
  seenInstances[kernel].emplace(trace->string(summary.name));
  LaunchCount &sum = seen[kernel];
  sum.launches += own.launches;
  sum.warps += own.warps;
}

/// Accesses were counted in those that were recorded, not in those for which they stand.
void CountedLaunches::sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) {
  for (const format::SampledLaunchesRecord &row : rows) {
    if (row.summary == 0 || row.summary > summaries.size() || summaries[row.summary - 1].first.empty())
      continue;
    const auto &[kernel, all] = summaries[row.summary - 1];
    LaunchCount &sum = seen[kernel];
    sum.launches -= all.launches - std::min(all.launches, row.launches);
    sum.warps -= all.warps - std::min(all.warps, row.warpsLaunched);
  }
}

std::vector<std::string> CountedLaunches::launchedKernels() const {
  std::set<std::string> names;
  for (const auto *const counts : {&listed, &seen})
    for (const auto &[name, count] : *counts)
      if (!name.empty())
        names.insert(name);
  return {names.begin(), names.end()};
}

std::size_t CountedLaunches::instancesOf(const std::string &kernel) const {
  const auto in = [&](const Names &names) {
    const auto found = names.find(kernel);
    return found == names.end() ? std::size_t{0} : found->second.size();
  };
  return std::max(in(listedInstances), in(seenInstances));
}

LaunchCount CountedLaunches::of(const std::string &kernel) const {
  const auto in = [&](const std::map<std::string, LaunchCount> &counts) {
    const auto found = counts.find(kernel);
    return found == counts.end() ? LaunchCount{} : found->second;
  };
  const LaunchCount list = in(listed), warps = in(seen);
  return warps.launches > list.launches ? warps : list;
}

} // namespace kperf::decoder
