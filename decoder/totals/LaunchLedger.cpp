// Collects the warps of each launch.
#include "decoder/totals/LaunchLedger.h"
#include "decoder/totals/SampledBlocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kperf::decoder {
namespace {

std::uint64_t product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t out = 1;
  for (const std::uint64_t factor : factors)
    if (__builtin_mul_overflow(out, factor, &out))
      return ~std::uint64_t{0};
  return out;
}

std::uint64_t saturatedSum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out;
  return __builtin_add_overflow(a, b, &out) ? ~std::uint64_t{0} : out;
}

} // namespace

void LaunchLedger::setDevice(std::uint32_t device, const DeviceTraits &traits) {
  if (device >= devices.size()) {
    devices.resize(device + 1);
    deviceClocks.resize(device + 1);
  }
  devices[device] = traits;
}

LaunchLedger::Launch &LaunchLedger::launchOf(const Key &key, std::uint32_t group, const format::WarpHeader &warp) {
  if (last && key == lastKey)
    return *last;
  if (open.size() >= kMaxOpen)
    closeOldest(kLeftOpen);
  const auto [entry, isNew] = open.try_emplace(key);
  Launch &launch = entry->second;
  if (isNew) {
    launch.group = group;
    launch.launched = product({warp.gridX, warp.gridY, warp.gridZ, warpsOfBlock(key.device, warp)});
    launch.oneIn = std::max(warp.sampled, 1u);
    launch.certainOneIn = isCertainToBeSeen(warp) ? warp.sampled : 0;
    const std::uint32_t grid[3] = {warp.gridX, warp.gridY, warp.gridZ};
    const std::uint32_t block[3] = {warp.blockX, warp.blockY, warp.blockZ};
    std::ranges::copy(grid, launch.grid);
    std::ranges::copy(block, launch.block);
  }
  lastKey = key;
  last = &launch; // references into an unordered_map stay valid
  return launch;
}

std::uint64_t LaunchLedger::warpsOfBlock(std::uint32_t device, const format::WarpHeader &warp) const {
  const std::uint64_t lanes = std::max(device < devices.size() ? devices[device].warpLanes : 32, 1u);
  return (product({warp.blockX, warp.blockY, warp.blockZ}) + lanes - 1) / lanes;
}

void LaunchLedger::add(std::uint32_t device, std::uint32_t group, const format::WarpHeader &warp, bool isFinished, double weight) {
  if (device >= devices.size())
    setDevice(device, {});
  if (group >= groups.size())
    groups.resize(group + 1);
  Launch &launch = launchOf({warp.gridId, device}, group, warp);
  ++launch.recorded;
  launch.weight = weight;
  launch.startNs = std::min(launch.startNs, warp.startNs);
  earliest = std::min(earliest.value_or(warp.startNs), warp.startNs);
  if (!isFinished || warp.endNs < warp.startNs || warp.endCycles < warp.startCycles)
    return;
  launch.endNs = std::max(launch.endNs, warp.endNs);
  addPair(launch, warp);
}

void LaunchLedger::add(std::uint32_t device, std::uint32_t group, const Group &summed) {
  if (device >= devices.size())
    setDevice(device, {});
  if (group >= groups.size())
    groups.resize(group + 1);
  Group &sum = groups[group];
  if (sum.launches == 0) {
    std::ranges::copy(summed.grid, sum.grid);
    std::ranges::copy(summed.block, sum.block);
  }
  sum.gridVaries |= summed.gridVaries || !std::ranges::equal(sum.grid, summed.grid);
  sum.blockVaries |= summed.blockVaries || !std::ranges::equal(sum.block, summed.block);
  sum.launches += summed.launches;
  sum.warpsLaunched = saturatedSum(sum.warpsLaunched, summed.warpsLaunched);
  sum.warpsRecorded += summed.warpsRecorded;
  sum.warpsChosen += summed.warpsChosen;
  sum.timedLaunches += summed.timedLaunches;
  sum.durationNs += summed.durationNs;
  sum.clock += summed.clock;
  deviceClocks[device] += summed.clock;
}

void LaunchLedger::addPair(Launch &launch, const format::WarpHeader &warp) {
  if (launch.finished++ % launch.stride != 0)
    return;
  launch.pairs.push_back({warp.startCycles, warp.startNs, warp.endCycles, warp.endNs, warp.sm});
  ++pairCount;
  if (launch.pairs.size() >= kMaxPairsOfLaunch) { // every second one stands for both
    std::size_t kept = 0;
    for (std::size_t i = 0; i < launch.pairs.size(); i += 2)
      launch.pairs[kept++] = launch.pairs[i];
    pairCount -= launch.pairs.size() - kept;
    launch.pairs.resize(kept);
    launch.stride *= 2;
  }
  if (pairCount > kMaxPairs)
    closeOldest(std::min(kLeftOpen, open.size() / 2));
}

