// What the shared probes ask of AMD GPUs: clocks, lanes, instructions, and how they had best go about it there.
#ifndef KPERF_HIP_VENDOR_H
#define KPERF_HIP_VENDOR_H

#include <kperf/hip/Clock.h>
#include <kperf/hip/Instructions.h>

#ifdef KPERF_SHARED_BUFFER
#error "KPERF_SHARED_BUFFER is for CUDA: build without it"
#endif

/// A value that all lanes have alike, in registers of the lanes: AMD's compilers would keep it in the wave's own, which
/// are fewer. What is found of such values is found by all lanes.
#define KPERF_PER_LANE(value) inVector(value)
#define KPERF_FOUND(isSo) anyLane(0, isSo)

#if defined(__HIP_DEVICE_COMPILE__)

namespace kperf {
namespace detail {

/// The lowest lane asks whether its block is recorded: all together would take more scalar registers.
constexpr bool kLowestLaneEnters = true;
/// So each question that all lanes ask alike is as small as it can be: no launch is thinned, and a full arena is found by what takes a
/// slot.
constexpr bool kScalarRegistersAreFew = true;
/// A part's records are counted from the slot, so that its address is the only one that the wave keeps.
constexpr bool kCountsFromSlot = true;
/// Each part looks for itself.
constexpr bool kUnrecordedLeaveAtOnce = false;

} // namespace detail
} // namespace kperf

#endif
#endif
