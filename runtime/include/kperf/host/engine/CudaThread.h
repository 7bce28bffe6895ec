// One CUDA thread: a lane of a warp of the block that this operating system thread runs.
#ifndef KPERF_HOST_CUDA_THREAD_H
#define KPERF_HOST_CUDA_THREAD_H

#include <kperf/host/engine/Fiber.h>
#include <kperf/host/engine/Site.h>
#include <kperf/host/engine/VectorTypes.h>

namespace kperf::host {

class Block;
struct Warp;

/// What a thread waits for, in the words of a report.
struct Wait {
  const char *what = nullptr; ///< null while the thread can run
  const Site *site = nullptr; ///< in the waiting thread's own frames: it is not copied, for it is rarely asked for
  std::uint32_t mask = 0;     ///< lanes that it waits with; 0 at a barrier of the block
};

/// A function that a thread is in, and the statement of it that may be calling another. It lives on the thread's own stack.
struct Activation {
  Activation *caller = nullptr; ///< null for the kernel
  unsigned depth = 0;
  std::uint64_t path = 0;               ///< of the statements that called: the same for threads that came here the same way
  unsigned firstLine = 0, lastLine = 0; ///< of the statement
  unsigned column = 0;                  ///< of one that shares a line with others, else 0

  bool holds(unsigned line) const { return firstLine <= line && line <= lastLine; }
};

/// In what tells threads that wait to converge apart: whoever waits comes before the calls of the same statement.
inline constexpr std::uint64_t kBeforeCalls = 1ull << 59;
/// And it is at the end of a body, behind everything on its line.
inline constexpr std::uint64_t kAtEnd = 1ull << 57;

struct CudaThread {
  Context context; ///< where it goes on, while it waits or is ready
  CudaThread *next = nullptr;
  Block *block = nullptr;
  Warp *warp = nullptr;
  std::uint64_t time = 0; ///< of the virtual clock, in cycles
  uint3 index = {};
  unsigned linear = 0;
  std::uint32_t converged = 0;   ///< the lanes that it last converged with
  unsigned spins = 0;            ///< turns that it gave away since it last waited to converge
  std::uint64_t convergence = 0; ///< the way that it came: lanes converge when they came the same
  std::uintptr_t accessed = 0;   ///< address of its last counted memory access
  const char *frames = nullptr;  ///< the stack where the kernel was entered
  Activation kernel;
  Activation *innermost = &kernel;
  Wait wait;

  unsigned lane() const { return linear % 32; }
  std::uint32_t bit() const { return 1u << lane(); }

  /// Whether both wait to converge at the same place, called from the same places.
  bool isWith(const CudaThread &other) const { return convergence == other.convergence && innermost->path == other.innermost->path; }
  /// Whether what it waits at comes earlier in the source: in the function that both are in, by the lines of what they wait at or of
  /// what they called.
  bool isBefore(const CudaThread &other) const { return orderTo(other) < 0; }

private:
  unsigned columnOfWait() const { return convergence & kAtEnd ? ~0u : innermost->holds(wait.site->line) ? innermost->column : 0; }
  int orderTo(const CudaThread &other) const;
};

/// Below 0: this thread is behind. Of one that waits at a statement of which the other is in a call, a load comes before the call.
inline int CudaThread::orderTo(const CudaThread &other) const {
  const Activation *mine = innermost, *theirs = other.innermost;
  const auto compare = [](unsigned line, unsigned column, unsigned otherLine, unsigned otherColumn) {
    return line != otherLine ? (line < otherLine ? -1 : 1) : column != otherColumn ? (column < otherColumn ? -1 : 1) : 0;
  };
  int order = compare(wait.site->line, columnOfWait(), other.wait.site->line, other.columnOfWait());
  if (mine->depth != theirs->depth) {
    const bool isDeeper = mine->depth > theirs->depth;
    const Activation *&deeper = isDeeper ? mine : theirs;
    while (mine->depth != theirs->depth)
      deeper = deeper->caller;
    const CudaThread &outer = isDeeper ? other : *this;
    const unsigned line = outer.wait.site->line, column = outer.columnOfWait();
    const bool isSame = deeper->holds(line) && column == deeper->column;
    const bool outerFirst = isSame ? (outer.convergence & kBeforeCalls) != 0
                                   : compare(line, column, deeper->holds(line) ? line : deeper->firstLine, deeper->column) < 0;
    order = outerFirst == isDeeper ? 1 : -1;
  }
  for (; mine->caller; mine = mine->caller, theirs = theirs->caller)
    if (const int above = compare(mine->caller->firstLine, mine->caller->column, theirs->caller->firstLine, theirs->caller->column))
      order = above;
  return order;
}

/// The CUDA thread that runs here; null outside of kernels.
inline thread_local CudaThread *currentThread = nullptr;

/// First in, first out.
class ThreadQueue {
public:
  bool empty() const { return !first; }

  void push(CudaThread &thread) {
    thread.next = nullptr;
    (first ? last->next : first) = &thread;
    last = &thread;
  }

  CudaThread &pop() {
    CudaThread &thread = *first;
    first = thread.next;
    return thread;
  }

  /// Takes all of the other queue's threads.
  void append(ThreadQueue &other) {
    if (other.empty())
      return;
    (first ? last->next : first) = other.first;
    last = other.last;
    other.first = nullptr;
  }

  void clear() { first = nullptr; }

private:
  CudaThread *first = nullptr, *last = nullptr;
};

} // namespace kperf::host

// CUDA's built-in variables, as kernels name them.
#if defined(__CUDA__)
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
#else
inline thread_local uint3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0};
inline thread_local dim3 blockDim, gridDim;
#endif
inline constexpr int warpSize = 32;

#endif
