// Clocks, lanes and the order of a probe's instructions on CUDA.
#ifndef KPERF_CUDA_CLOCK_H
#define KPERF_CUDA_CLOCK_H

#ifndef __CUDACC_RTC__
#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#endif

#ifdef __CUDA_ARCH__

namespace kperf {
namespace detail {

/// Bit l is lane l of a warp.
using LaneMask = uint32_t;

__device__ __forceinline__ constexpr uint32_t warpLanes() { return 32; }

__device__ __forceinline__ uint32_t threadInBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__device__ __forceinline__ uint32_t warpInBlock() { return threadInBlock() / warpLanes(); }
__device__ __forceinline__ uint32_t laneInWarp() { return threadInBlock() % warpLanes(); }

__device__ __forceinline__ LaneMask activeLanes() {
  LaneMask lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}

__device__ __forceinline__ uint32_t countLanes(LaneMask lanes) { return __popc(lanes); }
/// The lowest `count` lanes, 1 to all of them.
__device__ __forceinline__ LaneMask lowLanes(uint32_t count) { return 0xffffffffu >> (32 - count); }

/// The value of the lowest of the lanes that entered the kernel: lane 0.
template <typename T> __device__ __forceinline__ T valueOfFirst(LaneMask lanes, T value) { return __shfl_sync(lanes, value, 0); }

/// The lane's number, for comparisons in loops: what comes out of a shuffle, ptxas does not compute anew from the thread's index
/// in every iteration.
__device__ __forceinline__ uint32_t laneIdWithoutRematerialisation(LaneMask lanes) {
  const uint32_t lane = laneInWarp();
  return __shfl_sync(lanes, lane, static_cast<int>(lane));
}

/// Copies the value into a vector register, so that a loop's counter can stay in a uniform register although it is read after the loop.
__device__ __forceinline__ uint32_t copyToVectorRegister(uint32_t value) {
  uint32_t copy;
  asm volatile("mov.u32 %0, %1;" : "=r"(copy) : "r"(value));
  return copy;
}

/// Whether it is so in any of `lanes`, which are those that call.
__device__ __forceinline__ bool anyLane(LaneMask lanes, bool isSo) { return __any_sync(lanes, isSo); }

/// The lanes of a whole warp, which calls together, where it is so. With a constant for those that call: it takes no
/// instruction.
__device__ __forceinline__ LaneMask lanesWhere(bool isSo) { return __ballot_sync(0xffffffffu, isSo); }

__device__ __forceinline__ void syncLanes(LaneMask lanes) { __syncwarp(lanes); }
__device__ __forceinline__ void fenceBlock() { __threadfence_block(); }

/// Those with a smaller number than the calling one's.
__device__ __forceinline__ LaneMask lanesBelow() {
  LaneMask below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  return below;
}

/// True in the lowest of `lanes`.
__device__ __forceinline__ bool isLowest(LaneMask lanes) { return (lanes & lanesBelow()) == 0; }

__device__ __forceinline__ uint32_t clock32() {
  uint32_t cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

/// Makes the clock reads that follow wait for the barriers that the active lanes have passed. On Hopper
/// BAR.SYNC.DEFER_BLOCKING lets a clock read pass: behind a barrier that others reached 5 000 cycles later, %clock had advanced
/// by 9, and behind a named or a cluster barrier it passed too. A __syncwarp() in between cures it and is one NOP in SASS; a
/// wait on an mbarrier needs no cure (test/bench/barrier_clock.cu).
__device__ __forceinline__ void settleLanes() { __syncwarp(activeLanes()); }

/// The same of a whole warp, with an instruction less.
__device__ __forceinline__ void settleWarp() { __syncwarp(); }

/// The clock, behind everything that the active lanes waited for.
__device__ __forceinline__ uint32_t settledClock() {
  settleLanes();
  return clock32();
}

/// The same in code that may be divergent; 36 cycles where settledClock() takes 23 (H200, test/bench/barrier_clock.cu). After a
/// __syncwarp() of some lanes there ptxas may assume that the warp stays diverged, and stop using uniform registers: those outside of
/// FlashAttention-3's main loop put 39 R2UR into it. pmevent waits for the barrier too, without that; profilers that count performance
/// monitor event 0 see it.
__device__ __forceinline__ uint32_t divergentClock() {
  asm volatile("pmevent 0;" ::: "memory");
  return clock32();
}

/// The SM's clock and the device's wall clock, read back to back.
__device__ __forceinline__ void readClocks(uint64_t &cycles, uint64_t &ns) {
  asm volatile("mov.u64 %0, %%globaltimer;\n\tmov.u64 %1, %%clock64;" : "=l"(ns), "=l"(cycles)::"memory");
}

/// The device's wall clock, read when `word` has come from memory, which is not 0.
__device__ __forceinline__ uint64_t wallClockBehind(uint64_t word) {
  uint64_t ns;
  asm volatile("{\n\t.reg .pred isThere;\n\tsetp.ne.u64 isThere, %1, 0;\n\tmov.u64 %0, 0;\n\t@isThere mov.u64 %0, %%globaltimer;\n\t}"
               : "=l"(ns)
               : "l"(word)
               : "memory");
  return ns;
}

/// Unique per launch on its device.
__device__ __forceinline__ uint64_t gridId() {
  uint64_t id;
  asm("mov.u64 %0, %%gridid;" : "=l"(id));
  return id;
}

__device__ __forceinline__ uint32_t smId() {
  uint32_t id;
  asm("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

/// Blocks of the calling one's cluster.
__device__ __forceinline__ uint32_t clusterBlocks() {
  uint32_t blocks = 1;
#if __CUDA_ARCH__ >= 900
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
#endif
  return blocks;
}

/// The calling warp's place on its multiprocessor, which it keeps unless it is preempted: not volatile, for a loop to ask once.
__device__ __forceinline__ uint32_t warpOnSm() {
  uint32_t place;
  asm("mov.u32 %0, %%warpid;" : "=r"(place));
  return place;
}

} // namespace detail
} // namespace kperf

#endif
#endif
