// Finds who waited for whom in one block.
#include "decoder/sync/SyncGraph.h"

#include <algorithm>
#include <tuple>

namespace kperf::decoder {
namespace {

using format::SyncObject;
using format::SyncOperation;

constexpr std::uint64_t kNever = ~std::uint64_t{0};

bool isAwait(SyncOperation operation) { return operation == SyncOperation::Await || operation == SyncOperation::CommitAwait; }
bool isBarrier(SyncObject kind) { return kind >= SyncObject::BlockBarrier && kind <= SyncObject::SharedBarrier; }
/// Whether what happens on it, by any warp, is kept by the object's number.
bool isShared(SyncObject kind) {
  return isBarrier(kind) || kind == SyncObject::Pipeline || kind == SyncObject::PipelineStage || kind == SyncObject::PipelineSlot;
}
bool isUnknown(SyncObject kind, std::uint32_t object) { return isAddress(kind) && object == format::kNoAddress; }
/// Whether the code came to no barrier there.
bool isNoBarrier(SyncObject kind, std::uint32_t object) { return kind == SyncObject::BlockBarrier && object == format::kNoBarrier; }

} // namespace

void SyncGraph::giveUp(Wait &wait, UnknownReason why) {
  wait.verdict = Verdict::NotKnown;
  wait.why = why;
  wait.phase = wait.flight = kNone;
}

UnknownReason SyncGraph::unknownBetween(std::uint64_t from, std::uint64_t to) const {
  if (block->why != UnknownReason::None)
    return block->why;
  return to > completeTo ? whyTo : from < completeFrom ? whyFrom : UnknownReason::None;
}

void SyncGraph::build(const SyncBlock &next) {
  block = &next;
  waitList.clear();
  eventList.clear();
  phaseList.clear();
  phaseMembers.clear();
  flightList.clear();
  objects.clear();
  objectIndex.clear();
  completeFrom = 0;
  completeTo = kNever;
  hasRemoteArrivals = regions.hasRemoteArrivals();
  hasUnnumberedArrivals = regions.hasUnnumberedArrivals();
  closesIssues.assign(regions.size(), false);
  for (const SyncWarp &warp : block->warps)
    noteCommits(warp);
  for (std::uint32_t i = 0; i < block->warps.size(); ++i) {
    const SyncWarp &warp = block->warps[i];
    if (warp.completeFrom > completeFrom)
      std::tie(completeFrom, whyFrom) = std::pair(warp.completeFrom, warp.why);
    if (warp.completeTo < completeTo)
      std::tie(completeTo, whyTo) = std::pair(warp.completeTo, warp.why);
    collect(i);
  }
  for (Object &object : objects) {
    sortObject(object);
    if (object.kind == SyncObject::Pipeline) {
      resolvePipeline(object);
      continue;
    }
    if (object.kind == SyncObject::PipelineStage) {
      resolveStages(object);
      continue;
    }
    const bool isCounted = object.kind == SyncObject::SharedBarrier && !object.signals.empty();
    if (isCounted) { // with arrivals of their own the waits that arrive do not show where a phase begins
      object.awaits.insert(object.awaits.end(), object.barriers.begin(), object.barriers.end());
      std::ranges::stable_sort(object.awaits, {}, [&](std::uint32_t wait) { return waitList[wait].begin; });
    } else {
      resolveBarriers(object);
    }
    resolveAwaits(object);
  }
  settleFlights();
}

/// Adds a warp's waits and signals in their order.
void SyncGraph::collect(std::uint32_t warp) {
  const SyncWarp &what = block->warps[warp];
  Groups groups[kGroupKinds];
  outer = kNone;
  warpWaits.clear();
  for (const Span &span : what.spans)
    if (regions.kinds()[span.region] == format::RegionKind::Wait)
      warpWaits.push_back(span);
  // One that passed at once where another begins came before it, not inside.
  std::ranges::stable_sort(warpWaits, {}, [](const Span &span) { return std::pair(span.begin, span.cycles() > 0); });
  auto signal = what.signals.begin();
  for (const Span &span : warpWaits) {
    for (; signal != what.signals.end() && signal->at <= span.begin; ++signal)
      addSignal(warp, *signal, groups);
    if (regions[span.region].operation == SyncOperation::CommitAwait)
      addSignal(warp, {.at = span.begin, .region = span.region}, groups);
    addWait(warp, span, groups);
  }
  for (; signal != what.signals.end(); ++signal)
    addSignal(warp, *signal, groups);
}

SyncGraph::Object &SyncGraph::objectOf(std::uint32_t region, std::uint32_t object) {
  const SyncObject kind = regions[region].object;
  const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(kind)} << 32 | object;
  const auto [entry, isNew] = objectIndex.try_emplace(key, static_cast<std::uint32_t>(objects.size()));
  if (isNew)
    objects.push_back({.kind = kind,
                       .value = object,
                       .arrivalsOf = std::vector<std::vector<std::uint32_t>>(block->warps.size()),
                       .lanesOf = std::vector<std::uint32_t>(block->warps.size())});
  return objects[entry->second];
}

