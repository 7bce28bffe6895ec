// Resolves waits for groups of asynchronous work: they wait for what their own warp issued and committed.
#include "decoder/sync/SyncGraph.h"

#include <algorithm>

namespace kperf::decoder {

using format::SyncObject;
using format::SyncOperation;

bool SyncGraph::isGroup(SyncObject kind) {
  return kind == SyncObject::CopyGroup || kind == SyncObject::BulkGroup || kind == SyncObject::MatrixGroup;
}

std::size_t SyncGraph::groupOf(SyncObject kind) { return static_cast<std::size_t>(kind) - static_cast<std::size_t>(SyncObject::CopyGroup); }

/// What is issued into a group stands in the trace where its Commit has some in front of it: in other functions it is not seen.
void SyncGraph::noteCommits(const SyncWarp &warp) {
  bool isOpen[kGroupKinds] = {};
  const auto close = [&](std::uint32_t region) {
    bool &isIssued = isOpen[groupOf(regions[region].object)];
    closesIssues[region] = closesIssues[region] || isIssued;
    isIssued = false;
  };
  auto span = warp.spans.begin();
  const auto closeUntil = [&](std::uint64_t at) {
    for (; span != warp.spans.end() && span->begin < at; ++span)
      if (regions[span->region].operation == SyncOperation::CommitAwait && isGroup(regions[span->region].object))
        close(span->region);
  };
  for (const Mark &mark : warp.signals) {
    closeUntil(mark.at);
    const Region &region = regions[mark.region];
    if (isGroup(region.object) && region.operation == SyncOperation::Commit)
      close(mark.region);
    else if (isGroup(region.object) && region.operation == SyncOperation::Issue)
      isOpen[groupOf(region.object)] = true;
  }
  closeUntil(~std::uint64_t{0});
}

/// Groups complete in the order in which they were closed; all but the newest `object` ones have to.
void SyncGraph::awaitGroups(Wait &wait, Groups &groups) {
  const SyncWarp &warp = block->warps[wait.warp];
  const bool isCounted = wait.object == format::kNextGroup; // from the warp's first group on
  const std::size_t needed = isCounted ? std::min(groups.done + 1, groups.closed.size())
                                       : groups.closed.size() - std::min<std::size_t>(wait.object, groups.closed.size());
  const bool isBegun = warp.completeFrom == 0; // else what was closed before the first group, and its issues, may be lost
  if (warp.completeTo < wait.end || (!isBegun && (isCounted || needed == 0 || (needed == 1 && groups.done == 0))))
    return giveUp(wait, warp.why);
  // Where the source closes no groups (cp.async.wait_all), what was started is not in the trace.
  if (groups.closed.empty() && !groups.hasIssues && wait.cycles() > kReadyCycles) {
    if (regions[wait.region].object != SyncObject::MatrixGroup)
      return giveUp(wait, UnknownReason::NoArrival);
    // Nobody but the warp itself issues what it waits for there: before the wait's begin, which stands for it.
    wait.flight = addFlight(static_cast<std::uint32_t>(eventList.size()));
    eventList.push_back({wait.begin, wait.warp, wait.region});
    flightList[wait.flight].observed = wait.end;
    return;
  }
  for (; groups.done < needed; ++groups.done) {
    const Groups::Group &group = groups.closed[groups.done];
    if (group.isEmpty)
      continue;
    wait.flight = addFlight(group.event);
    flightList[wait.flight].observed = wait.end; // of those before the newest: an upper bound
  }
}

} // namespace kperf::decoder
