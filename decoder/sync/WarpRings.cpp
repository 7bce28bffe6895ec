// Rings of slots through which warps of one role hand data to those of another.
#include "decoder/sync/WarpRings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace kperf::decoder {
namespace {

using format::SyncObject;
using format::SyncOperation;
using Warps = std::set<std::uint32_t>;
constexpr std::uint32_t kStagesMask = (1u << format::kPipelineShift) - 1;

/// Something that warps signal and others wait for.
struct Object {
  struct Arrival {
    std::uint64_t at;
    std::uint32_t warp, lanes, region;
  };
  struct Await {
    std::uint64_t begin, end, complete; ///< complete: when the asynchronous copies were, at the latest; 0 without any
    std::uint32_t warp, region, index;  ///< index: in the graph's waits
  };
  std::vector<Arrival> arrivals; ///< by warp, then time
  std::vector<Arrival> issues;   ///< by warp, then time
  std::vector<Await> awaits;     ///< by warp, then time
  bool isOfSlot = false;         ///< a PipelineSlot of its address says when it is free

  Warps arrivers() const {
    Warps out;
    for (const Arrival &arrival : arrivals)
      out.insert(arrival.warp);
    return out;
  }
  Warps waiters() const {
    Warps out;
    for (const Await &await : awaits)
      out.insert(await.warp);
    return out;
  }
  std::uint64_t firstArrival() const { return std::ranges::min(arrivals, {}, &Arrival::at).at; }
  std::uint64_t firstAwait() const { return std::ranges::min(awaits, {}, &Await::begin).begin; }
  /// Whether lanes of a warp signalled that did not always: then a warp's count is not its lanes'.
  bool isDiverged() const {
    return std::ranges::adjacent_find(
               arrivals, [](const Arrival &a, const Arrival &b) { return a.warp == b.warp && a.lanes != b.lanes; }) != arrivals.end();
  }
};
using Objects = std::map<std::pair<SyncObject, std::uint32_t>, Object>;

std::set<std::uint32_t> placesOf(const auto &list) {
  std::set<std::uint32_t> out;
  for (const auto &one : list)
    out.insert(one.region);
  return out;
}

bool haveCommon(const Warps &a, const Warps &b) {
  return std::ranges::any_of(a, [&](std::uint32_t warp) { return b.contains(warp); });
}

/// What happened to a slot, in the order in which it does at one time.
struct SlotEvent {
  enum class Is : std::uint8_t { Arrive, Take, Release, Acquire } is;
  std::uint64_t at, complete = 0;
};

/// Turns of a slot from what happened to it.
void addFills(std::uint32_t slot, std::vector<SlotEvent> &events, std::vector<RingFill> &fills) {
  std::ranges::stable_sort(events, {}, [](const SlotEvent &event) { return std::pair(event.at, event.is); });
  const std::size_t first = fills.size();
  const auto isOver = [&] { return fills.size() == first || fills.back().released != RingFill::kNever; };
  for (const auto &[is, at, complete] : events) {
    if ((is == SlotEvent::Is::Acquire || is == SlotEvent::Is::Arrive) && isOver())
      fills.push_back({.slot = slot, .acquired = at});
    if (fills.size() == first)
      continue; // a release before anything was filled
    RingFill &fill = fills.back();
    if (is == SlotEvent::Is::Arrive && fill.taken == RingFill::kNever) {
      fill.filled = at;
    } else if (is == SlotEvent::Is::Take && fill.filled != RingFill::kNever && fill.taken == RingFill::kNever) {
      fill.taken = at;
      fill.filled = std::clamp(complete, fill.filled, at);
    } else if (is == SlotEvent::Is::Release && fill.taken != RingFill::kNever) {
      fill.released = at;
    }
  }
}

class RingFinder {
public:
  RingFinder(const SyncBlock &block, const RegionSet &regions, const SyncGraph &graph) : block(block), regions(regions), graph(graph) {}

  std::vector<WarpRing> find();

private:
  struct Slot {
    const Object *full, *empty;
  };
  void collect();
  void addSlots();
  void addBarriers();
  void addPipelines();
  void addRing(std::span<const Slot> slots);
  void addPipeline(const Object &pipeline, const Object &stages, std::uint32_t count);
  void setAsks(WarpRing &ring, std::vector<const Object::Await *> asks) const;

