// Replays a block with the time of one thing set to zero, or with more slots in its rings.
#include "decoder/sync/Replay.h"

#include <algorithm>
#include <numeric>

namespace kperf::decoder {

using Verdict = SyncGraph::Verdict;

/// Of arrivals and work that a wait needs only what explains its end: with them all it ends when it did.
bool Replay::needsPhase(const SyncGraph::Wait &wait) const {
  return wait.phase != kNone && wait.verdict != Verdict::NotKnown &&
         graph->phases()[wait.phase].released <= std::max(wait.begin, wait.released);
}

bool Replay::needsFlight(const SyncGraph::Wait &wait) const {
  if (wait.flight == kNone || wait.verdict == Verdict::NotKnown)
    return false;
  const SyncGraph::Flight &flight = graph->flights()[wait.flight];
  return graph->events()[flight.event].at + flight.assumed <= std::max(wait.begin, wait.released);
}

bool Replay::build(const SyncBlock &next, const SyncGraph &nextGraph, const SelfTime &nextOwn) {
  block = &next;
  graph = &nextGraph;
  own = &nextOwn;
  nodes.clear();
  shareList.clear();
  warpFirst.clear();
  nodeOfEvent.assign(graph->events().size(), kNone);
  for (std::uint32_t warp = 0; warp < block->warps.size(); ++warp) {
    warpFirst.push_back(static_cast<std::uint32_t>(nodes.size()));
    addNodes(warp);
  }
  warpFirst.push_back(static_cast<std::uint32_t>(nodes.size()));
  linkPhases();
  return order();
}

/// A warp's begin, its events, where its waits begin and end, and its end, in order.
void Replay::addNodes(std::uint32_t warp) {
  const SyncWarp &what = block->warps[warp];
  const auto events = graph->events();
  const auto waits = graph->waits();
  auto event = static_cast<std::uint32_t>(std::ranges::lower_bound(events, warp, {}, &SyncGraph::Event::warp) - events.begin());
  const auto add = [&](Node node) {
    node.warp = warp;
    if (node.is != Node::Is::Begin)
      node.previous = static_cast<std::uint32_t>(nodes.size() - 1);
    if (node.is == Node::Is::Event)
      nodeOfEvent[node.what] = static_cast<std::uint32_t>(nodes.size());
    if (node.is != Node::Is::Begin)
      addShares(node, nodes.back().at);
    nodes.push_back(node);
  };
  const auto addEvents = [&](std::uint64_t before) {
    for (; event < events.size() && events[event].warp == warp && events[event].at <= before; ++event)
      add({.is = Node::Is::Event, .warp = warp, .previous = kNone, .at = events[event].at, .what = event});
  };
  add({.is = Node::Is::Begin, .warp = warp, .previous = kNone, .at = what.begin});
  const auto first = std::ranges::lower_bound(waits, warp, {}, &SyncGraph::Wait::warp) - waits.begin();
  for (auto i = static_cast<std::uint32_t>(first); i < waits.size() && waits[i].warp == warp; ++i) {
    if (waits[i].isInner)
      continue;
    addEvents(waits[i].begin);
    add({.is = Node::Is::WaitBegin, .warp = warp, .previous = kNone, .at = waits[i].begin, .what = i});
    const auto begin = static_cast<std::uint32_t>(nodes.size() - 1);
    addEvents(waits[i].end - (waits[i].cycles() > 0)); // of constructs inside
    Node end{.is = Node::Is::WaitEnd, .warp = warp, .previous = begin, .at = waits[i].end, .what = i};
    addTail(end, waits[i]);
    nodes.push_back(end);
  }
  addEvents(what.end);
  add({.is = Node::Is::End, .warp = warp, .previous = kNone, .at = what.end});
}

void Replay::addShares(Node &node, std::uint64_t from) {
  node.firstShare = static_cast<std::uint32_t>(shareList.size());
  from = std::max(from, block->warps[node.warp].completeFrom);
  own->forBetween(node.warp, from, node.at, [&](std::uint64_t begin, std::uint64_t end, std::uint32_t region) {
    const Kind kind = region == RegionSet::kNone                            ? Kind::NoRegion
                      : regions.kinds()[region] == format::RegionKind::Wait ? Kind::Wait
                                                                            : Kind::Region;
    const auto known = std::ranges::find(shareList.begin() + node.firstShare, shareList.end(), PathStep{kind, region}, &Share::step);
    if (known == shareList.end())
      shareList.push_back({{kind, region}, end - begin});
    else
      known->cycles += end - begin;
  });
  node.shares = static_cast<std::uint32_t>(shareList.size()) - node.firstShare;
}

/// What a wait took after its release, or all of it where it did not wait.
void Replay::addTail(Node &node, const SyncGraph::Wait &wait) {
  if (wait.verdict == Verdict::NotWaited)
    return addShares(node, wait.begin);
  node.firstShare = static_cast<std::uint32_t>(shareList.size());
  if (wait.verdict == Verdict::NotKnown)
    return;
  const Kind kind = wait.verdict == Verdict::Released ? Kind::Wait : Kind::OtherBlocks;
  shareList.push_back({{kind, wait.region}, wait.end - std::max(wait.begin, wait.released)});
  node.shares = 1;
}

void Replay::linkPhases() {
  const auto members = graph->phaseEvents();
  phasesFirst.assign(graph->events().size() + 1, 0);
  for (const std::uint32_t event : members)
    ++phasesFirst[event + 1];
  for (std::size_t i = 1; i < phasesFirst.size(); ++i)
    phasesFirst[i] += phasesFirst[i - 1];
  phasesOfEvent.resize(members.size());
  std::vector<std::uint32_t> next(phasesFirst.begin(), phasesFirst.end() - 1);
  for (std::uint32_t phase = 0; phase < graph->phases().size(); ++phase) {
    const SyncGraph::Phase &what = graph->phases()[phase];
    for (std::uint32_t i = what.first; i < what.first + what.count; ++i)
      phasesOfEvent[next[members[i]]++] = phase;
  }
}

/// Puts each node after those that it needs: a warp goes on until it comes to a wait for what others have not done yet.
bool Replay::order() {
  const std::size_t phases = graph->phases().size();
  left.resize(phases);
  for (std::size_t i = 0; i < phases; ++i)
    left[i] = graph->phases()[i].count;
  blocked.clear();
  isDone.assign(graph->events().size(), false);
  sequence.clear();
  ready.clear();
  for (std::uint32_t warp = 0; warp < block->warps.size(); ++warp)
    ready.push_back(warp);
  std::vector<std::uint32_t> at(warpFirst.begin(), warpFirst.end() - 1);
  while (!ready.empty()) {
    const std::uint32_t warp = ready.back();
    ready.pop_back();
    for (; at[warp] < warpFirst[warp + 1] && !isBlocked(nodes[at[warp]]); ++at[warp]) {
      sequence.push_back(at[warp]);
      if (nodes[at[warp]].is == Node::Is::Event)
        finish(nodes[at[warp]].what);
    }
  }
  return sequence.size() == nodes.size();
}

bool Replay::isBlocked(const Node &node) {
  if (node.is != Node::Is::WaitEnd)
    return false;
  const SyncGraph::Wait &wait = graph->waits()[node.what];
  if (needsPhase(wait) && left[wait.phase] > 0) {
    blocked[wait.phase].push_back(node.warp);
    return true;
  }
  const std::uint32_t issue = needsFlight(wait) ? graph->flights()[wait.flight].event : kNone;
  if (issue == kNone || isDone[issue])
    return false;
  blocked[left.size() + issue].push_back(node.warp);
  return true;
}

void Replay::finish(std::uint32_t event) {
  isDone[event] = true;
  const auto wake = [&](std::size_t key) {
    if (const auto waiting = blocked.find(key); waiting != blocked.end()) {
      ready.insert(ready.end(), waiting->second.begin(), waiting->second.end());
      blocked.erase(waiting);
    }
  };
  for (std::uint32_t i = phasesFirst[event]; i < phasesFirst[event + 1]; ++i)
    if (--left[phasesOfEvent[i]] == 0)
      wake(phasesOfEvent[i]);
  wake(left.size() + event);
}

std::uint64_t Replay::rest(const Node &node, const PathStep &without) const {
  std::uint64_t out = 0;
  for (std::uint32_t i = node.firstShare; i < node.firstShare + node.shares; ++i)
    out += shareList[i].step == without ? 0 : shareList[i].cycles;
  return out;
}

std::uint64_t Replay::waitEnd(const Node &node, const PathStep &without, const Needs &needs) const {
  std::uint64_t base = std::max(times[node.previous], block->warps[node.warp].completeFrom);
  if (const SyncGraph::Wait &wait = graph->waits()[node.what]; wait.verdict == Verdict::NotKnown)
    return std::max(base, wait.end);
  const std::uint32_t needed = needs.empty() ? node.what : needs[node.what];
  if (needed == kNone)
    return base + rest(node, without);
  const SyncGraph::Wait &wait = graph->waits()[needed];
  if (needsPhase(wait))
    base = std::max(base, phaseTimes[wait.phase]);
  if (needsFlight(wait)) {
    const SyncGraph::Flight &flight = graph->flights()[wait.flight];
    const bool isInstant = without == PathStep{Kind::Flight, graph->events()[flight.event].region};
    base = std::max(base, times[nodeOfEvent[flight.event]] + (isInstant ? 0 : flight.assumed));
  }
  return base + rest(node, without);
}

std::uint64_t Replay::lengthWith(std::span<const Deeper> rings) const {
  Needs needs(graph->waits().size());
  std::iota(needs.begin(), needs.end(), 0u);
  for (const Deeper &ring : rings)
    for (const std::vector<std::uint32_t> &waits : ring.asks)
      for (std::size_t i = 0; i < waits.size(); ++i)
        needs[waits[i]] = i < ring.more ? kNone : waits[i - ring.more];
  return length({Kind::NotKnown}, needs);
}

std::uint64_t Replay::length(const PathStep &step, const Needs &needs) const {
  times.resize(nodes.size());
  phaseTimes.assign(graph->phases().size(), 0);
  std::uint64_t last = block->begin;
  for (const std::uint32_t index : sequence) {
    const Node &node = nodes[index];
    std::uint64_t &time = times[index];
    const SyncWarp &warp = block->warps[node.warp];
    if (node.at < warp.completeFrom || node.at > warp.completeTo)
      time = node.at; // the path does not come here either
    else if (node.is == Node::Is::Begin)
      time = step.kind == Kind::Start ? block->begin : node.at;
    else if (node.is == Node::Is::WaitEnd)
      time = waitEnd(node, step, needs);
    else
      time = std::max(times[node.previous], warp.completeFrom) + rest(node, step);
    if (node.is == Node::Is::Event)
      for (std::uint32_t i = phasesFirst[node.what]; i < phasesFirst[node.what + 1]; ++i)
        phaseTimes[phasesOfEvent[i]] = std::max(phaseTimes[phasesOfEvent[i]], time);
    else if (node.is == Node::Is::End)
      last = std::max(last, time);
  }
  return last - block->begin;
}

} // namespace kperf::decoder
