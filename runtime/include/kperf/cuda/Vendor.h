// The vendor's side of the shared probes on NVIDIA GPUs: clocks, lanes, instructions, and the faster of the ways to record.
#ifndef KPERF_CUDA_VENDOR_H
#define KPERF_CUDA_VENDOR_H

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700 // what nvcc before CUDA 13 takes where no architecture is named
#error kperf records on GPUs of sm_70 and later, and this is compiled for an older one: name those that you have, as in -arch=sm_90
#endif

#include <kperf/cuda/Clock.h>
#include <kperf/cuda/Instructions.h>
#include <kperf/cuda/LaneVotes.h>
#include <kperf/cuda/MemorySpaces.h>
#include <kperf/cuda/SharedBuffer.h>
#ifndef __CUDA_ARCH__
#include <kperf/cuda/DeviceInfo.h>
#endif

/// A uniform value, kept in a register of each lane; and a condition on such values, which comes out the same in all lanes. ptxas itself
/// chooses the registers.
#define KPERF_PER_LANE(value) value
#define KPERF_FOUND(isSo) (isSo)

#ifdef __CUDA_ARCH__

namespace kperf {
namespace detail {

/// Each lane finds out by itself whether its block is recorded.
constexpr bool kLowestLaneEnters = false;
/// Uniform conditions take no registers that are scarce.
constexpr bool kScalarRegistersAreFew = false;
/// A part's records are addressed by a pointer of their own, not by an offset from the slot.
constexpr bool kCountsFromSlot = false;
/// A warp that is not recorded leaves before it reads the two clocks, which takes time.
constexpr bool kUnrecordedLeaveAtOnce = true;

} // namespace detail
} // namespace kperf

#endif
#endif