  const SyncBlock &block;
  const RegionSet &regions;
  const SyncGraph &graph;
  std::uint64_t completeTo = RingFill::kNever;
  Objects objects;
  std::vector<WarpRing> rings;
};

void RingFinder::collect() {
  for (std::uint32_t warp = 0; warp < block.warps.size(); ++warp)
    for (const Mark &mark : block.warps[warp].signals) {
      const Region &region = regions[mark.region];
      if (!isHandover(region.object) || mark.at > completeTo)
        continue;
      const bool isBoth = region.operation == SyncOperation::ArriveIssue;
      if (isBoth || region.operation == SyncOperation::Arrive || region.operation == SyncOperation::Commit)
        objects[{region.object, mark.payload}].arrivals.push_back({mark.at, warp, mark.lanes, mark.region});
      if (isBoth || region.operation == SyncOperation::Issue)
        objects[{region.object, mark.payload}].issues.push_back({mark.at, warp, mark.lanes, mark.region});
    }
  for (std::uint32_t index = 0; index < graph.waits().size(); ++index) {
    const SyncGraph::Wait &wait = graph.waits()[index];
    const Region &region = regions[wait.region];
    if (wait.isInner || !isHandover(region.object) || region.operation != SyncOperation::Await || wait.end > completeTo)
      continue;
    std::uint64_t complete = 0;
    if (wait.flight != SyncGraph::kNone) {
      const SyncGraph::Flight &flight = graph.flights()[wait.flight];
      complete = graph.events()[flight.event].at + flight.assumed;
    }
    objects[{region.object, wait.object}].awaits.push_back({wait.begin, wait.end, complete, wait.warp, wait.region, index});
  }
}

void RingFinder::setAsks(WarpRing &ring, std::vector<const Object::Await *> asks) const {
  std::ranges::sort(asks, {}, &Object::Await::index); // which is by warp, then time
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (i == 0 || asks[i]->warp != asks[i - 1]->warp)
      ring.asks.emplace_back();
    ring.asks.back().push_back(asks[i]->index);
  }
  const auto isFree = [&](const std::vector<std::uint32_t> &waits) {
    const SyncGraph::Wait &first = graph.waits()[waits.front()];
    return (first.phase == SyncGraph::kNone && first.flight == SyncGraph::kNone) || waits.size() + ring.slots <= ring.fills.size();
  };
  if (!std::ranges::all_of(ring.asks, isFree))
    ring.asks.clear();
}

/// Of pairs of barriers with the same warps on both sides: of those whose waits stand in other places of the source, a ring each.
void RingFinder::addRing(std::span<const Slot> slots) {
  std::vector<std::set<std::uint32_t>> places;
  std::vector<std::vector<Slot>> parts;
  for (const Slot &slot : slots) {
    std::set<std::uint32_t> mine = placesOf(slot.full->awaits);
    std::size_t part = 0;
    while (part < parts.size() && !haveCommon(places[part], mine))
      ++part;
    if (part == parts.size()) {
      parts.emplace_back();
      places.emplace_back();
    }
    parts[part].push_back(slot);
    places[part].merge(mine);
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    WarpRing ring;
    ring.takes.assign(places[part].begin(), places[part].end());
    Warps fillers, drainers;
    std::set<std::uint32_t> issues;
    std::vector<const Object::Await *> asks;
    for (const Slot &slot : parts[part]) {
      std::vector<SlotEvent> events;
      for (const Object::Arrival &arrival : slot.full->arrivals)
        events.push_back({SlotEvent::Is::Arrive, arrival.at});
      for (const Object::Await &await : slot.full->awaits)
        events.push_back({SlotEvent::Is::Take, await.end, await.complete});
      for (const Object::Arrival &arrival : slot.empty->arrivals)
        events.push_back({SlotEvent::Is::Release, arrival.at});
      for (const Object::Await &await : slot.empty->awaits) {
        events.push_back({SlotEvent::Is::Acquire, await.end});
        asks.push_back(&await);
      }
      addFills(ring.slots++, events, ring.fills);
      ring.areSidesKnown |= slot.full->isOfSlot || !slot.full->issues.empty();
      issues.merge(placesOf(slot.full->issues));
      fillers.merge(slot.full->arrivers());
      drainers.merge(slot.full->waiters());
    }
    ring.fillers.assign(fillers.begin(), fillers.end());
    ring.drainers.assign(drainers.begin(), drainers.end());
    ring.issues.assign(issues.begin(), issues.end());
    setAsks(ring, std::move(asks));
    rings.push_back(std::move(ring));
  }
}

/// Of barriers whose slots are known. Copies into a slot that nobody arrives for fill it.
void RingFinder::addSlots() {
  std::vector<Slot> slots;
  for (const auto &[key, empty] : objects) {
    const auto full = objects.find({SyncObject::SharedBarrier, key.second});
    if (key.first != SyncObject::PipelineSlot || key.second == format::kNoAddress || full == objects.end())
      continue;
    full->second.isOfSlot = true;
    if (full->second.arrivals.empty())
      full->second.arrivals = full->second.issues;
    slots.push_back({&full->second, &empty});
  }
  addRing(slots);
}