/// Of waits inside one another the outer one is followed, unless nothing is known of what it waits for.
void SyncGraph::nest(const Wait &wait) {
  const auto index = static_cast<std::uint32_t>(waitList.size());
  if (outer == kNone || waitList[outer].end <= wait.begin) {
    outer = index;
  } else if (const SyncObject kind = regions[waitList[outer].region].object;
             kind == SyncObject::Unknown || kind == SyncObject::SomeBlockBarrier || kind == SyncObject::Lanes) {
    waitList[outer].isInner = true;
    outer = index;
  }
}

void SyncGraph::addWait(std::uint32_t warp, const Span &span, Groups (&groups)[kGroupKinds]) {
  const Region &region = regions[span.region];
  Wait wait{.begin = span.begin, .end = span.end, .warp = warp, .region = span.region, .object = regions.objectIn(span.region, span.lanes)};
  wait.isOfCluster = wait.object != span.lanes;
  nest(wait);
  const auto index = static_cast<std::uint32_t>(waitList.size());
  wait.isInner = outer != index;
  const bool isReady = wait.cycles() <= kReadyCycles; // whatever it is for
  if (isGroup(region.object) && isAwait(region.operation)) {
    awaitGroups(wait, groups[groupOf(region.object)]);
  } else if (isUnknown(region.object, wait.object)) {
    if (!isReady)
      giveUp(wait, UnknownReason::Object);
  } else if (isNoBarrier(region.object, wait.object)) { // nothing was waited for
  } else if (isBarrier(region.object) && region.operation == SyncOperation::Barrier) {
    Object &object = objectOf(span.region, wait.object);
    const auto event = static_cast<std::uint32_t>(eventList.size());
    eventList.push_back({span.begin, warp, span.region});
    object.arrivals.push_back(event);
    object.arrivalsOf[warp].push_back(event);
    object.barriers.push_back(index);
    wait.by = event; // until it is settled: its own arrival
  } else if (isShared(region.object) && region.operation == SyncOperation::Await) {
    objectOf(span.region, wait.object).awaits.push_back(index);
  } else if (region.object != SyncObject::Lanes && !isReady) {
    giveUp(wait, UnknownReason::Object);
  }
  waitList.push_back(wait);
}

void SyncGraph::addSignal(std::uint32_t warp, const Mark &mark, Groups (&groups)[kGroupKinds]) {
  const Region &region = regions[mark.region];
  const auto event = static_cast<std::uint32_t>(eventList.size());
  eventList.push_back({mark.at, warp, mark.region});
  if (isGroup(region.object)) {
    Groups &group = groups[groupOf(region.object)];
    if (region.operation == SyncOperation::Issue) {
      group.hasIssues = true;
      group.firstIssue = group.firstIssue == kNone ? event : group.firstIssue;
    } else if (region.operation == SyncOperation::Commit || region.operation == SyncOperation::CommitAwait) {
      const bool hasIssue = group.firstIssue != kNone;
      group.closed.push_back({hasIssue ? group.firstIssue : event, hasIssue, !hasIssue && closesIssues[mark.region]});
      group.firstIssue = kNone;
    }
    return;
  }
  if (isUnknown(region.object, mark.payload) || isNoBarrier(region.object, mark.payload))
    return;
  const bool isBoth = region.operation == SyncOperation::ArriveIssue;
  if (isShared(region.object) && (isBoth || region.operation == SyncOperation::Arrive || region.operation == SyncOperation::Commit)) {
    Object &object = objectOf(mark.region, mark.payload);
    object.isDiverged |= !object.arrivalsOf[warp].empty() && object.lanesOf[warp] != mark.lanes;
    object.lanesOf[warp] = mark.lanes;
    object.arrivals.push_back(event);
    object.signals.push_back(event);
    object.arrivalsOf[warp].push_back(event);
  }
  if (isBarrier(region.object) && (isBoth || region.operation == SyncOperation::Issue))
    objectOf(mark.region, mark.payload).issues.push_back(event);
}

