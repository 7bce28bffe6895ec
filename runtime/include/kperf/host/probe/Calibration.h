// A kernel of empty regions: what the probes themselves cost on the host target, in this build (format.h).
#ifndef KPERF_HOST_CALIBRATION_H
#define KPERF_HOST_CALIBRATION_H

#include <kperf/abi/ClockMailbox.h>
#include <kperf/host/engine/Outlined.h>
#include <kperf/host/probe/probe_host.h>

namespace kperf {
namespace host {

/// kCalibrationRegions empty regions in one enclosing region, repeated. All of a warp's records are of the shared kind
/// here.
inline void calibrationKernel() {
  const Kernel<MaxShared<~0u>> kernel(format::kCalibrationKernel);
  for (std::uint32_t pass = 0; pass < format::kCalibrationPasses; ++pass) {
    const Scope enclosing(format::kCalibrationSharedEnclosing);
    for (std::uint32_t region = 0; region < format::kCalibrationRegions; ++region)
      const Scope empty(format::kCalibrationSharedEmpty);
  }
}

/// Runs it, in no stream of the program's and unannounced; leaves the program's last error alone.
KPERF_HOST_OUTLINED inline int calibrate(kperf_module *) {
  const cudaError_t before = lastError;
  Configuration configuration;
  configuration.grid = 1;
  configuration.block = 32;
  configuration.stream = Streams::instance().create(cudaStreamNonBlocking, 0);
  configuration.site = Site::here();
  configuration.isCalibration = true;
  const int status = runClosure(configuration, [] { calibrationKernel(); });
  Streams::instance().destroy(configuration.stream);
  lastError = before;
  return status;
}

/// Both clocks are this machine's; the virtual one has nothing to do with the other.
KPERF_HOST_OUTLINED inline int readClockForTrace(kperf_module *, uint32_t, kperf_clock_reading *out) {
  if (isVirtualClock())
    return cudaErrorNotSupported;
  constexpr int kTries = 8; // one of them is not interrupted
  for (int i = 0; i < kTries; ++i) {
    kperf_clock_reading next;
    next.host_from_ns = detail::hostNs();
    next.device_ns = wallNs();
    next.host_to_ns = detail::hostNs();
    if (i == 0 || next.host_to_ns - next.host_from_ns < out->host_to_ns - out->host_from_ns)
      *out = next;
  }
  return cudaSuccess;
}

} // namespace host
} // namespace kperf

#define KPERF_CALIBRATION_KERNEL ///< is a function of the runtime's here
#define KPERF_CALIBRATION &host::calibrate, &host::readClockForTrace

#endif
