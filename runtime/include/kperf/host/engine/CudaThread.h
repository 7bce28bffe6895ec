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
  Wait wait;

  unsigned lane() const { return linear % 32; }
  std::uint32_t bit() const { return 1u << lane(); }
};

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
