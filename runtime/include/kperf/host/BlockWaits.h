// How the threads of a block wait for one another: barriers, meetings of lanes, convergence (Block.h).
#ifndef KPERF_HOST_BLOCK_WAITS_H
#define KPERF_HOST_BLOCK_WAITS_H

#include "Block.h"

namespace kperf::host {

inline Ballot Block::barrier(bool predicate, bool acrossGrid, const char *what, Site site) {
  CudaThread &thread = *currentThread;
  thread.wait = {what, 0, site};
  if (arrived > 0 && acrossGrid != isGridBarrier)
    failDeadlocked();
  isGridBarrier = acrossGrid;
  pending.count += predicate;
  pending.all &= predicate;
  pending.any |= predicate;
  latest = std::max(latest, thread.time);
  if (++arrived == live()) {
    thread.wait.what = nullptr;
    openBarrier();
  } else {
    Warp &warp = *thread.warp;
    waiting.push(thread);
    if (--warp.runnable == 0 && warp.converging)
      releaseConverging(warp);
    suspend(thread);
    thread.wait.what = nullptr;
  }
  thread.time = release + (acrossGrid ? ticks::kGridBarrier : ticks::kBarrier);
  return result;
}

inline void Block::openBarrier() {
  if (isGridBarrier && !current->barrier->wait(blockNumber, latest))
    fail("a sync of the grid waits for blocks that have left the kernel");
  for (unsigned first = 0; first < threadCount; first += 32) {
    Warp &warp = warps[first / 32];
    warp.runnable = __builtin_popcount(warp.live()); // all of them were here
  }
  result = pending;
  release = latest;
  pending = {};
  arrived = 0;
  latest = 0;
  ready.append(waiting);
}

inline Exchange Block::meet(std::uint32_t mask, Collective kind, std::uint64_t value, const char *what, Site site) {
  CudaThread &thread = *currentThread;
  Warp &warp = *thread.warp;
  const std::uint32_t bit = thread.bit();
  thread.wait = {what, mask, site};
  if (!(mask & bit))
    failDeadlocked();
  Meeting &meeting = warp.meetingOf(mask, kind);
  const unsigned phase = meeting.phase;
  meeting.values[phase][thread.lane()] = value;
  meeting.latest = std::max(meeting.latest, thread.time);
  meeting.arrived |= bit;
  if (meeting.arrived == (mask & warp.live())) {
    thread.wait.what = nullptr;
    closeMeeting(warp, meeting, bit);
  } else {
    ++warp.meeting;
    if (--warp.runnable == 0 && warp.converging)
      releaseConverging(warp);
    suspend(thread);
  }
  --meeting.readers;
  thread.time = meeting.release + ticks::kMeeting;
  return {meeting.values[phase], meeting.present[phase]};
}

/// Everybody came; `awake` is the lane that runs, if it is one of them.
inline void Block::closeMeeting(Warp &warp, Meeting &meeting, std::uint32_t awake) {
  meeting.present[meeting.phase] = meeting.arrived;
  meeting.readers = __builtin_popcount(meeting.arrived);
  meeting.release = meeting.latest;
  for (std::uint32_t rest = meeting.arrived & ~awake; rest; rest &= rest - 1) {
    --warp.meeting;
    wake(warp.threads[__builtin_ctz(rest)]);
  }
  meeting.arrived = 0;
  meeting.latest = 0;
  meeting.phase ^= 1;
}

inline std::uint32_t Block::converge(std::uint64_t key, Site site) {
  CudaThread &thread = *currentThread;
  Warp &warp = *thread.warp;
  thread.wait = {"__activemask", 0, site};
  thread.convergence = key;
  warp.converging |= thread.bit();
  if (--warp.runnable == 0)
    releaseConverging(warp);
  suspend(thread);
  return thread.converged;
}

/// Lets those go that came the same way as the lowest lane that waits.
inline void Block::releaseConverging(Warp &warp) {
  const std::uint64_t key = warp.threads[__builtin_ctz(warp.converging)].convergence;
  std::uint32_t group = 0;
  std::uint64_t time = 0;
  for (std::uint32_t rest = warp.converging; rest; rest &= rest - 1) {
    const CudaThread &thread = warp.threads[__builtin_ctz(rest)];
    if (thread.convergence != key)
      continue;
    group |= thread.bit();
    time = std::max(time, thread.time);
  }
  warp.converging &= ~group;
  for (std::uint32_t rest = group; rest; rest &= rest - 1) {
    CudaThread &thread = warp.threads[__builtin_ctz(rest)];
    thread.converged = group;
    thread.time = time + ticks::kMeeting;
    wake(thread);
  }
}

} // namespace kperf::host

#endif
