// What an AMD device says of itself, and what HIP calls its runtime API.
#ifndef KPERF_HIP_DEVICE_INFO_H
#define KPERF_HIP_DEVICE_INFO_H

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>

/// A name of the runtime API.
#define KPERF_API(name) hip##name

namespace kperf {
namespace vendor {

constexpr format::Target kTarget = format::Target::Hip;
constexpr int kMinWarpLanes = 32;            ///< a wave of 64 lanes may be half empty
constexpr bool kMayCaptureNullStream = true; ///< of hipLaunchKernel_spt

/// Nanoseconds between two steps of the constant-rate clock; where HIP is too old to say, those of 100 MHz.
inline uint32_t timerTickNs(int ordinal) {
#if HIP_VERSION >= 50600000
  int khz = 0;
  if (hipDeviceGetAttribute(&khz, hipDeviceAttributeWallClockRate, ordinal) == hipSuccess && khz > 0)
    return static_cast<uint32_t>((1000000 + khz / 2) / khz);
#else
  static_cast<void>(ordinal);
#endif
  return 10;
}

/// Memory of the host that devices see.
inline hipError_t allocateShared(void **address, size_t bytes) {
  return hipHostMalloc(address, bytes, hipHostMallocPortable | hipHostMallocMapped);
}
inline hipError_t releaseShared(void *address) { return hipHostFree(address); }

inline int deviceInfo(int ordinal, kperf_device_info *out) {
  hipDeviceProp_t properties;
  if (const hipError_t status = hipGetDeviceProperties(&properties, ordinal); status != hipSuccess)
    return status;
  int driver = 0;
  size_t freeBytes = 0, totalBytes = 0;
  static_cast<void>(hipDriverGetVersion(&driver));
  static_cast<void>(hipMemGetInfo(&freeBytes, &totalBytes));
  std::snprintf(out->name, sizeof(out->name), "%s", properties.name);
  const char *colon = std::strchr(properties.gcnArchName, ':'); // of "gfx90a:sramecc+:xnack-"
  const int length = colon ? static_cast<int>(colon - properties.gcnArchName) : 31;
  std::snprintf(out->architecture, sizeof(out->architecture), "%.*s", length, properties.gcnArchName);
  std::snprintf(out->driver, sizeof(out->driver), "HIP %d.%d.%d", HIP_VERSION_MAJOR, HIP_VERSION_MINOR, driver % 100000);
  out->multiprocessors = static_cast<uint32_t>(properties.multiProcessorCount);
  out->warp_lanes = static_cast<uint32_t>(properties.warpSize);
  out->timer_tick_ns = timerTickNs(ordinal);
  const bool hasShortClock = properties.major >= 11; // records show the constant-rate clock (kperf/hip/Clock.h)
  out->clock_khz = hasShortClock ? 1000000 / out->timer_tick_ns : static_cast<uint32_t>(properties.clockRate);
  out->memory_bytes = properties.totalGlobalMem;
  out->free_bytes = freeBytes;
  hipUUID uuid{};
  if (hipDeviceGetUuid(&uuid, ordinal) == hipSuccess)
    std::memcpy(out->uuid, uuid.bytes, sizeof(out->uuid));
  out->memory_bytes_per_second =
      kperf_memory_bytes_per_second(static_cast<uint64_t>(properties.memoryClockRate), static_cast<uint64_t>(properties.memoryBusWidth));
  out->l2_bytes = static_cast<uint64_t>(properties.l2CacheSize);
  out->resident_warps = static_cast<uint32_t>(properties.maxThreadsPerMultiProcessor / properties.warpSize);
  return hipSuccess;
}

/// The kernel's name, or null.
inline const char *kernelName(const void *kernel, hipStream_t stream) { return hipKernelNameRefByPtr(kernel, stream); }

} // namespace vendor
} // namespace kperf

#endif
