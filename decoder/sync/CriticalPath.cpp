// Follows a block's critical path backwards.
#include "decoder/sync/CriticalPath.h"

#include <algorithm>

namespace kperf::decoder {

using Kind = PathStep::Kind;
using Verdict = SyncGraph::Verdict;

void CriticalPath::build(const SyncBlock &next, const SyncGraph &nextGraph, const SelfTime &nextOwn) {
  block = &next;
  graph = &nextGraph;
  own = &nextOwn;
  path.clear();
  if (block->warps.empty())
    return;
  stops.resize(std::max(stops.size(), block->warps.size()));
  for (auto &list : stops)
    list.clear();
  const auto waits = graph->waits();
  for (std::uint32_t i = 0; i < waits.size(); ++i)
    if (!waits[i].isInner && waits[i].verdict != Verdict::NotWaited)
      stops[waits[i].warp].push_back(i);
  isVisited.assign(waits.size(), false);
  const auto last = std::ranges::max_element(block->warps, {}, &SyncWarp::end);
  warp = static_cast<std::uint32_t>(last - block->warps.begin());
  time = block->end;
  walk();
  std::ranges::reverse(path);
}

void CriticalPath::walk() {
  if (block->why != UnknownReason::None)
    return add({Kind::NotKnown, RegionSet::kNone, block->why}, block->begin, time);
  for (;;) {
    const SyncWarp &what = block->warps[warp];
    const SyncGraph::Wait *const wait = waitBefore(warp, time);
    const std::uint64_t back = wait ? wait->end : what.begin;
    if (time > what.completeTo || time <= what.completeFrom)
      return add({Kind::NotKnown, RegionSet::kNone, what.why}, block->begin, time);
    addOwn(std::max(back, what.completeFrom), time);
    time = std::max(back, what.completeFrom);
    if (time > back)
      return add({Kind::NotKnown, RegionSet::kNone, what.why}, block->begin, time);
    if (!wait)
      return add({Kind::Start}, block->begin, time);
    if (!addWait(*wait))
      return;
  }
}

/// Turns at a wait; false where the path breaks.
bool CriticalPath::addWait(const SyncGraph::Wait &wait) {
  const auto index = static_cast<std::uint32_t>(&wait - graph->waits().data());
  const bool isAgain = isVisited[index];
  isVisited[index] = true;
  if (isAgain || wait.verdict == Verdict::NotKnown) {
    add({Kind::NotKnown, wait.region, isAgain ? UnknownReason::Contradiction : wait.why}, block->begin, time);
    return false;
  }
  const bool isOurs = wait.verdict == Verdict::Released;
  const std::uint64_t released = std::max(wait.released, wait.begin);
  add({isOurs ? Kind::Wait : Kind::OtherBlocks, wait.region}, released, wait.end, index);
  time = released;
  if (!isOurs && wait.released <= wait.begin)
    return true;
  const SyncGraph::Event &by = graph->events()[wait.by];
  if (wait.isByFlight) {
    add({Kind::Flight, by.region}, by.at, released, index);
    time = by.at;
  }
  warp = by.warp;
  return true;
}

const SyncGraph::Wait *CriticalPath::waitBefore(std::uint32_t ofWarp, std::uint64_t before) const {
  const std::vector<std::uint32_t> &list = stops[ofWarp];
  const auto waits = graph->waits();
  const auto after = std::ranges::upper_bound(list, before, {}, [&](std::uint32_t wait) { return waits[wait].end; });
  return after == list.begin() ? nullptr : &waits[*(after - 1)];
}

void CriticalPath::add(PathStep step, std::uint64_t begin, std::uint64_t end, std::uint32_t from) {
  if (begin < end)
    path.push_back({step, begin, end, warp, from});
}

void CriticalPath::addOwn(std::uint64_t begin, std::uint64_t end) {
  pieces.clear();
  own->forBetween(warp, begin, end, [&](std::uint64_t from, std::uint64_t to, std::uint32_t region) {
    const Kind kind = region == RegionSet::kNone                            ? Kind::NoRegion
                      : regions.kinds()[region] == format::RegionKind::Wait ? Kind::Wait
                                                                            : Kind::Region;
    pieces.push_back({{kind, region}, from, to, warp});
  });
  path.insert(path.end(), pieces.rbegin(), pieces.rend());
}

} // namespace kperf::decoder
