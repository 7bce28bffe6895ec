// Runs the body of a loop's iteration, of which either all accesses are counted or none. Emitted: kperf::SampledLoop.
//
// The rewriter makes the body a function of what is decided. That is called at two places, each time with a constant, and inlined: the
// one that nearly all iterations take has nothing of the probes, and loads move in it as they do in the program. With a question beside
// each access they could not, for behind each may lie a call.
#ifndef KPERF_GPU_SAMPLED_LOOP_H
#define KPERF_GPU_SAMPLED_LOOP_H

#include <kperf/gpu/memory/AccessSample.h>
#include <kperf/gpu/vendor/Vendor.h>
#include <kperf/rules/MemoryCalls.h>

namespace kperf {
namespace detail {

/// A function of its own for each choice: two calls of one function may be merged before they are inlined.
template <IterationSample::Choice Choice, typename Body>
__host__ __device__ __forceinline__ bool runIterationAs(const Body &body, uint32_t moment) {
  return body(IterationSample{Choice, moment});
}

} // namespace detail

/// Counts down to the next iteration that is counted, of one loop or of several that all lanes go round as often. It stands in front of the
/// loop, so that lanes that begin it together count the same iterations.
class SampledLoop {
public:
  __host__ __device__ __forceinline__ SampledLoop() {
#ifdef KPERF_DEVICE_CODE
    if (!detail::kCountsEveryAccess)
      left = detail::iterationsToSkip(detail::accessMoment(), 0);
#endif
  }

  /// An iteration. `body` says whether the loop is to be left, and so does this.
  template <typename Body> __host__ __device__ __forceinline__ bool run(const Body &body) {
#ifdef KPERF_DEVICE_CODE
    if (!detail::kCountsEveryAccess) {
      if (__builtin_expect(left-- != 0, true))
        return detail::runIterationAs<IterationSample::NoneCounted>(body, 0);
      const uint32_t moment = detail::accessMoment(), warps = detail::launchedWarps();
      const uint32_t level = detail::iterationLevelOf(counted++, warps);
      left = detail::iterationsToSkip(moment, detail::iterationLevelOf(counted, warps));
      return detail::runIterationAs<IterationSample::AllCounted>(body, (moment & ~3u) | level);
    }
#endif
    return detail::runIterationAs<IterationSample::EachAsks>(body, 0);
  }
  /// In a kernel that has an untouched copy (kperf/gpu/record/SampledKernel.h), where nothing is counted.
  template <typename Body> __host__ __device__ __forceinline__ bool run(bool isRecorded, const Body &body) {
    return isRecorded ? run(body) : detail::runIterationAs<IterationSample::NoneCounted>(body, 0);
  }

private:
  uint32_t left = 0, counted = 0;
};

} // namespace kperf

#endif