void SyncGraph::sortObject(Object &object) {
  const auto byTime = [&](std::uint32_t event) { return eventList[event].at; };
  for (auto *list : {&object.arrivals, &object.signals, &object.issues})
    std::ranges::stable_sort(*list, {}, byTime);
  for (auto *list : {&object.barriers, &object.awaits})
    std::ranges::stable_sort(*list, {}, [&](std::uint32_t wait) { return std::pair(waitList[wait].begin, waitList[wait].end); });
  for (const std::uint32_t wait : object.awaits)
    object.ends.push_back(waitList[wait].end);
  for (const std::uint32_t wait : object.barriers)
    object.ends.push_back(waitList[wait].end);
  std::ranges::sort(object.ends);
}

std::uint32_t SyncGraph::addPhase() {
  const auto last = std::ranges::max_element(members, {}, [&](std::uint32_t event) { return eventList[event].at; });
  phaseList.push_back(
      {static_cast<std::uint32_t>(phaseMembers.size()), static_cast<std::uint32_t>(members.size()), eventList[*last].at, *last});
  phaseMembers.insert(phaseMembers.end(), members.begin(), members.end());
  return static_cast<std::uint32_t>(phaseList.size() - 1);
}

std::uint32_t SyncGraph::addFlight(std::uint32_t event) {
  flightList.push_back({event, kNever, 0, true, 0});
  return static_cast<std::uint32_t>(flightList.size() - 1);
}

/// Nobody leaves a barrier before all have come: waits that begin before the first of them ends are of one phase.
void SyncGraph::resolveBarriers(Object &object) {
  lastFirstEnd = lastRelease = 0;
  nextSignal = 0;
  const std::vector<std::uint32_t> &waits = object.barriers;
  std::vector<std::uint32_t> seen(block->warps.size(), kNone); // by warp: the last phase that it is in
  for (std::size_t first = 0, next = 0; first < waits.size(); first = next) {
    std::uint64_t firstEnd = kNever;
    members.clear();
    for (; next < waits.size(); ++next) {
      const Wait &wait = waitList[waits[next]];
      // At the very time of the first end only one that came last and passed at once still belongs here.
      const bool isLast = wait.begin == firstEnd && wait.end == wait.begin && seen[wait.warp] != first;
      if (wait.begin >= firstEnd && !isLast)
        break;
      firstEnd = std::min(firstEnd, wait.end);
      seen[wait.warp] = static_cast<std::uint32_t>(first);
      members.push_back(wait.by);
    }
    takeSignals(object, firstEnd);
    const std::uint32_t phase = addPhase();
    const UnknownReason why = unknownBetween(waitList[waits[first]].begin, firstEnd);
    lastFirstEnd = firstEnd;
    lastRelease = phaseList[phase].released;
    for (std::size_t i = first; i < next; ++i) {
      Wait &wait = waitList[waits[i]];
      wait.phase = phase;
      if (why != UnknownReason::None)
        giveUp(wait, why);
    }
  }
}

/// Adds to the phase's members, for each warp that signals, its first arrival since waits of the phase before ended;
/// else the last one between the release of that phase and its first end: of a warp that was quicker than those who
/// waited.
void SyncGraph::takeSignals(const Object &object, std::uint64_t firstEnd) {
  if (object.signals.empty())
    return;
  std::vector<std::uint32_t> chosen(block->warps.size(), kNone);
  const auto at = [&](std::size_t i) { return eventList[object.signals[i]].at; };
  const bool isFirst = lastFirstEnd == 0;
  while (!isFirst && nextSignal < object.signals.size() && at(nextSignal) <= lastRelease)
    ++nextSignal;
  for (std::size_t i = nextSignal; i < object.signals.size() && at(i) <= firstEnd; ++i) {
    std::uint32_t &mine = chosen[eventList[object.signals[i]].warp];
    if (mine == kNone || eventList[mine].at <= lastFirstEnd)
      mine = object.signals[i];
  }
  for (const std::uint32_t event : chosen)
    if (event != kNone)
      members.push_back(event);
}

