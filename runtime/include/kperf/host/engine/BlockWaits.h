// How the threads of a block wait for one another: barriers, meetings of lanes, convergence (Block.h).
#ifndef KPERF_HOST_BLOCK_WAITS_H
#define KPERF_HOST_BLOCK_WAITS_H

#include <kperf/host/engine/Block.h>
#include <kperf/host/engine/Outlined.h>

namespace kperf::host {

KPERF_HOST_OUTLINED inline Ballot Block::barrier(bool predicate, bool acrossGrid, const char *what, const Site &site) {
  CudaThread &thread = *currentThread;
  thread.wait = {what, &site, 0};
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
  warpRuns = 0;
  ready.append(waiting);
}

KPERF_HOST_OUTLINED inline Exchange Block::meet(std::uint32_t mask, Collective kind, std::uint64_t value, const char *what,
                                                const Site &site) {
  CudaThread &thread = *currentThread;
  Warp &warp = *thread.warp;
  const std::uint32_t bit = thread.bit();
  thread.wait = {what, &site, mask};
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
  warp.meeting -= __builtin_popcount(meeting.arrived & ~awake);
  wakeNext(warp, meeting.arrived & ~awake);
  meeting.arrived = 0;
  meeting.latest = 0;
  meeting.phase ^= 1;
}

KPERF_HOST_OUTLINED inline std::uint32_t Block::converge(std::uint64_t key, std::uint64_t ticks, const char *what, const Site &site) {
  CudaThread &thread = *currentThread;
  Warp &warp = *thread.warp;
  thread.wait = {what, &site, 0};
  thread.spins = 0;
  thread.convergence = key;
  warp.converging |= thread.bit();
  if (--warp.runnable == 0)
    releaseConverging(warp);
  suspend(thread);
  thread.time += ticks;
  return thread.converged;
}

/// Lets some of the lanes go that wait to converge.
inline void Block::releaseConverging(Warp &warp) {
  const std::uint32_t group = warp.recorder ? warp.recorder->choose(warp) : warp.convergingWith(warp.furthestBehind());
  std::uint64_t time = 0;
  for (std::uint32_t rest = group; rest; rest &= rest - 1)
    time = std::max(time, warp.threads[__builtin_ctz(rest)].time);
  for (std::uint32_t rest = group; rest; rest &= rest - 1) {
    warp.threads[__builtin_ctz(rest)].converged = group;
    warp.threads[__builtin_ctz(rest)].time = time;
  }
  warp.converging &= ~group;
  wakeNext(warp, group);
}

/// The lanes go on before everybody else who is ready: a warp runs until it blocks, so that what its regions measure is
/// not other warps' work. But not for ever: it may wait for what another warp does.
inline void Block::wakeNext(Warp &warp, std::uint32_t lanes) {
  constexpr int kMaxRuns = 4096;
  ThreadQueue woken;
  for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
    CudaThread &thread = warp.threads[__builtin_ctz(rest)];
    thread.wait.what = nullptr;
    ++warp.runnable;
    woken.push(thread);
  }
  if (++warpRuns < kMaxRuns) {
    woken.append(ready);
    ready = woken;
  } else {
    ready.append(woken);
    warpRuns = 0;
  }
}

} // namespace kperf::host

#endif
