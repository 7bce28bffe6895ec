// cudaError_t, its names and texts, and the calling thread's last error.
#ifndef KPERF_HOST_ERRORS_H
#define KPERF_HOST_ERRORS_H

#include <kperf/host/engine/Attributes.h>
#include <kperf/host/engine/Outlined.h>

#include <atomic>

// Values and texts as in CUDA 13's driver_types.h; those that the host target can return or that programs compare with.
#define KPERF_HOST_CUDA_ERRORS(X)                                                                                                          \
  X(cudaSuccess, 0, "no error")                                                                                                            \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                                                                          \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                                                                         \
  X(cudaErrorInitializationError, 3, "initialization error")                                                                               \
  X(cudaErrorCudartUnloading, 4, "driver shutting down")                                                                                   \
  X(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")                                                 \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                                                    \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                                                              \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                                                   \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                                                               \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                                                           \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference")                                                                              \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                                                              \
  X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")                                       \
  X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                                                       \
  X(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")                                           \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                                                         \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                                                          \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                                                 \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                                                    \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context")                                                                           \
  X(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                                                                \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")                                      \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                                                                 \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                                                         \
  X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")                                         \
  X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                                                              \
  X(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                                                         \
  X(cudaErrorFileNotFound, 301, "file not found")                                                                                          \
  X(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")                                                 \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                                                        \
  X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")                                                  \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                                                                \
  X(cudaErrorNotReady, 600, "device not ready")                                                                                            \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                                                              \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                                         \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                                                \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                                              \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                                                \
  X(cudaErrorAssert, 710, "device-side assert triggered")                                                                                  \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")                              \
  X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")                                    \
  X(cudaErrorHardwareStackError, 714, "hardware stack error")                                                                              \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                                                            \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                                                                                 \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")                                           \
  X(cudaErrorInvalidPc, 718, "invalid program counter")                                                                                    \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                                                             \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                                                      \
  X(cudaErrorNotPermitted, 800, "operation not permitted")                                                                                 \
  X(cudaErrorNotSupported, 801, "operation not supported")                                                                                 \
  X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")                                            \
  X(cudaErrorUnknown, 999, "unknown error")

enum cudaError : int {
#define KPERF_HOST_ENUMERATOR(name, value, text) name = value,
  KPERF_HOST_CUDA_ERRORS(KPERF_HOST_ENUMERATOR)
#undef KPERF_HOST_ENUMERATOR
};
typedef enum cudaError cudaError_t;

namespace kperf::host {

inline thread_local cudaError_t lastError = cudaSuccess;
/// Of a kernel that failed: every later call returns it until the device is reset.
inline std::atomic<cudaError_t> stickyError{cudaSuccess};

/// What a call of the runtime API returns: notes an error for cudaGetLastError; what a kernel did wrong goes first.
inline cudaError_t finishCall(cudaError_t status) {
  if (const cudaError_t sticky = stickyError.load(); sticky != cudaSuccess)
    status = sticky;
  if (status != cudaSuccess && status != cudaErrorNotReady)
    lastError = status;
  return status;
}

} // namespace kperf::host

KPERF_HOST_OUTLINED inline const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define KPERF_HOST_NAME(name, value, text)                                                                                                 \
  case name:                                                                                                                               \
    return #name;
    KPERF_HOST_CUDA_ERRORS(KPERF_HOST_NAME)
#undef KPERF_HOST_NAME
  }
  return "unrecognized error code";
}

KPERF_HOST_OUTLINED inline const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define KPERF_HOST_TEXT(name, value, text)                                                                                                 \
  case name:                                                                                                                               \
    return text;
    KPERF_HOST_CUDA_ERRORS(KPERF_HOST_TEXT)
#undef KPERF_HOST_TEXT
  }
  return "unrecognized error code";
}

inline cudaError_t cudaPeekAtLastError() {
  const cudaError_t sticky = kperf::host::stickyError.load();
  return sticky != cudaSuccess ? sticky : kperf::host::lastError;
}

inline cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  kperf::host::lastError = cudaSuccess;
  return error;
}

#endif