void SyncGraph::resolveAwaits(Object &object) {
  previousEnd.assign(block->warps.size(), 0);
  previousRelease.assign(block->warps.size(), 0);
  phaseIndex.clear();
  flightIndex.clear();
  for (const std::uint32_t index : object.awaits) {
    Wait &wait = waitList[index];
    wait.isFirst = completeFrom == 0 && wait.begin < object.ends.front();
    const std::size_t count = arrivalsBefore(object, wait);
    if (count > 0 && !hasCountedArrivals(object, wait, count))
      continue;
    if (count == 0)
      findArrivals(object, wait);
    if (wait.verdict == Verdict::NotKnown)
      continue;
    findIssue(object, wait);
    previousEnd[wait.warp] = wait.end;
    if (wait.phase != kNone)
      previousRelease[wait.warp] = phaseList[wait.phase].released;
  }
}

std::size_t SyncGraph::arrivalsBefore(const Object &object, const Wait &wait) const {
  const std::vector<std::uint32_t> &own = object.arrivalsOf[wait.warp];
  const auto byTime = [&](std::uint32_t event) { return eventList[event].at; };
  return static_cast<std::size_t>(std::ranges::upper_bound(own, wait.begin, {}, byTime) - own.begin());
}

/// A warp that arrives on what it waits for waits for the phase that its own arrivals count.
bool SyncGraph::hasCountedArrivals(const Object &object, Wait &wait, std::size_t count) {
  if (const UnknownReason why = unknownBetween(0, wait.end); why != UnknownReason::None) {
    giveUp(wait, why);
    return false;
  }
  const auto [entry, isNew] = phaseIndex.try_emplace(count, kNone);
  if (isNew) {
    members.clear();
    std::uint64_t next = kNever; // the first arrival of the phase after
    for (const std::vector<std::uint32_t> &arrivals : object.arrivalsOf) {
      if (arrivals.size() >= count)
        members.push_back(arrivals[count - 1]);
      if (arrivals.size() > count)
        next = std::min(next, eventList[arrivals[count]].at);
    }
    const std::uint32_t phase = addPhase();
    entry->second = phaseList[phase].released <= next ? phase : kNone;
  }
  if (entry->second == kNone || phaseList[entry->second].released > wait.end) {
    giveUp(wait, UnknownReason::Counts);
    return false;
  }
  wait.phase = entry->second;
  return true;
}

/// The latest arrival before the wait's end let it go on, and those since the phase before had to come.
void SyncGraph::findArrivals(const Object &object, Wait &wait) {
  const auto byTime = [&](std::uint32_t event) { return eventList[event].at; };
  const std::vector<std::uint32_t> &all = object.arrivals;
  const auto last = static_cast<std::size_t>(std::ranges::upper_bound(all, wait.end, {}, byTime) - all.begin());
  const std::uint64_t came = last == 0 ? 0 : eventList[all[last - 1]].at;
  if (const UnknownReason why = unknownBetween(came, wait.end); why != UnknownReason::None)
    return giveUp(wait, why);
  if (last == 0)
    return;
  const std::uint64_t before = previousRelease[wait.warp];
  auto first = before == 0 ? std::size_t{0} : static_cast<std::size_t>(std::ranges::upper_bound(all, before, {}, byTime) - all.begin());
  first = std::min(first, last - 1);
  const auto [entry, isNew] = phaseIndex.try_emplace(std::uint64_t{first} << 32 | last | std::uint64_t{1} << 63, kNone);
  if (isNew) {
    members.assign(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last));
    entry->second = addPhase();
  }
  wait.phase = entry->second;
}

/// Asynchronous work that ends on the object: what was issued since anybody last saw the object complete, unless the
/// warp has seen that already.
void SyncGraph::findIssue(const Object &object, Wait &wait) {
  const auto byTime = [&](std::uint32_t event) { return eventList[event].at; };
  const std::vector<std::uint32_t> &issues = object.issues;
  const auto end = std::ranges::upper_bound(issues, wait.end, {}, byTime);
  if (end == issues.begin())
    return;
  const std::uint64_t last = eventList[*(end - 1)].at;
  if (const UnknownReason why = unknownBetween(last, wait.end); why != UnknownReason::None)
    return giveUp(wait, why);
  if (last < previousEnd[wait.warp])
    return;
  const auto seen = std::ranges::upper_bound(object.ends, last);
  const std::uint64_t since = seen == object.ends.begin() ? 0 : *(seen - 1);
  const std::uint32_t first = *std::ranges::lower_bound(issues.begin(), end, since, {}, byTime);
  const auto [entry, isNew] = flightIndex.try_emplace(first, kNone);
  if (isNew)
    entry->second = addFlight(first);
  wait.flight = entry->second;
}

} // namespace kperf::decoder