void LaunchLedger::closeOldest(std::size_t left) {
  std::vector<Key> keys;
  for (const auto &[key, launch] : open)
    keys.push_back(key);
  std::ranges::sort(keys, [](const Key &a, const Key &b) { return a.gridId != b.gridId ? a.gridId < b.gridId : a.device < b.device; });
  keys.resize(keys.size() - std::min(left, keys.size()));
  for (const Key &key : keys) {
    close(key, open.at(key));
    open.erase(key);
  }
  last = nullptr;
}

void LaunchLedger::close(const Key &key, Launch &launch) {
  Group &group = groups[launch.group];
  if (group.launches == 0) {
    std::ranges::copy(launch.grid, group.grid);
    std::ranges::copy(launch.block, group.block);
  }
  group.gridVaries |= !std::ranges::equal(group.grid, launch.grid);
  group.blockVaries |= !std::ranges::equal(group.block, launch.block);
  ++group.launches;
  group.warpsLaunched = saturatedSum(group.warpsLaunched, launch.launched);
  group.warpsRecorded += launch.recorded;
  group.warpsChosen += static_cast<double>(launch.launched) / launch.oneIn;
  group.unseenLaunches += launch.weight - 1;
  group.unseenWarps += (launch.weight - 1) * static_cast<double>(launch.launched);
  if (launch.certainOneIn > 0) {
    auto known = std::ranges::find(group.certainBlocks, launch.certainOneIn, [](const auto &each) { return each.first; });
    if (known == group.certainBlocks.end())
      known = group.certainBlocks.insert(known, {launch.certainOneIn, 0});
    known->second += static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  }
  if (launch.finished > 0) {
    ++group.timedLaunches;
    group.unseenTimed += launch.weight - 1;
    const auto durationNs = static_cast<double>(launch.endNs - launch.startNs);
    group.unseenNs += (launch.weight - 1) * durationNs;
    group.durationNs += launch.weight * durationNs;
  }
  pairCount -= launch.pairs.size();
  ClockFit fit = fitClocks(launch.pairs, devices[key.device].timerTickNs);
  group.clock += fit.sums;
  deviceClocks[key.device] += fit.sums;
  if (keepsPlacements && originCount + fit.origins.size() <= kMaxOrigins) {
    originCount += fit.origins.size();
    placements.insert_or_assign(key, Placement{fit.sums, std::move(fit.origins)});
  }
}

void LaunchLedger::countAllLaunches(std::uint32_t index) {
  if (index >= groups.size())
    return;
  Group &group = groups[index];
  const auto rounded = [](double &count) { return static_cast<std::uint64_t>(std::llround(std::exchange(count, 0))); };
  // Of each of them as much was recorded as of those that were.
  const double recorded = static_cast<double>(group.warpsRecorded) / static_cast<double>(std::max<std::uint64_t>(group.warpsLaunched, 1));
  group.warpsRecorded += static_cast<std::uint64_t>(std::llround(recorded * group.unseenWarps));
  group.warpsChosen *= 1 + group.unseenWarps / static_cast<double>(std::max<std::uint64_t>(group.warpsLaunched, 1));
  const std::uint64_t launches = rounded(group.unseenLaunches), warps = rounded(group.unseenWarps);
  group.launches += launches;
  group.warpsLaunched = saturatedSum(group.warpsLaunched, warps);
  addEstimated(index, launches, warps, group.unseenNs);
  group.timedLaunches += rounded(group.unseenTimed);
}

void LaunchLedger::finish() { closeOldest(0); }

const LaunchLedger::Placement *LaunchLedger::placement(std::uint32_t device, std::uint64_t gridId) const {
  const auto found = placements.find({gridId, device});
  return found == placements.end() ? nullptr : &found->second;
}

ClockRate chooseRate(format::Target target, const RateSums &own, const RateSums &device, std::uint32_t timerTickNs,
                     std::uint32_t clockKhz) {
  if (target == format::Target::Host)
    return {.nsPerCycle = 1, .source = ClockRate::Source::Unit};
  if (const auto rate = own.rate(timerTickNs))
    return *rate;
  if (const auto rate = device.rate(timerTickNs))
    return *rate;
  if (clockKhz != 0)
    return {.nsPerCycle = 1e6 / clockKhz, .source = ClockRate::Source::Nominal};
  return {};
}

} // namespace kperf::decoder
