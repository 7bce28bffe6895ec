// The vendor's side of the shared probes on AMD GPUs: clocks, lanes, instructions, and the faster of the ways to record.
#ifndef KPERF_HIP_VENDOR_H
#define KPERF_HIP_VENDOR_H

#include <kperf/abi/ConfigSymbol.h>
#include <kperf/hip/Clock.h>
#include <kperf/hip/Instructions.h>
#include <kperf/hip/LaneVotes.h>
#include <kperf/hip/MemorySpaces.h>
#ifndef __HIP_DEVICE_COMPILE__
#include <kperf/hip/DeviceInfo.h>
#endif

#ifdef KPERF_SHARED_BUFFER
#error "KPERF_SHARED_BUFFER is for CUDA: build without it"
#endif

/// A uniform value, kept in vector registers: AMD's compilers would keep it in scalar ones, which are fewer. A condition on such values is
/// asked of all lanes.
#define KPERF_PER_LANE(value) inVector(value)
#define KPERF_FOUND(isSo) anyLane(0, isSo)

/// A static symbol that Clang sees no host code refer to, in the device's pass too, is a constant of zeros to it.
__attribute__((unused)) static const void *kperf_config_address() { return &kperf_config; }

#if defined(__HIP_DEVICE_COMPILE__)

namespace kperf {
namespace detail {

/// The lowest lane finds out whether its block is recorded: if all lanes did, it would take more scalar registers.
constexpr bool kLowestLaneEnters = true;
/// So there are as few uniform conditions as possible: launches are not sampled on the device, and that the arena is full is found where a
/// slot is taken.
constexpr bool kScalarRegistersAreFew = true;
/// A part's records are addressed by an offset from the slot, whose address is then the only one that the wave keeps.
constexpr bool kCountsFromSlot = true;
/// Each part finds out by itself that its warp is not recorded.
constexpr bool kUnrecordedLeaveAtOnce = false;

} // namespace detail
} // namespace kperf

#endif
#endif
