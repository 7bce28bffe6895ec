// How a block starts, switches between and ends its threads (Block.h).
#ifndef KPERF_HOST_BLOCK_THREADS_H
#define KPERF_HOST_BLOCK_THREADS_H

#include <kperf/host/engine/Block.h>
#include <kperf/host/engine/Deadlock.h>
#include <kperf/host/engine/Outlined.h>

namespace kperf::host {

/// The block that enterFiber serves: a fiber starts with no way to be told.
inline thread_local Block *enteredBlock = nullptr;

KPERF_HOST_OUTLINED inline Block::Block() : fibers(&Block::enterFiber) {}

inline void Block::setUp(Grid &grid, std::uint64_t block, std::uint64_t start) {
  current = &grid;
  blockNumber = block;
  threadCount = grid.threadCount();
  started = exited = arrived = 0;
  begin = end = start;
  pending = {};
  latest = 0;
  sharedBarriers.clear();
  if (threads.size() < threadCount) {
    threads = std::vector<CudaThread>(threadCount);
    warps = std::vector<Warp>((threadCount + 31) / 32);
  }
  for (unsigned first = 0; first < threadCount; first += 32)
    warps[first / 32].reset(&threads[first], std::min(32u, threadCount - first));
#if !defined(__CUDA__)
  blockIdx.x = static_cast<unsigned>(block % grid.blocks.x);
  blockIdx.y = static_cast<unsigned>(block / grid.blocks.x % grid.blocks.y);
  blockIdx.z = static_cast<unsigned>(block / grid.blocks.x / grid.blocks.y);
  blockDim = grid.threads;
  gridDim = grid.blocks;
#endif
  constexpr std::size_t kAlignment = 1024; // what TMA and swizzled layouts ask of dynamic shared memory
  const std::size_t bytes = std::max(kAlignment, (grid.sharedBytes + kAlignment - 1) / kAlignment * kAlignment);
  if (sharedCapacity < bytes) {
    std::free(shared);
    shared = static_cast<char *>(std::aligned_alloc(kAlignment, bytes));
    sharedCapacity = shared ? bytes : 0;
  }
}

KPERF_HOST_OUTLINED inline std::uint64_t Block::run(Grid &grid, std::uint64_t block, unsigned sm, std::uint64_t start,
                                                    std::size_t stackBytes) {
  fibers.resizeStacks(stackBytes);
  setUp(grid, block, start);
  multiprocessor = sm;
  enteredBlock = this;
  entering = fibers.take();
  if (!entering || !shared) {
    grid.fail("there is no memory for the threads' stacks; lower KPERF_HOST_STACK or KPERF_HOST_THREADS");
    return end;
  }
  switchContext(entering->context, &mainContext);
  currentThread = nullptr;
  if (hasFailed) {
    hasFailed = false;
    fibers.abandonBusy();
    ready.clear();
    waiting.clear();
    for (Warp &warp : warps)
      warp.abandonMeetings();
  }
  for (unsigned first = 0; first < threadCount; first += 32)
    warps[first / 32].recorder.reset();
  return end;
}

inline void Block::enterFiber(Transfer from) noexcept {
  keepLeft(from);
  enteredBlock->serve(*enteredBlock->entering);
}

/// What every fiber does for ever: threads that have not started, as long as no other fiber's thread is ready.
inline void Block::serve(Fiber &fiber) {
  for (;;) {
    if (started < threadCount && (startFirst || ready.empty())) {
      startFirst = false;
      runThread(threads[started++]);
    } else if (!ready.empty()) {
      fibers.giveBack(fiber);
      resume(ready.pop(), &fiber.context);
    } else if (live() == 0) {
      fibers.giveBack(fiber);
      switchContext(mainContext, &fiber.context);
    } else {
      failDeadlocked();
    }
  }
}

inline void Block::runThread(CudaThread &thread) {
  const unsigned linear = static_cast<unsigned>(&thread - threads.data());
  const dim3 shape = current->threads;
  thread.block = this;
  thread.linear = linear;
  thread.warp = &warps[linear / 32];
  thread.index = {linear % shape.x, linear / shape.x % shape.y, linear / (shape.x * shape.y)};
  thread.time = begin;
  thread.wait.what = nullptr;
  thread.kernel = {};
  thread.innermost = &thread.kernel;
  thread.frames = static_cast<const char *>(__builtin_frame_address(0));
  currentThread = &thread;
#if !defined(__CUDA__)
  threadIdx = thread.index;
#endif
  current->body.invoke(current->body.closure);
  finish(thread);
}

inline void Block::finish(CudaThread &thread) {
  Warp &warp = *thread.warp;
  warp.exited |= thread.bit();
  --warp.runnable;
  ++exited;
  end = std::max(end, thread.time);
  if (warp.meeting > 0)
    for (const auto &meeting : warp.meetings)
      if (meeting->arrived && meeting->arrived == (meeting->mask & warp.live()))
        closeMeeting(warp, *meeting, 0);
  if (arrived > 0 && arrived == live())
    openBarrier();
  if (warp.converging && warp.runnable == 0)
    releaseConverging(warp);
}

inline void Block::resume(CudaThread &thread, Context *left) {
  currentThread = &thread;
#if !defined(__CUDA__)
  threadIdx = thread.index;
#endif
  switchContext(thread.context, left);
}

inline void Block::startAnother(Context *left) {
  Fiber *fiber = fibers.take();
  if (!fiber)
    fail("there is no memory for another thread's stack; lower KPERF_HOST_STACK or KPERF_HOST_THREADS");
  entering = fiber;
  switchContext(fiber->context, left);
}

/// The thread has noted what it waits for, or is at the end of the ready ones. Returns when it is its turn again.
inline void Block::suspend(CudaThread &thread) {
  if (!ready.empty() && !startFirst) {
    CudaThread &next = ready.pop();
    if (&next == &thread)
      currentThread = &thread;
    else
      resume(next, &thread.context);
  } else if (started < threadCount) {
    startAnother(&thread.context);
  } else {
    failDeadlocked();
  }
}

KPERF_HOST_OUTLINED inline bool Block::yield() {
  constexpr unsigned kMaxSpins = 64;
  CudaThread &thread = *currentThread;
  if (thread.warp->converging && ++thread.spins >= kMaxSpins) { // for what one of them is to do, it seems
    thread.spins = 0;
    releaseConverging(*thread.warp);
  }
  if (ready.empty() && started == threadCount)
    return false;
  startFirst = started < threadCount;
  ready.push(thread);
  suspend(thread);
  return true;
}

KPERF_HOST_OUTLINED inline void Block::fail(std::string why) {
  current->fail(std::move(why));
  hasFailed = true;
  switchContext(mainContext, &discarded);
  __builtin_unreachable();
}

} // namespace kperf::host

#endif
