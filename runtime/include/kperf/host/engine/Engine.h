// The imitated device: takes a grid, checks its shape and gives its blocks to operating system threads.
#ifndef KPERF_HOST_ENGINE_H
#define KPERF_HOST_ENGINE_H

#include <kperf/host/engine/Block.h>
#include <kperf/host/engine/BlockThreads.h>
#include <kperf/host/engine/BlockWaits.h>
#include <kperf/host/engine/FaultStack.h>
#include <kperf/host/engine/Outlined.h>
#include <kperf/host/engine/Pool.h>
#include <kperf/host/engine/Settings.h>
#include <kperf/host/engine/Stream.h>

#include <memory>
#include <vector>

namespace kperf::host {

// The limits of compute capability 9.0 (CUDA C++ programming guide, "Technical specifications per compute capability").
inline constexpr unsigned kMaxThreadsPerBlock = 1024, kMaxBlockZ = 64;
/// No tensor cores, cp.async or clusters: the newest compute capability that has none of them.
inline constexpr int kCapabilityMajor = 7, kCapabilityMinor = 0;
inline constexpr unsigned kMaxGridX = 2147483647, kMaxGridYZ = 65535;
inline constexpr unsigned kMaxThreadsPerMultiprocessor = 2048, kMaxBlocksPerMultiprocessor = 32;
inline constexpr std::size_t kSharedBytesPerBlock = 48u << 10, kMaxSharedBytesPerBlock = 227u << 10;
inline constexpr std::size_t kSharedBytesPerMultiprocessor = 228u << 10, kSharedBytesReserved = 1u << 10;

/// How many blocks of this shape one multiprocessor holds at a time.
inline unsigned residentBlocks(unsigned threads, std::size_t sharedBytes) {
  if (threads == 0 || threads > kMaxThreadsPerBlock || sharedBytes > kMaxSharedBytesPerBlock)
    return 0;
  const unsigned rounded = (threads + 31) / 32 * 32;
  const std::size_t byShared = kSharedBytesPerMultiprocessor / (sharedBytes + kSharedBytesReserved);
  return static_cast<unsigned>(
      std::min<std::size_t>({kMaxThreadsPerMultiprocessor / rounded, std::size_t{kMaxBlocksPerMultiprocessor}, byShared}));
}

/// The block that this operating system thread runs; when the thread ends, another takes it over with its stacks.
class BlockOfThread {
public:
  KPERF_HOST_OUTLINED static Block &get() {
    static thread_local BlockOfThread owner;
    return *owner.block;
  }

private:
  struct Spare {
    std::mutex mutex;
    std::vector<Block *> blocks;
  };
  static Spare &spare() {
    static Spare *const blocks = new Spare; // outlives every thread
    return *blocks;
  }

  BlockOfThread() {
    const std::lock_guard<std::mutex> lock(spare().mutex);
    if (spare().blocks.empty()) {
      block = new Block;
    } else {
      block = spare().blocks.back();
      spare().blocks.pop_back();
    }
  }
  ~BlockOfThread() {
    block->leaveThread();
    const std::lock_guard<std::mutex> lock(spare().mutex);
    spare().blocks.push_back(block);
  }

  Block *block = nullptr;
  FaultStack faultStack;
};

class Engine {
public:
  /// Never destroyed: a kernel may call exit.
  KPERF_HOST_OUTLINED static Engine &instance() {
    static Engine *const engine = new Engine;
    return *engine;
  }

  /// cudaSuccess when a grid of this shape can run.
  KPERF_HOST_OUTLINED static cudaError_t check(const Grid &grid, std::size_t maxSharedBytes, bool isCooperative) {
    const dim3 blocks = grid.blocks, threads = grid.threads;
    if (grid.blockCount() == 0 || threads.x == 0 || threads.y == 0 || threads.z == 0 || blocks.x > kMaxGridX || blocks.y > kMaxGridYZ ||
        blocks.z > kMaxGridYZ || threads.z > kMaxBlockZ || std::uint64_t{threads.x} * threads.y > kMaxThreadsPerBlock ||
        grid.threadCount() > kMaxThreadsPerBlock)
      return cudaErrorInvalidConfiguration;
    if (grid.sharedBytes > maxSharedBytes)
      return cudaErrorInvalidValue;
    const std::uint64_t resident = std::uint64_t{settings().multiprocessors} * residentBlocks(grid.threadCount(), grid.sharedBytes);
    return isCooperative && grid.blockCount() > resident ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
  }

