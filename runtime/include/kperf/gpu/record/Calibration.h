// A kernel of empty regions: what the probes themselves cost on this device, in this build.
//
// It is recorded like any other kernel; its regions have reserved ids (format.h), and the decoder takes the probes' cost from
// it. The runtime launches it once per device before the first launch of the program.
#ifndef KPERF_GPU_CALIBRATION_H
#define KPERF_GPU_CALIBRATION_H

#include <kperf/gpu/record/ClockKernel.h>
#include <kperf/gpu/record/KernelScopes.h>

namespace kperf {
namespace detail {

using CalibrationOwner = Kernel<MaxConvergent<~0u>, MaxShared<~0u>, IsCalled>;

/// kCalibrationRegions empty regions in one enclosing region, straight-line code; repeated so that the code is cached.
__device__ __forceinline__ void calibrateOwn(CalibrationOwner &owner) {
#pragma unroll 1
  for (uint32_t pass = 0; pass < format::kCalibrationPasses; ++pass) {
    const ConvergentScope<CalibrationOwner> enclosing(owner, format::kCalibrationOwnEnclosing);
#pragma unroll
    for (uint32_t region = 0; region < format::kCalibrationRegions; ++region)
      const ConvergentScope<CalibrationOwner> empty(owner, format::kCalibrationOwnEmpty);
  }
}

__device__ __forceinline__ void calibrateShared() {
#pragma unroll 1
  for (uint32_t pass = 0; pass < format::kCalibrationPasses; ++pass) {
    const ScopeIn<false> enclosing(format::kCalibrationSharedEnclosing);
#pragma unroll
    for (uint32_t region = 0; region < format::kCalibrationRegions; ++region)
      const ScopeIn<false> empty(format::kCalibrationSharedEmpty);
  }
}

__device__ __forceinline__ void calibrate() {
  CalibrationOwner owner(format::kCalibrationKernel);
  calibrateOwn(owner);
  calibrateShared();
}

} // namespace detail
} // namespace kperf

/// The kernels, once in a module that has regions: to the others it would be a good part of what is compiled.
#define KPERF_CALIBRATION_KERNEL                                                                                                           \
  namespace kperf {                                                                                                                        \
  namespace detail {                                                                                                                       \
  KPERF_OWN_KERNEL(calibrationKernel)() { calibrate(); }                                                                                   \
  KPERF_OWN_KERNEL(clockKernel)(volatile ClockWord * mailbox) { answerClock(mailbox); }                                                    \
  }                                                                                                                                        \
  }
/// kperf_module::calibrate and read_clock of a module that has them.
#define KPERF_CALIBRATION &calibrateModule<calibrationKernel>, &readModuleClock<clockKernel>

#endif
