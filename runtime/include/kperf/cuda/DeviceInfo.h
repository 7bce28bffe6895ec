// What a CUDA device says of itself, and what CUDA calls its runtime API.
#ifndef KPERF_CUDA_DEVICE_INFO_H
#define KPERF_CUDA_DEVICE_INFO_H

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>

/// A name of the runtime API.
#define KPERF_API(name) cuda##name

namespace kperf {
namespace vendor {

constexpr format::Target kTarget = format::Target::Cuda;
constexpr int kMinWarpLanes = 32;
/// Whether a null stream may be one that is being captured: the legacy default stream can't be.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
constexpr bool kMayCaptureNullStream = true;
#else
constexpr bool kMayCaptureNullStream = false;
#endif

inline uint32_t deviceAttribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? static_cast<uint32_t>(value) : 0;
}

inline int deviceInfo(int ordinal, kperf_device_info *out) {
  cudaDeviceProp properties;
  if (const cudaError_t status = cudaGetDeviceProperties(&properties, ordinal); status != cudaSuccess)
    return status;
  int driver = 0;
  size_t freeBytes = 0, totalBytes = 0;
  cudaDriverGetVersion(&driver);
  cudaMemGetInfo(&freeBytes, &totalBytes);
  std::snprintf(out->name, sizeof(out->name), "%s", properties.name);
  std::snprintf(out->architecture, sizeof(out->architecture), "sm_%d%d", properties.major, properties.minor);
  std::snprintf(out->driver, sizeof(out->driver), "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
  out->multiprocessors = static_cast<uint32_t>(properties.multiProcessorCount);
  out->warp_lanes = static_cast<uint32_t>(properties.warpSize);
  out->clock_khz = deviceAttribute(cudaDevAttrClockRate, ordinal);
  out->timer_tick_ns = properties.major >= 9 ? 32 : 0; // %globaltimer steps measured on an H200; unknown elsewhere
  out->memory_bytes = properties.totalGlobalMem;
  out->free_bytes = freeBytes;
  std::memcpy(out->uuid, properties.uuid.bytes, sizeof(out->uuid));
  out->memory_bytes_per_second = kperf_memory_bytes_per_second(deviceAttribute(cudaDevAttrMemoryClockRate, ordinal),
                                                               deviceAttribute(cudaDevAttrGlobalMemoryBusWidth, ordinal));
  out->l2_bytes = deviceAttribute(cudaDevAttrL2CacheSize, ordinal);
  out->resident_warps = deviceAttribute(cudaDevAttrMaxThreadsPerMultiProcessor, ordinal) / out->warp_lanes;
  return cudaSuccess;
}

/// Memory of the host that devices see.
inline cudaError_t allocateShared(void **address, size_t bytes) {
  return cudaHostAlloc(address, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
}
inline cudaError_t releaseShared(void *address) { return cudaFreeHost(address); }

/// The kernel's mangled name, or null. An error of the call is the caller's to forget.
#if CUDART_VERSION < 12030 // has no function for it; a driver may have
inline const char *kernelName(const void *kernel, cudaStream_t) {
  using GetName = int (*)(const char **, cudaFunction_t);
  static const GetName getName = [] {
    void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return driver ? reinterpret_cast<GetName>(dlsym(driver, "cuFuncGetName")) : nullptr;
  }();
  cudaFunction_t function = nullptr;
  const char *name = nullptr;
  if (getName && cudaGetFuncBySymbol(&function, kernel) == cudaSuccess && getName(&name, function) == 0)
    return name;
  Dl_info stub;
  return dladdr(kernel, &stub) && stub.dli_saddr == kernel ? stub.dli_sname : "a kernel whose name neither CUDA nor the program tells";
}
#else
inline const char *kernelName(const void *kernel, cudaStream_t) {
  const char *name = nullptr;
  return cudaFuncGetName(&name, kernel) == cudaSuccess ? name : nullptr;
}
#endif

} // namespace vendor
} // namespace kperf

#endif
