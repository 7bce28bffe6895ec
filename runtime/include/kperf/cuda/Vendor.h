// What the shared probes ask of NVIDIA GPUs: clocks, lanes, instructions, and how they had best go about it there.
#ifndef KPERF_CUDA_VENDOR_H
#define KPERF_CUDA_VENDOR_H

#include <kperf/cuda/Clock.h>
#include <kperf/cuda/Instructions.h>

/// A value that all lanes have alike, in registers of the lanes, and what all lanes find of it: ptxas chooses the registers.
#define KPERF_PER_LANE(value) value
#define KPERF_FOUND(isSo) (isSo)

#ifdef __CUDA_ARCH__

namespace kperf {
namespace detail {

/// All lanes ask whether their block is recorded, and need not be told.
constexpr bool kLowestLaneEnters = false;
/// What a question needs that all lanes ask alike costs nothing that is short.
constexpr bool kScalarRegistersAreFew = false;
/// A part's records have an address of their own.
constexpr bool kCountsFromSlot = false;
/// Reading both clocks takes time, which a warp that is not recorded should not.
constexpr bool kUnrecordedLeaveAtOnce = true;

} // namespace detail
} // namespace kperf

#endif
#endif
