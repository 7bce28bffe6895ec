// hipDeviceProp_t: CUDA's properties with the members that HIP adds or that CUDA 13 took away, and memory advice, which CUDA 13
// asks for in another way.
#ifndef KPERF_HIP_ON_CUDA_DEVICE_PROPERTIES_H
#define KPERF_HIP_ON_CUDA_DEVICE_PROPERTIES_H

#include <cstdio>
#include <cuda_runtime.h>

struct hipDeviceProp_t : cudaDeviceProp {
  char gcnArchName[256]; ///< "sm_90"; HIP's name for the architecture
  int maxSharedMemoryPerMultiProcessor;
#if CUDART_VERSION >= 13000 && !defined(KPERF_HOST_TARGET)
  int clockRate, memoryClockRate, computeMode, kernelExecTimeoutEnabled;
#endif
};

inline cudaError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  if (!properties)
    return cudaErrorInvalidValue;
  const cudaError_t status = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
  if (status != cudaSuccess)
    return status;
  std::snprintf(properties->gcnArchName, sizeof(properties->gcnArchName), "sm_%d%d", properties->major, properties->minor);
  properties->maxSharedMemoryPerMultiProcessor = static_cast<int>(properties->sharedMemPerMultiprocessor);
#if CUDART_VERSION >= 13000 && !defined(KPERF_HOST_TARGET)
  cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&properties->computeMode, cudaDevAttrComputeMode, device);
  cudaDeviceGetAttribute(&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
#endif
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000 && !defined(KPERF_HOST_TARGET)
namespace kperf {
namespace hip {
/// A device's ordinal, or hipCpuDeviceId, as CUDA 13 wants it.
inline cudaMemLocation locationOf(int device) {
  cudaMemLocation location{};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
} // namespace hip
} // namespace kperf

inline cudaError_t hipMemAdvise(const void *address, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(address, bytes, advice, kperf::hip::locationOf(device));
}
inline cudaError_t hipMemPrefetchAsync(const void *address, size_t bytes, int device, cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(address, bytes, kperf::hip::locationOf(device), 0, stream);
}
#else
#define hipMemAdvise cudaMemAdvise
#define hipMemPrefetchAsync cudaMemPrefetchAsync
#endif

// Copies by direction, from HIP's driver-like interface.
typedef void *hipDeviceptr_t;
inline cudaError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}
inline cudaError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}
inline cudaError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

#endif