  /// Runs a checked grid to its end. An error is a kernel's failure, and stays until the device is reset.
  KPERF_HOST_OUTLINED cudaError_t run(Grid &grid, cudaStream_t stream, bool isCooperative) {
    const std::lock_guard<std::mutex> lock(launching);
    Streams &streams = Streams::instance();
    grid.id = ++launches;
    grid.start = lastEnd = streams.startOf(stream);
    if (isCooperative)
      runTogether(grid);
    else if (settings().isVirtual)
      runInOrder(grid);
    else
      runSpread(grid);
    streams.extend(stream, lastEnd);
    if (grid.hasFailed)
      stickyError = cudaErrorLaunchFailure;
    return grid.hasFailed ? cudaErrorLaunchFailure : cudaSuccess;
  }

  std::atomic<std::size_t> stackBytes{settings().stackBytes};

private:
  /// Under the virtual clock a block starts when its multiprocessor's last one has ended. What atomics on global memory
  /// return depends on the order of the blocks, so they run one by one, however many threads there are.
  void runInOrder(Grid &grid) {
    for (std::uint64_t block = 0, count = grid.blockCount(); block < count && !grid.hasFailed; ++block)
      runTimed(grid, block);
  }

  void runTimed(Grid &grid, std::uint64_t block) {
    const unsigned sm = static_cast<unsigned>(block % settings().multiprocessors);
    const std::uint64_t start = std::max(grid.start, multiprocessorFree[sm]);
    const std::uint64_t end = BlockOfThread::get().run(grid, block, sm, start, stackBytes);
    if (!grid.isCalibration)
      multiprocessorFree[sm] = end;
    lastEnd = std::max(lastEnd, end);
  }

  void runSpread(Grid &grid) {
    const std::uint64_t count = grid.blockCount();
    const unsigned workers = static_cast<unsigned>(std::min<std::uint64_t>(settings().threads, count));
    const auto work = [&](unsigned worker) {
      Block &mine = BlockOfThread::get();
      while (!grid.hasFailed) {
        const std::uint64_t block = grid.nextBlock++;
        if (block >= count)
          break;
        mine.run(grid, block, worker % settings().multiprocessors, 0, stackBytes);
      }
    };
    if (!Pool::instance().run(workers, work))
      work(0);
  }

  /// All blocks at once, each on a thread of its own, so that they can wait for one another.
  void runTogether(Grid &grid) {
    const std::uint64_t count = grid.blockCount();
    GridBarrier barrier(count, settings().isVirtual);
    grid.barrier = &barrier;
    std::vector<std::uint64_t> ends(count, 0);
    const auto work = [&](unsigned block) {
      const unsigned sm = block % settings().multiprocessors;
      barrier.start(block);
      const std::uint64_t start = std::max(grid.start, multiprocessorFree[sm]);
      ends[block] = BlockOfThread::get().run(grid, block, sm, start, stackBytes);
      barrier.finish(block);
    };
    if (!Pool::instance().run(static_cast<unsigned>(count), work))
      grid.fail("the system gives no thread for each of its " + std::to_string(count) + " blocks, which a cooperative launch needs");
    for (std::uint64_t block = 0; block < count; ++block) {
      std::uint64_t &free = multiprocessorFree[block % settings().multiprocessors];
      free = std::max(free, ends[block]);
      lastEnd = std::max(lastEnd, ends[block]);
    }
  }

  std::mutex launching;
  std::uint64_t launches = 0, lastEnd = 0;
  std::vector<std::uint64_t> multiprocessorFree = std::vector<std::uint64_t>(settings().multiprocessors, ticks::kEpoch);
};

} // namespace kperf::host

#endif
