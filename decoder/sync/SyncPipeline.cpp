// Resolves waits on a pipeline of several warps by counting: the commits of each warp, and the releases of each stage.
#include "decoder/sync/SyncGraph.h"

#include <algorithm>

namespace kperf::decoder {

static constexpr std::uint32_t kStagesMask = (1u << format::kPipelineShift) - 1;

/// A warp's next wait is for the next commit of each warp that commits, and for what it closed.
void SyncGraph::resolvePipeline(Object &object) {
  std::vector<std::size_t> awaited(block->warps.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> known; // by the count of commits: phase and flight
  for (const std::uint32_t index : object.awaits) {
    Wait &wait = waitList[index];
    const std::size_t count = awaited[wait.warp]++;
    if (const UnknownReason why = unknownBetween(0, wait.end); why != UnknownReason::None) {
      giveUp(wait, why);
      continue;
    }
    members.clear();
    for (const std::vector<std::uint32_t> &commits : object.arrivalsOf)
      if (commits.size() > count)
        members.push_back(commits[count]);
    if (members.empty()) {
      giveUp(wait, UnknownReason::NoArrival);
      continue;
    }
    for (; known.size() <= count;)
      known.emplace_back(kNone, kNone);
    auto &[phase, flight] = known[count];
    if (phase == kNone) {
      phase = addPhase();
      flight = addFlight(phaseList[phase].by);
    }
    if (phaseList[phase].released > wait.end) {
      giveUp(wait, UnknownReason::Counts);
      continue;
    }
    wait.phase = phase;
    wait.flight = flight;
  }
}

const SyncGraph::Object *SyncGraph::pipelineOf(const Object &stages) const {
  const auto isIt = [&](const Object &object) {
    return object.kind == format::SyncObject::Pipeline && object.value << format::kPipelineShift == (stages.value & ~kStagesMask);
  };
  const auto found = std::ranges::find_if(objects, isIt);
  return found == objects.end() ? nullptr : &*found;
}

/// A warp that committed n times acquires the stage of its commit n - stages, once that one is released; the first ones
/// are free.
void SyncGraph::resolveStages(Object &object) {
  const std::size_t stages = object.value & kStagesMask;
  const Object *pipeline = pipelineOf(object);
  const bool isDiverged = object.isDiverged || (pipeline && pipeline->isDiverged); // then a warp's count is not its lanes'
  std::vector<std::size_t> acquired(block->warps.size());
  phaseIndex.clear();
  for (const std::uint32_t index : object.awaits) {
    Wait &wait = waitList[index];
    const std::size_t before = acquired[wait.warp]++, committed = pipeline ? arrivalsBefore(*pipeline, wait) : 0;
    if (stages == 0)
      giveUp(wait, UnknownReason::Object);
    else if (const UnknownReason why = unknownBetween(0, wait.end); why != UnknownReason::None)
      giveUp(wait, why);
    else if (committed < before || isDiverged)
      giveUp(wait, UnknownReason::Counts);
    else if (committed >= stages)
      findReleases(object, wait, committed - stages);
  }
}

/// Warps that release stages release each in turn: the wait is for the release of that number of each of them.
void SyncGraph::findReleases(const Object &object, Wait &wait, std::size_t number) {
  if (object.signals.empty())
    return giveUp(wait, UnknownReason::NoArrival);
  const auto [entry, isNew] = phaseIndex.try_emplace(number, kNone);
  if (isNew) {
    members.clear();
    bool haveAll = true;
    for (const std::vector<std::uint32_t> &releases : object.arrivalsOf) {
      haveAll &= releases.empty() || releases.size() > number;
      if (releases.size() > number)
        members.push_back(releases[number]);
    }
    if (haveAll)
      entry->second = addPhase();
  }
  if (entry->second == kNone || phaseList[entry->second].released > wait.end)
    return giveUp(wait, UnknownReason::Counts);
  wait.phase = entry->second;
}

} // namespace kperf::decoder
