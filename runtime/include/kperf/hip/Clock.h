// Clocks, lanes and the order of a probe's instructions on AMD GPUs.
//
// Register numbers and fields: AMD Instinct MI200/MI300 and RDNA 3 Instruction Set Architecture manuals, "Hardware registers"
// (HW_ID, HW_ID1, XCC_ID); LLVM's AMDGPU usage guide for the builtins.
#ifndef KPERF_HIP_CLOCK_H
#define KPERF_HIP_CLOCK_H

#include <cstddef>
#include <cstdint>
#include <hip/hip_runtime.h>
#include <kperf/abi/ConfigSymbol.h>

#if defined(__HIP_DEVICE_COMPILE__)

/// An intrinsic of LLVM's that Clang has no builtin for: the packet's place in its queue.
extern "C" __device__ uint64_t kperf_dispatch_id() __asm__("llvm.amdgcn.dispatch.id");

namespace kperf {
namespace detail {

/// Bit l is lane l of a wave of 32 or 64.
using LaneMask = uint64_t;

/// A constant in machine code.
__device__ __forceinline__ uint32_t warpLanes() {
#if __has_builtin(__builtin_amdgcn_wavefrontsize)
  return __builtin_amdgcn_wavefrontsize();
#else
  return __AMDGCN_WAVEFRONT_SIZE; // Clang before 20
#endif
}

__device__ __forceinline__ uint32_t threadInBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

/// The value of the lowest active lane, in a scalar register.
__device__ __forceinline__ uint32_t uniform(uint32_t value) {
  return static_cast<uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(value)));
}
__device__ __forceinline__ uint64_t uniform(uint64_t value) {
  return uniform(static_cast<uint32_t>(value)) | uint64_t{uniform(static_cast<uint32_t>(value >> 32))} << 32;
}

/// The same value where each lane has its own register, and with it all that is computed from it. Of those a kernel has
/// many, and of the wave's few.
__device__ __forceinline__ uint32_t inVector(uint32_t value) {
  asm("" : "+v"(value));
  return value;
}
__device__ __forceinline__ uint64_t inVector(uint64_t value) {
  asm("" : "+v"(value));
  return value;
}

__device__ __forceinline__ uint32_t warpInBlock() { return uniform(threadInBlock() / warpLanes()); }

__device__ __forceinline__ uint32_t lanesBelow(LaneMask lanes) {
  return __builtin_amdgcn_mbcnt_hi(static_cast<uint32_t>(lanes >> 32), __builtin_amdgcn_mbcnt_lo(static_cast<uint32_t>(lanes), 0));
}
__device__ __forceinline__ uint32_t laneInWarp() { return lanesBelow(~LaneMask{0}); }

__device__ __forceinline__ LaneMask activeLanes() { return __builtin_amdgcn_read_exec(); }
__device__ __forceinline__ uint32_t countLanes(LaneMask lanes) { return static_cast<uint32_t>(__builtin_popcountll(lanes)); }
/// The lowest `count` lanes, 1 to all of them.
__device__ __forceinline__ LaneMask lowLanes(uint32_t count) { return ~LaneMask{0} >> (64 - count); }

/// True in the lowest of `lanes`.
__device__ __forceinline__ bool isLowest(LaneMask lanes) { return lanesBelow(lanes) == 0; }

/// The value of the lowest of the lanes that entered the kernel.
__device__ __forceinline__ uint64_t valueOfFirst(LaneMask, uint64_t value) { return uniform(value); }
__device__ __forceinline__ uint32_t valueOfFirst(LaneMask, uint32_t value) { return uniform(value); }

/// The lane's number, for comparisons in loops.
__device__ __forceinline__ uint32_t laneIdWithoutRematerialisation(LaneMask) { return laneInWarp(); }

/// The value in a register of its own; a wave's scalar registers need no such care.
__device__ __forceinline__ uint32_t copyToVectorRegister(uint32_t value) { return value; }

/// Whether it is so in any of the active lanes.
__device__ __forceinline__ bool anyLane(LaneMask, bool isSo) { return __ballot(isSo) != 0; }

/// The active lanes where it is so.
__device__ __forceinline__ LaneMask lanesWhere(bool isSo) { return __ballot(isSo); }

/// Lanes of a wave run together; what is left is to keep the compiler from moving accesses across.
__device__ __forceinline__ void syncLanes(LaneMask) {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}

__device__ __forceinline__ void fenceBlock() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }

/// Ticks of the clock that runs at one rate on the whole device.
__device__ __forceinline__ uint64_t constantRateTicks() {
#if defined(__GFX11__) || defined(__GFX12__)
  constexpr int kGetRealTime = 0x83; // s_sendmsg_rtn's message; s_memrealtime ended with gfx10
  return static_cast<uint64_t>(__builtin_amdgcn_s_sendmsg_rtnl(kGetRealTime));
#else
  return __builtin_amdgcn_s_memrealtime();
#endif
}

/// The clock that records show: of the shader, and from gfx11 on, where that has only 20 bits, the one at a constant rate.
__device__ __forceinline__ uint64_t clock64Bits() {
#if defined(__GFX11__) || defined(__GFX12__)
  return constantRateTicks();
#else
  return __builtin_amdgcn_s_memtime();
#endif
}

/// Nothing moves across: neither memory accesses nor, by the scheduling barriers, arithmetic of the same basic block.
__device__ __forceinline__ uint32_t clock32() {
  asm volatile("" ::: "memory");
  __builtin_amdgcn_sched_barrier(0);
  const uint64_t cycles = clock64Bits();
  __builtin_amdgcn_sched_barrier(0);
  return static_cast<uint32_t>(cycles);
}

/// A wave issues in order, and its lanes wait for each other anyway.
__device__ __forceinline__ void settleLanes() {}
__device__ __forceinline__ void settleWarp() {}
__device__ __forceinline__ uint32_t settledClock() { return clock32(); }

/// Steps of the clock that records show, and the device's wall clock in nanoseconds, read back to back.
__device__ __forceinline__ void readClocks(uint64_t &cycles, uint64_t &ns) {
  asm volatile("" ::: "memory");
  __builtin_amdgcn_sched_barrier(0);
  const uint64_t ticks = constantRateTicks();
  cycles = inVector(clock64Bits());
  __builtin_amdgcn_sched_barrier(0);
  ns = inVector(ticks) * kperf_config.timer_tick_ns;
}

/// The device's wall clock, read when `word` has come from memory.
__device__ __forceinline__ uint64_t wallClockBehind(uint64_t word) {
  asm volatile("" ::"v"(word) : "memory");
  __builtin_amdgcn_sched_barrier(0);
  return inVector(constantRateTicks()) * kperf_config.timer_tick_ns;
}

/// Unique per launch on its device: a packet's place in its queue, and the queue. Ascending within a queue; launches of
/// different queues interleave by their places.
__device__ __forceinline__ uint64_t gridId() {
  constexpr unsigned kQueueId = 32; // offset of hsa_queue_t::id (HSA runtime specification)
  const auto queue = (uintptr_t)__builtin_amdgcn_queue_ptr();
  const uint64_t id = *(const __attribute__((address_space(4))) uint64_t *)(queue + kQueueId);
  return kperf_dispatch_id() << 8 | (id & 0xff);
}

/// Blocks of the calling one's cluster.
__device__ __forceinline__ uint32_t clusterBlocks() { return 1; }

/// `Bits` bits of a hardware register, from bit `First` on.
template <int Register, int First, int Bits> __device__ __forceinline__ uint32_t hardwareRegister() {
  return __builtin_amdgcn_s_getreg(Register | First << 6 | (Bits - 1) << 11);
}

/// The compute unit, counted over shader engines and chiplets; below 1024, and with gaps.
__device__ __forceinline__ uint32_t smId() {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  constexpr int kHardwareId1 = 23;
  const uint32_t workgroupProcessor = hardwareRegister<kHardwareId1, 10, 4>();
  const uint32_t unitOfIt = hardwareRegister<kHardwareId1, 9, 1>(); // the higher bit of SIMD_ID: a unit has two
  const uint32_t array = hardwareRegister<kHardwareId1, 16, 1>(), engine = hardwareRegister<kHardwareId1, 18, 3>();
  return unitOfIt | workgroupProcessor << 1 | array << 5 | engine << 6;
#elif defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__)
  constexpr int kHardwareId = 4, kChipletId = 20;
  const uint32_t unit = hardwareRegister<kHardwareId, 8, 4>(), engine = hardwareRegister<kHardwareId, 13, 2>();
  return unit | engine << 4 | hardwareRegister<kChipletId, 0, 4>() << 6;
#else
  constexpr int kHardwareId = 4; // CU_ID, SH_ID and SE_ID are neighbours
  return hardwareRegister<kHardwareId, 8, 8>();
#endif
}

} // namespace detail
} // namespace kperf

#endif
#endif
