// Decides what released each wait of a block, once its arrivals and its asynchronous work are found.
#include "decoder/sync/SyncGraph.h"

#include <algorithm>

namespace kperf::decoder {

/// Whether the wait lasted longer than one that finds everything complete, and no arrival says why.
bool SyncGraph::isLong(const Wait &wait) const {
  const std::uint64_t from = std::max(wait.begin, eventList[flightList[wait.flight].event].at);
  if (wait.end - std::min(wait.end, from) <= kPassCycles)
    return false;
  const std::uint64_t came = wait.phase == kNone ? 0 : phaseList[wait.phase].released;
  return came <= wait.begin || wait.end - came > kPassCycles;
}

/// Work is complete when the first wait for it ends. It was under way until then where such a wait was long.
void SyncGraph::settleFlights() {
  for (const Wait &wait : waitList)
    if (wait.flight != kNone)
      flightList[wait.flight].observed = std::min(flightList[wait.flight].observed, wait.end);
  for (Wait &wait : waitList) {
    if (wait.flight != kNone && isLong(wait)) {
      Flight &flight = flightList[wait.flight];
      const std::uint64_t from = std::max(wait.begin, eventList[flight.event].at);
      if (flight.observed > from) {
        flight.isBound = false;
        flight.exposed = std::max(flight.exposed, flight.observed - from);
      }
    }
    settle(wait);
  }
  std::unordered_map<std::uint32_t, std::uint64_t> shortest; // by the region of the issue
  for (Flight &flight : flightList) {
    flight.assumed = flight.observed - eventList[flight.event].at;
    const auto [entry, isNew] = shortest.try_emplace(eventList[flight.event].region, flight.assumed);
    entry->second = std::min(entry->second, flight.assumed);
  }
  for (Flight &flight : flightList)
    if (flight.isBound)
      flight.assumed = shortest.at(eventList[flight.event].region);
  for (const Wait &wait : waitList) // as far as its waits did not wait
    if (wait.flight != kNone && flightList[wait.flight].isBound) {
      Flight &flight = flightList[wait.flight];
      const std::uint64_t issued = eventList[flight.event].at;
      flight.assumed = std::min(flight.assumed, wait.begin - std::min(wait.begin, issued));
    }
}

void SyncGraph::settle(Wait &wait) {
  wait.by = kNone;
  if (wait.cycles() == 0)
    wait.verdict = Verdict::NotWaited;
  if (wait.verdict == Verdict::NotKnown || wait.cycles() == 0)
    return;
  using format::SyncObject;
  const SyncObject kind = regions[wait.region].object;
  const bool hasPhase = wait.phase != kNone, hasFlight = wait.flight != kNone;
  if (kind == SyncObject::PipelineSlot && wait.isFirst && !hasPhase && !hasFlight) // not filled yet
    return;
  const std::uint64_t came = hasPhase ? phaseList[wait.phase].released : 0;
  // One that went on long after the last arrival that is known here, where other blocks arrive too, or copy.
  const bool mayBeByOthers = wait.isOfCluster || (hasRemoteArrivals && kind == SyncObject::SharedBarrier && !hasFlight);
  const bool isByOthers = mayBeByOthers && wait.cycles() > kReadyCycles && wait.end - std::max(came, wait.begin) > kPassCycles;
  if (kind == SyncObject::ClusterBarrier || kind == SyncObject::GridBarrier || isByOthers) {
    const std::uint64_t issued = hasFlight ? eventList[flightList[wait.flight].event].at : 0;
    wait.verdict = Verdict::OtherBlocks;
    wait.released = std::max(came, issued);
    wait.by = issued > came ? flightList[wait.flight].event : hasPhase ? phaseList[wait.phase].by : kNone;
  } else if (hasUnnumberedArrivals && kind == SyncObject::BlockBarrier && wait.cycles() > kReadyCycles &&
             wait.end - std::max(came, wait.begin) > kPassCycles) {
    giveUp(wait, UnknownReason::Object); // one of those may have been the last
  } else if (hasFlight && isLong(wait) && flightList[wait.flight].observed > wait.begin && flightList[wait.flight].observed >= came) {
    wait.verdict = Verdict::Released;
    wait.isByFlight = true;
    wait.released = flightList[wait.flight].observed;
    wait.by = flightList[wait.flight].event;
  } else if (hasPhase && came > wait.begin) {
    wait.verdict = Verdict::Released;
    wait.released = came;
    wait.by = phaseList[wait.phase].by;
  } else if (!hasPhase && !hasFlight && isAddress(kind) && wait.cycles() > kReadyCycles) {
    giveUp(wait, UnknownReason::NoArrival);
  }
}

} // namespace kperf::decoder
