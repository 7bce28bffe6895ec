// The runtime API about the device itself: which, how many, its properties and limits, waiting for it.
#ifndef KPERF_HOST_DEVICE_API_H
#define KPERF_HOST_DEVICE_API_H

#include <kperf/host/api/FunctionAttributes.h>
#include <kperf/host/api/Properties.h>

#include <cstdio>

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

enum cudaLimit : int {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6,
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2,
};
enum cudaComputeMode { cudaComputeModeDefault = 0, cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2 };
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10

namespace kperf::host {
inline cudaError_t checkDevice(int device) { return finishCall(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
} // namespace kperf::host

inline cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaSetDevice(int device) { return kperf::host::checkDevice(device); }
inline cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return kperf::host::checkDevice(device); }
inline cudaError_t cudaSetDeviceFlags(unsigned int) { return kperf::host::finishCall(cudaSuccess); }
inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { return cudaGetDevice(device); }

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (!properties)
    return kperf::host::finishCall(cudaErrorInvalidValue);
  if (device == 0)
    *properties = kperf::host::describeDevice();
  return kperf::host::checkDevice(device);
}

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (device != 0)
    return kperf::host::checkDevice(device);
  const bool isKnown = value && kperf::host::attributeOf(kperf::host::describeDevice(), attribute, *value);
  return kperf::host::finishCall(isKnown ? cudaSuccess : cudaErrorInvalidValue);
}

inline cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device) {
  if (device == 0 && text && length > 0)
    std::snprintf(text, static_cast<size_t>(length), "0000:00:00.0");
  return kperf::host::checkDevice(device);
}

/// Launches are done when they return: what is left is to take the error of a kernel that failed.
inline cudaError_t cudaDeviceSynchronize() {
  kperf::host::Streams::instance().synchronize();
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

/// Forgets errors and settings of kernels. Memory stays what it was.
inline cudaError_t cudaDeviceReset() {
  cudaDeviceSynchronize();
  kperf::host::stickyError = cudaSuccess;
  kperf::host::lastError = cudaSuccess;
  kperf::host::Functions::instance().reset();
  return cudaSuccess;
}
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

/// The stack size is that of CUDA threads from the next launch on, never less than KPERF_HOST_STACK or its default:
/// code for the host needs more than code for a GPU. Other limits do not exist here.
inline cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit == cudaLimitStackSize)
    kperf::host::Engine::instance().stackBytes = std::max(value, kperf::host::settings().stackBytes);
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  *value = limit == cudaLimitStackSize ? kperf::host::Engine::instance().stackBytes.load() : size_t{8} << 20;
  return kperf::host::finishCall(cudaSuccess);
}

inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return kperf::host::finishCall(cudaSuccess); }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return kperf::host::finishCall(cudaSuccess); }
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int) {
  *can = 0;
  return kperf::host::checkDevice(device);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return kperf::host::finishCall(cudaErrorPeerAccessUnsupported); }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return kperf::host::finishCall(cudaErrorPeerAccessNotEnabled); }
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDA_VERSION;
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return kperf::host::finishCall(cudaSuccess);
}
inline cudaError_t cudaProfilerStart() { return kperf::host::finishCall(cudaSuccess); }
inline cudaError_t cudaProfilerStop() { return kperf::host::finishCall(cudaSuccess); }

#endif
