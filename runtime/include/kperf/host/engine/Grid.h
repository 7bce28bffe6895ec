// One launch: its shape, its kernel, and the barrier that a cooperative launch's blocks share.
#ifndef KPERF_HOST_GRID_H
#define KPERF_HOST_GRID_H

#include <kperf/host/engine/CudaThread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>

namespace kperf::host {

/// Where the blocks of a cooperative launch wait for one another, each on an operating system thread of its own. Under
/// the virtual clock only one of them runs at a time, in the order of their indices, so that every run does the same.
class GridBarrier {
public:
  GridBarrier(std::uint64_t blocks, bool takeTurns) : blocks(blocks), takeTurns(takeTurns), isDone(blocks, false) {}

  void start(std::uint64_t block) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !takeTurns || turn == block; });
  }

  /// Returns when all blocks came, with the latest of their times; false when that can never be.
  bool wait(std::uint64_t block, std::uint64_t &time) {
    std::unique_lock<std::mutex> lock(mutex);
    latest = std::max(latest, time);
    const std::uint64_t phase = phases;
    if (++arrived == blocks) {
      arrived = 0;
      ++phases;
      release = latest;
      turn = 0;
    } else {
      passTurn(block);
      noteStuck();
    }
    changed.notify_all();
    changed.wait(lock, [&] { return isStuck || (phases != phase && (!takeTurns || turn == block)); });
    time = release;
    return phases != phase;
  }

  void finish(std::uint64_t block) {
    const std::lock_guard<std::mutex> lock(mutex);
    ++finished;
    isDone[block] = true;
    passTurn(block);
    noteStuck();
    changed.notify_all();
  }

private:
  /// For good: those who wait leave one after another, and none of them may find it otherwise.
  void noteStuck() { isStuck |= arrived > 0 && finished > 0 && arrived + finished == blocks; }

  void passTurn(std::uint64_t block) {
    do
      ++block;
    while (block < blocks && isDone[block]);
    turn = block;
  }

  std::mutex mutex;
  std::condition_variable changed;
  const std::uint64_t blocks;
  const bool takeTurns;
  std::vector<bool> isDone;
  bool isStuck = false;
  std::uint64_t turn = 0, arrived = 0, finished = 0, phases = 0, latest = 0, release = 0;
};

/// A kernel with its arguments; `invoke` runs one thread of it.
struct Body {
  void (*invoke)(const void *closure);
  const void *closure;
};

struct Grid {
  dim3 blocks, threads;
  std::size_t sharedBytes = 0;
  std::uint64_t id = 0;    ///< serial number of the launch in the process, from 1
  std::uint64_t start = 0; ///< of the virtual clock
  Site site;               ///< of the launch
  Body body{};
  GridBarrier *barrier = nullptr; ///< of a cooperative launch
  bool isCalibration = false;     ///< takes no time of the program's: what comes next finds its multiprocessors free
  std::atomic<std::uint64_t> nextBlock{0};
  std::atomic<bool> hasFailed{false};

  std::uint64_t blockCount() const { return std::uint64_t{blocks.x} * blocks.y * blocks.z; }
  unsigned threadCount() const { return threads.x * threads.y * threads.z; }

  /// Says once why the launch is given up.
  void fail(std::string why) {
    if (!hasFailed.exchange(true))
      std::fprintf(stderr, "kperf: the kernel launched at %s:%u is given up: %s\n", site.file, site.line, why.c_str());
  }
};

} // namespace kperf::host

#endif
