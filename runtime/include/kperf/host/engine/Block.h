// One block at work: its threads run one after another on fibers of this operating system thread until they wait.
#ifndef KPERF_HOST_BLOCK_H
#define KPERF_HOST_BLOCK_H

#include <kperf/host/engine/Grid.h>
#include <kperf/host/engine/Ticks.h>
#include <kperf/host/engine/Warp.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace kperf::host {

/// What the threads of a block bring to a barrier, and what they take from it.
struct Ballot {
  unsigned count = 0;
  bool all = true, any = false;
};

/// A barrier object in shared memory.
struct SharedBarrier {
  const void *place = nullptr;
  std::uint32_t expected = 0, pending = 0; ///< arrivals of a phase, and those that the current one lacks
  std::uint64_t completed = 0;             ///< phases
  std::uint64_t latest = 0, release = 0;   ///< virtual time of the current phase's latest arrival, and of the last one's
  ThreadQueue waiting;
};

class Block {
public:
  Block();
  ~Block() { std::free(shared); }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  /// Runs one block of the grid to its end, or until the grid has failed. Returns its end on the virtual clock.
  std::uint64_t run(Grid &grid, std::uint64_t block, unsigned sm, std::uint64_t start, std::size_t stackBytes);

  /// Before another operating system thread runs blocks here.
  void leaveThread() { fibers.restartIdle(); }

  // For the running thread:

  /// Waits for all threads of the block that have not left, and with `acrossGrid` for all blocks.
  Ballot barrier(bool predicate, bool acrossGrid, const char *what, const Site &site);
  /// Waits for the lanes of the mask that have not left, and exchanges a word with them. What it returns has to be read
  /// before the next call of any member.
  Exchange meet(std::uint32_t mask, Collective kind, std::uint64_t value, const char *what, const Site &site);
  /// Waits until no lane of the warp can go on; the lanes that then wait here with the same key, called from the
  /// same places, are the answer. They leave at the latest time of one of them, plus the ticks.
  std::uint32_t converge(std::uint64_t key, std::uint64_t ticks, const char *what, const Site &site);
  /// What is known of the barrier object at that address, and its number among those of the block, from 1 on.
  SharedBarrier &sharedBarrier(const void *place);
  std::uint32_t numberOf(const void *place);
  /// Counts the running thread at a barrier object, and takes it out of later phases if it drops. Returns the phase.
  std::uint64_t arrive(SharedBarrier &barrier, bool drops);
  void await(SharedBarrier &barrier, bool parity, const char *what, const Site &site);
  static bool isOver(const SharedBarrier &barrier, bool parity);
  /// Lets the other threads of the block run. False when there is none that can.
  bool yield();
  /// Gives the launch up. Nothing of the running threads is destroyed: of the caller's own, a string that is moved here holds
  /// nothing any more.
  [[noreturn]] void fail(std::string why);

  char *sharedMemory() const { return shared; }
  const Grid &grid() const { return *current; }
  std::uint64_t index() const { return blockNumber; }
  unsigned sm() const { return multiprocessor; }

private:
  friend struct DeadlockReport;

  static void enterFiber(Transfer from) noexcept;
  void setUp(Grid &grid, std::uint64_t block, std::uint64_t start);
  [[noreturn]] void serve(Fiber &fiber);
  void runThread(CudaThread &thread);
  void finish(CudaThread &thread);
  void resume(CudaThread &thread, Context *left);
  void suspend(CudaThread &thread);
  void startAnother(Context *left);
  void wakeNext(Warp &warp, std::uint32_t lanes);
  void openBarrier();
  void closeMeeting(Warp &warp, Meeting &meeting, std::uint32_t awake);
  void releaseConverging(Warp &warp);
  [[noreturn]] void failDeadlocked();
  unsigned live() const { return threadCount - exited; }

  FiberPool fibers;
  Fiber *entering = nullptr;
  Context mainContext, discarded;
  std::vector<CudaThread> threads;
  std::vector<Warp> warps;
  ThreadQueue ready;
  unsigned threadCount = 0, started = 0, exited = 0;
  int warpRuns = 0;        ///< how often in a row lanes of a warp went before all others
  bool startFirst = false; ///< somebody yields: threads that have not started go before those that are ready

  // The block's barrier.
  ThreadQueue waiting;
  unsigned arrived = 0;
  bool isGridBarrier = false;
  Ballot pending, result;
  std::uint64_t latest = 0, release = 0;

  std::vector<std::unique_ptr<SharedBarrier>> sharedBarriers; ///< in the order in which the block came to them

  Grid *current = nullptr;
  std::uint64_t blockNumber = 0, begin = 0, end = 0;
  unsigned multiprocessor = 0;
  bool hasFailed = false;
  char *shared = nullptr;
  std::size_t sharedCapacity = 0;
};

} // namespace kperf::host

#endif
