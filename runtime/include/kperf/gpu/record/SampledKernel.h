// Runs an untouched copy of a kernel's body in the blocks that are not recorded. Emitted: kperf::runBlock.
//
// The rewriter makes the kernel's body a function of whether its block is recorded. That is called at two places, each
// time with a constant, and inlined: where it is false nothing remains of the probes. It is no template, for static
// __shared__ variables would be there twice.
#ifndef KPERF_GPU_SAMPLED_KERNEL_H
#define KPERF_GPU_SAMPLED_KERNEL_H

#include <kperf/gpu/record/Probe.h>

namespace kperf {
namespace detail {

/// A function of its own for each value: two calls of one function may be merged before they are inlined.
template <bool IsRecorded, typename Body> __host__ __device__ __forceinline__ void runAs(const Body &body) { body(IsRecorded); }

} // namespace detail

/// Runs a kernel's body as that of a block that is recorded, or of one that is not.
template <typename Body> __host__ __device__ __forceinline__ void runBlock(const Body &body) {
#ifdef KPERF_DEVICE_CODE
  if (!detail::isOfSample(kperf_config.sample)) // widthInterval() has no say where a build samples
    return detail::runAs<false>(body);
#endif
  detail::runAs<true>(body);
}

} // namespace kperf

#endif
