// What waits on a pipeline of several warps are for: the commits of each, by their number.
#include "SyncGraph.h"

namespace kperf::decoder {

/// A warp's next wait is for the next commit of each warp that commits, and for what it closed.
void SyncGraph::resolvePipeline(Object &object) {
  std::vector<std::size_t> awaited(block->warps.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> known; // by the count of commits: phase and flight
  for (const std::uint32_t index : object.awaits) {
    Wait &wait = waitList[index];
    const std::size_t count = awaited[wait.warp]++;
    if (const Unsure why = unsureBetween(0, wait.end); why != Unsure::No) {
      giveUp(wait, why);
      continue;
    }
    members.clear();
    for (const std::vector<std::uint32_t> &commits : object.arrivalsOf)
      if (commits.size() > count)
        members.push_back(commits[count]);
    if (members.empty()) {
      giveUp(wait, Unsure::NoArrival);
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
      giveUp(wait, Unsure::Counts);
      continue;
    }
    wait.phase = phase;
    wait.flight = flight;
  }
}

} // namespace kperf::decoder
