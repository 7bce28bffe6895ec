// The host target as kperf's runtime library uses it (module.h): ordinary memory in place of a device's.
#ifndef KPERF_HOST_GPU_API_H
#define KPERF_HOST_GPU_API_H

#include <kperf/host/engine/Outlined.h>
#include <kperf/host/probe/Calibration.h>

#include <kperf/abi/module.h>
#include <kperf/format.h>
#include <kperf/host/probe/probe_host.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kperf {
namespace host {

inline int describeForTrace(int ordinal, kperf_device_info *out) {
  if (ordinal != 0)
    return cudaErrorInvalidDevice;
  const cudaDeviceProp device = describeDevice();
  std::memset(out, 0, sizeof(*out));
  std::snprintf(out->name, sizeof(out->name), "%s%s", device.name,
                settings().areMultiprocessorsGiven ? format::kChosenMultiprocessors : "");
  std::snprintf(out->architecture, sizeof(out->architecture), "host");
  std::snprintf(out->driver, sizeof(out->driver), "%s clock", isVirtualClock() ? "virtual" : "wall");
  out->multiprocessors = settings().multiprocessors;
  out->warp_lanes = 32;
  out->clock_khz = kClockKhz;
  out->timer_tick_ns = 1;
  out->memory_bytes = device.totalGlobalMem;
  out->free_bytes = static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::memcpy(out->uuid, device.uuid.bytes, sizeof(out->uuid));
  return 0;
}

inline int allocateZeroed(void **address, size_t bytes) {
  *address = std::calloc(1, bytes); // aligned to 16, like the records
  return *address ? cudaSuccess : cudaErrorMemoryAllocation;
}

/// Never prints and never touches the program's last error. Launches are done when they return, so nothing has to wait.
KPERF_HOST_OUTLINED inline const kperf_gpu_api *gpuApi() {
  static const kperf_gpu_api api = {
      static_cast<uint32_t>(format::Target::Host),
      [](int *ordinal) { return *ordinal = 0; },
      describeForTrace,
      allocateZeroed,
      [](void *address) {
        std::free(address);
        return 0;
      },
      [](void *host, uint64_t address, size_t bytes) {
        std::memcpy(host, reinterpret_cast<const void *>(address), bytes);
        return 0;
      },
      [](uint64_t address, size_t bytes) {
        std::memset(reinterpret_cast<void *>(address), 0, bytes);
        return 0;
      },
      [] { return 0; },
      [](int ordinal) { return ordinal == 0 ? int{cudaSuccess} : int{cudaErrorInvalidDevice}; },
      [](int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); },
      [](uint64_t address, const void *host, size_t bytes) {
        std::memcpy(reinterpret_cast<void *>(address), host, bytes);
        return 0;
      },
      nullptr, // there are no registers to be short of
      nullptr,
      nullptr,
      nullptr, // launches that other threads make may be under way at any time
  };
  return &api;
}

} // namespace host

namespace detail {

inline const kperf_gpu_api *moduleGpuApi() { return host::gpuApi(); }

/// Says where the probes of this program or library record from the next launch on.
__attribute__((unused)) static int configureModule(kperf_module *, const kperf_device_config *config) {
  kperf_config = *config;
  return 0;
}

} // namespace detail
} // namespace kperf

#endif
