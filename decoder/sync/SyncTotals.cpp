// Sums the waits, asynchronous work and critical paths of a kernel's blocks.
#include "decoder/sync/SyncTotals.h"
#include "decoder/sync/RingDepth.h"

#include <algorithm>
#include <ranges>

namespace kperf::decoder {
namespace {

/// Stretches that are looked at to say what a warp was busy with.
constexpr int kMaxStretches = 256;
/// Waits that did not wait, likewise.
constexpr int kMaxWaits = 64;

} // namespace

std::optional<double> RingSums::saved(std::uint32_t region) const {
  if (!slots.contains(region) || cycles == 0)
    return {};
  return 100 - 100 * static_cast<double>(then) / static_cast<double>(cycles);
}

const KernelSync *SyncTotals::kernel(std::uint32_t index) const {
  return index < kernels.size() && !kernels[index].waits.empty() ? &kernels[index] : nullptr;
}

void SyncTotals::add(const SyncBlock &block) {
  if (block.kernel >= kernels.size())
    kernels.resize(block.kernel + 1);
  KernelSync &sums = kernels[block.kernel];
  graph.build(block);
  own.build(block, regions);
  path.build(block, graph, own);
  ++sums.blocks;
  sums.cycles += block.cycles();
  sums.unfinished += !block.isFinished;
  addWaits(sums);
  addFlights(sums);
  addPath(sums, block);
}

/// Whether both warps arrive in a phase: neither leaves it before the other has come.
bool SyncTotals::doMeet(std::uint32_t phase, std::uint32_t warp, std::uint32_t other) const {
  if (phase == SyncGraph::kNone)
    return false;
  const SyncGraph::Phase &met = graph.phases()[phase];
  const auto isOf = [&](std::uint32_t which) { return [&, which](std::uint32_t event) { return graph.events()[event].warp == which; }; };
  const auto members = graph.phaseEvents().subspan(met.first, met.count);
  return std::ranges::any_of(members, isOf(warp)) && std::ranges::any_of(members, isOf(other));
}

/// Since when the warp that let a wait go on can have fallen behind the waiting one: since it waited itself, or since a barrier that
/// neither could leave before the other had come.
std::uint64_t SyncTotals::freeSince(const SyncGraph::Wait &wait) const {
  const SyncGraph::Event &event = graph.events()[wait.by];
  const auto waits = graph.waits();
  auto last = std::ranges::lower_bound(waits, std::pair(event.warp, event.at), {},
                                       [](const SyncGraph::Wait &each) { return std::pair(each.warp, each.begin); });
  for (int i = 0; i < kMaxWaits && last != waits.begin() && (last - 1)->warp == event.warp; ++i) {
    --last;
    if (last->end <= event.at && last->verdict == SyncGraph::Verdict::Released)
      return last->end;
    if (last->end <= event.at && doMeet(last->phase, event.warp, wait.warp))
      return graph.phases()[last->phase].released;
  }
  return 0;
}

std::uint32_t SyncTotals::busyBefore(const SyncGraph::Wait &wait) const {
  const SyncGraph::Event &event = graph.events()[wait.by];
  const std::uint64_t since = freeSince(wait);
  const auto stretches = own.of(event.warp);
  auto at = std::ranges::lower_bound(stretches, event.at, {}, &SelfTime::Stretch::begin);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> most; // by region
  for (int i = 0; i < kMaxStretches && at != stretches.begin() && (at - 1)->end > since; ++i) {
    --at;
    if (at->region == RegionSet::kNone || regions.kinds()[at->region] == format::RegionKind::Wait)
      continue;
    const std::uint64_t cycles = std::min(at->end, event.at) - std::max(at->begin, since);
    const auto known = std::ranges::find(most, at->region, &std::pair<std::uint32_t, std::uint64_t>::first);
    if (known != most.end())
      known->second += cycles;
    else
      most.emplace_back(at->region, cycles);
  }
  const auto longest = std::ranges::max_element(most, {}, &std::pair<std::uint32_t, std::uint64_t>::second);
  return most.empty() ? RegionSet::kNone : longest->first;
}

void SyncTotals::addWaits(KernelSync &sums) {
  using Verdict = SyncGraph::Verdict;
  for (const SyncGraph::Wait &wait : graph.waits()) {
    WaitSum &sum = sums.waits[wait.region];
    ++sum.count;
    sum.inner += wait.isInner;
    sum.unneeded += wait.verdict == Verdict::NotWaited && wait.phase == SyncGraph::kNone && wait.flight == SyncGraph::kNone;
    sum.cycles += wait.cycles();
    sum.max = std::max(sum.max, wait.cycles());
    sum.otherBlocks += wait.verdict == Verdict::OtherBlocks;
    if (wait.verdict == Verdict::NotKnown) {
      ++sum.notKnown;
      ++sum.why[wait.why];
    }
    if (wait.verdict != Verdict::Released)
      continue;
    ++sum.waited;
    sum.latency += wait.end - wait.released;
    const SyncGraph::Event &by = graph.events()[wait.by];
    if (wait.isByFlight) {
      ++sum.releasedBy[{true, by.region}];
      continue;
    }
    std::uint32_t region = busyBefore(wait);
    if (region == RegionSet::kNone && regions.kinds()[by.region] == format::RegionKind::Signal)
      region = by.region; // the arrival itself is all that there is to name
    ++sum.releasedBy[{false, region}];
  }
}

void SyncTotals::addFlights(KernelSync &sums) {
  for (const SyncGraph::Flight &flight : graph.flights()) {
    const SyncGraph::Event &issue = graph.events()[flight.event];
    if (regions[issue.region].operation == format::SyncOperation::Await)
      continue; // an await stands for an issue that is not in the trace: how long the work took, and what hid it, is not known
    FlightSum &sum = sums.flights[issue.region];
    sum.lengths.add(flight.observed - issue.at);
    sum.exposed += flight.exposed;
    sum.bounds += flight.isBound;
  }
}

/// Of a block that can be replayed.
void SyncTotals::addRings(RingSums &sums, const SyncBlock &block) {
  std::vector<WarpRing> rings = findRings(block, regions, graph);
  std::erase_if(rings, [](const WarpRing &ring) { return ring.asks.empty(); });
  if (rings.empty())
    return;
  for (const WarpRing &ring : rings)
    for (const std::vector<std::uint32_t> &asks : ring.asks)
      for (const std::uint32_t wait : asks)
        sums.asks.insert(graph.waits()[wait].region);
  const RingDepths depths = depthsOf(rings, replay);
  for (std::size_t i = 0; i < rings.size(); ++i)
    for (const auto *places : {&rings[i].takes, &rings[i].issues})
      for (const std::uint32_t region : *places) {
        RingSums::Slots &slots = sums.slots[region];
        slots.there = std::max(slots.there, rings[i].slots);
        slots.enough = std::max(slots.enough, depths.slots[i]);
      }
  sums.rings = std::max(sums.rings, rings.size());
  sums.cycles += block.cycles();
  sums.then += depths.cycles;
}

void SyncTotals::addPath(KernelSync &sums, const SyncBlock &block) {
  steps.clear();
  bool isIncomplete = false;
  for (const PathSegment &segment : path.segments()) {
    steps[segment.step] += segment.cycles();
    isIncomplete |= segment.step.kind == PathStep::Kind::NotKnown;
  }
  sums.incomplete += isIncomplete;
  std::vector<std::pair<std::uint64_t, PathStep>> longest;
  for (const auto &[step, cycles] : steps) {
    StepSum &sum = sums.steps[step];
    sum.cycles += cycles;
    ++sum.blocks;
    if (step.kind != PathStep::Kind::NotKnown)
      longest.emplace_back(cycles, step);
  }
  if (longest.empty())
    return;
  if (!replay.build(block, graph, own)) {
    ++sums.contradictory;
    return;
  }
  if (wantsDepths && sums.blocks <= kMaxRingBlocks)
    addRings(sums.rings, block);
  std::ranges::sort(longest, std::greater<>());
  for (const auto &[cycles, step] : longest | std::views::take(kMaxReplays)) {
    StepSum &sum = sums.steps[step];
    sum.gain += block.cycles() - replay.lengthWithout(step);
    ++sum.replayed;
  }
}

} // namespace kperf::decoder
