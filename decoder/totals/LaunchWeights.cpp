// Finds the launches that were recorded in the host's list.
#include "decoder/totals/LaunchWeights.h"
#include "decoder/totals/HostLaunches.h"

#include <algorithm>

namespace kperf::decoder {

Status LaunchWeights::visit(const Trace &next, std::initializer_list<format::SectionKind> kinds) {
  for (const Section &section : next.sections())
    if (std::ranges::find(kinds, section.kind) != kinds.end())
      if (Status status = next.visitSection(section, *this); !status)
        return status;
  return {};
}

Status LaunchWeights::read(const Trace &next) {
  trace = &next;
  isListComplete = true;
  nameOfRow.clear();
  nameOfRegion.clear();
  strata.clear();
  stratumOfKey.clear();
  kernels.clear();
  known.clear();
  for (const format::RegionRecord &region : next.regions())
    if (region.kind == format::RegionKind::Kernel && region.id >= format::kFirstFreeId)
      nameOfRegion.emplace(region.id, qualifiedNameOf(next.string(region.name)));
  if (Status status = visit(next, {format::SectionKind::Launches, format::SectionKind::Losses}); !status || strata.empty())
    return status;
  if (Status status = visit(next, {format::SectionKind::Warps}); !status)
    return status;
  const std::vector<LaunchWeight> weight = weights();
  for (const auto &[key, kernel] : kernels) {
    const auto isSame = [](const Listed &listed, const auto &grid) { return listed.shape == grid.second; };
    if (!std::ranges::equal(kernel.listed, kernel.grids, isSame))
      continue;
    auto grid = kernel.grids.begin();
    for (const Listed &listed : kernel.listed) {
      if (listed.stratum != kNone) {
        known.emplace(std::pair(key.first, grid->first), weight[listed.stratum]);
        matched.insert(key.second);
      }
      ++grid;
    }
  }
  return {};
}

/// Of each stratum. Launches of one of which none was recorded, because the program ended before, are shared out among the instance's
/// others, which is its first alone where it has no others.
std::vector<LaunchWeight> LaunchWeights::weights() const {
  struct Instance {
    double all = 0, seen = 0; ///< launches of strata of more than one; of those with a recorded one
    std::uint32_t most = 1;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Instance> instances;
  for (const Stratum &stratum : strata)
    if (stratum.oneIn > 1) {
      Instance &instance = instances[{stratum.device, stratum.instance}];
      instance.all += static_cast<double>(stratum.launches);
      instance.seen += stratum.recorded > 0 ? static_cast<double>(stratum.launches) : 0;
      instance.most = std::max(instance.most, stratum.oneIn);
    }
  std::vector<LaunchWeight> out;
  for (const Stratum &stratum : strata) {
    LaunchWeight &weight = out.emplace_back(stratum.oneIn, stratum.oneIn);
    const auto found = instances.find({stratum.device, stratum.instance});
    if (!isListComplete || stratum.recorded == 0 || found == instances.end())
      continue;
    const Instance &instance = found->second;
    const double launches = static_cast<double>(stratum.launches) / static_cast<double>(stratum.recorded);
    if (stratum.oneIn > 1)
      weight.launches = launches * instance.all / instance.seen;
    else if (instance.seen == 0)
      weight = {instance.most, launches + instance.all / static_cast<double>(stratum.recorded)};
  }
  return out;
}

std::size_t LaunchWeights::stratumOf(const format::LaunchRecord &row) {
  const std::uint32_t oneIn = row.flags >> format::kLaunchOneInShift;
  if (oneIn == 0)
    return kNone;
  const auto [entry, isNew] = stratumOfKey.try_emplace({row.device, row.kernel, oneIn}, strata.size());
  if (isNew)
    strata.push_back({row.device, row.kernel, oneIn});
  return entry->second;
}

void LaunchWeights::launches(std::span<const format::LaunchRecord> rows) {
  for (const format::LaunchRecord &row : rows) {
    if (row.flags & (format::kLaunchCaptured | format::kLaunchUnrecorded))
      continue;
    const bool isPlain = (row.flags & format::kLaunchPlain) != 0;
    const std::size_t stratum = stratumOf(row);
    if (stratum != kNone) {
      ++strata[stratum].launches;
      strata[stratum].recorded += !isPlain;
    }
    if (isPlain)
      continue;
    auto name = nameOfRow.find(row.kernel);
    if (name == nameOfRow.end())
      name = nameOfRow.emplace(row.kernel, qualifiedNameOf(trace->string(row.kernel))).first;
    const Shape shape{row.grid[0], row.grid[1], row.grid[2], row.block[0] * row.block[1] * row.block[2]};
    kernels[{row.device, name->second}].listed.push_back({shape, stratum});
  }
}

void LaunchWeights::losses(std::span<const format::LossRecord> rows) {
  for (const format::LossRecord &row : rows)
    isListComplete &= row.kind != format::LossKind::LaunchesUnlisted;
}

void LaunchWeights::warp(const format::WarpHeader &header) {
  const auto name = nameOfRegion.find(header.kernel);
  if (name == nameOfRegion.end() || (header.flags & (format::kWarpForeign | format::kWarpContinued)))
    return;
  const Shape shape{header.gridX, header.gridY, header.gridZ, std::uint32_t{header.blockX} * header.blockY * header.blockZ};
  kernels[{device, name->second}].grids.emplace(header.gridId, shape);
}

const LaunchWeight *LaunchWeights::of(std::uint32_t ordinal, std::uint64_t gridId) const {
  const auto found = known.find({ordinal, gridId});
  return found == known.end() ? nullptr : &found->second;
}

} // namespace kperf::decoder