void RingFinder::addBarriers() {
  using Group = std::vector<const Object *>;
  std::map<std::pair<Warps, Warps>, Group> groups; // by who signals and who waits
  for (const auto &[key, object] : objects)
    if (const std::pair sides(object.arrivers(), object.waiters()); key.first == SyncObject::SharedBarrier && !object.isOfSlot &&
                                                                    !sides.first.empty() && !sides.second.empty() &&
                                                                    !haveCommon(sides.first, sides.second))
      groups[sides].push_back(&object);
  const auto isFirst = [](const Group &a, const Group &b) {
    const auto rank = [](const Group &group) {
      const bool hasIssues = std::ranges::any_of(group, [](const Object *object) { return !object->issues.empty(); });
      return std::pair(!hasIssues, (*std::ranges::min_element(group, {}, &Object::firstArrival))->firstArrival());
    };
    return rank(a) < rank(b);
  };
  std::set<const Group *> used;
  for (auto &[full, fulls] : groups)
    for (auto &[empty, empties] : groups) {
      const bool isPair =
          haveCommon(full.first, empty.second) && haveCommon(empty.first, full.second) && !haveCommon(full.second, empty.second);
      if (!isPair || fulls.size() != empties.size() || !isFirst(fulls, empties) || used.contains(&fulls) || used.contains(&empties))
        continue;
      used.insert({&fulls, &empties});
      std::ranges::sort(fulls, {}, &Object::firstArrival);
      std::ranges::sort(empties, {}, &Object::firstAwait);
      std::vector<Slot> slots;
      for (std::size_t i = 0; i < fulls.size(); ++i)
        slots.push_back({fulls[i], empties[i]});
      addRing(slots);
    }
}

/// What a warp did to a pipeline for the n-th time it did to the stage n modulo their number.
void RingFinder::addPipeline(const Object &pipeline, const Object &stages, std::uint32_t count) {
  std::vector<std::vector<SlotEvent>> events(count);
  const auto add = [&](SlotEvent::Is is, const auto &list, auto timeOf) {
    std::map<std::uint32_t, std::uint32_t> done; // by warp
    for (const auto &one : list)
      events[done[one.warp]++ % count].push_back(timeOf(is, one));
  };
  const auto arrival = [](SlotEvent::Is is, const Object::Arrival &one) { return SlotEvent{is, one.at}; };
  const auto await = [](SlotEvent::Is is, const Object::Await &one) { return SlotEvent{is, one.end, one.complete}; };
  add(SlotEvent::Is::Arrive, pipeline.arrivals, arrival);
  add(SlotEvent::Is::Take, pipeline.awaits, await);
  add(SlotEvent::Is::Release, stages.arrivals, arrival);
  add(SlotEvent::Is::Acquire, stages.awaits, await);
  WarpRing ring{.slots = count, .areSidesKnown = true};
  for (std::uint32_t slot = 0; slot < count; ++slot)
    addFills(slot, events[slot], ring.fills);
  const Warps fillers = pipeline.arrivers(), drainers = pipeline.waiters();
  ring.fillers.assign(fillers.begin(), fillers.end());
  ring.drainers.assign(drainers.begin(), drainers.end());
  const std::set<std::uint32_t> takes = placesOf(pipeline.awaits);
  ring.takes.assign(takes.begin(), takes.end());
  std::vector<const Object::Await *> asks;
  for (const Object::Await &await : stages.awaits)
    asks.push_back(&await);
  setAsks(ring, std::move(asks));
  rings.push_back(std::move(ring));
}

void RingFinder::addPipelines() {
  for (const auto &[key, stages] : objects) {
    const std::uint32_t count = key.second & kStagesMask;
    const auto pipeline = objects.find({SyncObject::Pipeline, key.second >> format::kPipelineShift});
    if (key.first == SyncObject::PipelineStage && count > 0 && pipeline != objects.end() && !pipeline->second.isDiverged() &&
        !stages.isDiverged())
      addPipeline(pipeline->second, stages, count);
  }
}

std::vector<WarpRing> RingFinder::find() {
  if (block.why != UnknownReason::None)
    return {};
  for (const SyncWarp &warp : block.warps) {
    if (warp.completeFrom > 0)
      return {};
    completeTo = std::min(completeTo, warp.completeTo);
  }
  collect();
  addSlots();
  addBarriers();
  addPipelines();
  std::erase_if(rings, [](const WarpRing &ring) { return ring.fills.empty() || ring.fillers.empty() || ring.drainers.empty(); });
  std::ranges::stable_sort(rings, {}, [](const WarpRing &ring) { return std::ranges::min(ring.fills, {}, &RingFill::acquired).acquired; });
  return std::move(rings);
}

} // namespace

bool isHandover(SyncObject kind) {
  return kind == SyncObject::SharedBarrier || kind == SyncObject::Pipeline || kind == SyncObject::PipelineStage ||
         kind == SyncObject::PipelineSlot;
}

std::vector<WarpRing> findRings(const SyncBlock &block, const RegionSet &regions, const SyncGraph &graph) {
  return RingFinder(block, regions, graph).find();
}

} // namespace kperf::decoder
