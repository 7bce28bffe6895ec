// The CUDA runtime API as kperf's runtime library uses it (module.h), compiled into the instrumented translation unit.
#ifndef KPERF_CUDA_GPU_API_H
#define KPERF_CUDA_GPU_API_H

#include <kperf/cuda/Calibration.h>

#ifndef __CUDA_ARCH__

#include <kperf/format.h>
#include <kperf/module.h>

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

namespace kperf {
namespace cuda {

/// Lets the calling thread allocate and copy while a stream capture of the program is under way.
class RelaxedCapture {
public:
  RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode); }
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
};

/// Runs `work(stream)` on a stream of its own, which waits for nothing the program does, and waits for it.
template <typename Work> int onOwnStream(Work work) {
  const RelaxedCapture relaxed;
  cudaStream_t stream;
  cudaError_t status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (status != cudaSuccess)
    return status;
  status = work(stream);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return status;
}

inline int currentDevice(int *ordinal) { return cudaGetDevice(ordinal); }
inline int selectDevice(int ordinal) { return cudaSetDevice(ordinal); }
inline int releaseMemory(void *address) { return cudaFree(address); }
inline const char *errorText(int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); }

inline int synchronizeDevice() {
  const RelaxedCapture relaxed;
  return cudaDeviceSynchronize();
}

inline int clearMemory(uint64_t address, size_t bytes) {
  return onOwnStream([=](cudaStream_t stream) {
    return cudaMemsetAsync(reinterpret_cast<void *>(address), 0, bytes, stream);
  });
}

inline int allocateMemory(void **address, size_t bytes) {
  const RelaxedCapture relaxed;
  const cudaError_t status = cudaMalloc(address, bytes);
  if (status == cudaSuccess)
    return clearMemory(reinterpret_cast<uint64_t>(*address), bytes);
  cudaGetLastError(); // ours, not the program's
  return status;
}

inline int copyBack(void *host, uint64_t address, size_t bytes) {
  const bool clean = cudaPeekAtLastError() == cudaSuccess;
  const int status = onOwnStream([=](cudaStream_t stream) {
    return cudaMemcpyAsync(host, reinterpret_cast<void *>(address), bytes, cudaMemcpyDeviceToHost, stream);
  });
  if (clean)
    cudaGetLastError(); // ours, not the program's
  return status;
}

inline int copyTo(uint64_t address, const void *host, size_t bytes) {
  return onOwnStream([=](cudaStream_t stream) {
    return cudaMemcpyAsync(reinterpret_cast<void *>(address), host, bytes, cudaMemcpyHostToDevice, stream);
  });
}

inline int deviceInfo(int ordinal, kperf_device_info *out) {
  cudaDeviceProp properties;
  if (const cudaError_t status = cudaGetDeviceProperties(&properties, ordinal); status != cudaSuccess)
    return status;
  int driver = 0, clockKhz = 0;
  size_t freeBytes = 0, totalBytes = 0;
  cudaDriverGetVersion(&driver);
  cudaDeviceGetAttribute(&clockKhz, cudaDevAttrClockRate, ordinal);
  cudaMemGetInfo(&freeBytes, &totalBytes);
  std::snprintf(out->name, sizeof(out->name), "%s", properties.name);
  std::snprintf(out->architecture, sizeof(out->architecture), "sm_%d%d", properties.major, properties.minor);
  std::snprintf(out->driver, sizeof(out->driver), "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
  out->multiprocessors = static_cast<uint32_t>(properties.multiProcessorCount);
  out->warp_lanes = static_cast<uint32_t>(properties.warpSize);
  out->clock_khz = static_cast<uint32_t>(clockKhz);
  out->timer_tick_ns = properties.major >= 9 ? 32 : 0; // %globaltimer steps measured on an H200; unknown elsewhere
  out->memory_bytes = properties.totalGlobalMem;
  out->free_bytes = freeBytes;
  std::memcpy(out->uuid, properties.uuid.bytes, sizeof(out->uuid));
  return cudaSuccess;
}

inline const kperf_gpu_api *gpuApi() {
  static const kperf_gpu_api api = {static_cast<uint32_t>(format::Target::Cuda),
                                    currentDevice,
                                    deviceInfo,
                                    allocateMemory,
                                    releaseMemory,
                                    copyBack,
                                    clearMemory,
                                    synchronizeDevice,
                                    selectDevice,
                                    errorText,
                                    copyTo};
  return &api;
}

} // namespace cuda

namespace detail {

inline const kperf_gpu_api *moduleGpuApi() { return cuda::gpuApi(); }

/// Writes this translation unit's symbol on the current device.
__attribute__((unused)) static int configureModule(const kperf_device_config *config) {
  return cuda::onOwnStream([=](cudaStream_t stream) {
    return cudaMemcpyToSymbolAsync(kperf_config, config, sizeof(*config), 0, cudaMemcpyHostToDevice, stream);
  });
}

__attribute__((unused)) static int calibrateModule() {
  return cuda::onOwnStream([](cudaStream_t stream) {
    calibrationKernel<<<1, 32, 0, stream>>>();
    return cudaPeekAtLastError();
  });
}

__attribute__((unused)) static int (*moduleCalibration())() { return &calibrateModule; }

} // namespace detail
} // namespace kperf

#endif
#endif
