// cudaMemcpy, cudaMemset and their kin: done when they return, refused where CUDA refuses them.
#ifndef KPERF_HOST_COPY_H
#define KPERF_HOST_COPY_H

#include <kperf/host/api/Allocation.h>
#include <kperf/host/engine/Outlined.h>

#include <cstring>
#include <memory>
#include <type_traits>

/// Of a fixed type, so that what a program makes of any number has a value, and is refused.
enum cudaMemcpyKind : int {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6,
};
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

namespace kperf::host {

/// Whether one side of a copy is what the copy's kind says of it, and all of it lies in one allocation.
inline bool isSide(const void *address, std::size_t bytes, bool onDevice) {
  const Range range = Allocations::instance().find(address);
  if (range.type == cudaMemoryTypeUnregistered)
    return !onDevice;
  if (range.type == cudaMemoryTypeDevice && !onDevice)
    return false;
  return range.holds(address, bytes);
}

/// Whether the sides of a copy of this extent are what its kind says.
KPERF_HOST_OUTLINED inline cudaError_t checkCopy(const void *to, std::size_t toBytes, const void *from, std::size_t fromBytes,
                                                 cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (!to || !from)
    return cudaErrorInvalidValue;
  if (kind == cudaMemcpyDefault) {
    const Range target = Allocations::instance().find(to), source = Allocations::instance().find(from);
    const bool fits = (target.type == cudaMemoryTypeUnregistered || target.holds(to, toBytes)) &&
                      (source.type == cudaMemoryTypeUnregistered || source.holds(from, fromBytes));
    return fits ? cudaSuccess : cudaErrorInvalidValue;
  }
  const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return isSide(to, toBytes, toDevice) && isSide(from, fromBytes, fromDevice) ? cudaSuccess : cudaErrorInvalidValue;
}

inline cudaError_t checkStream(cudaStream_t stream) {
  return Streams::instance().find(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

KPERF_HOST_OUTLINED inline cudaError_t copyBytes(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  if (stickyError.load() != cudaSuccess || bytes == 0)
    return finishCall(cudaSuccess);
  const cudaError_t status = checkCopy(to, bytes, from, bytes, kind);
  if (status == cudaSuccess)
    std::memmove(to, from, bytes);
  return finishCall(status);
}

KPERF_HOST_OUTLINED inline cudaError_t copyRows(void *to, std::size_t toPitch, const void *from, std::size_t fromPitch, std::size_t width,
                                                std::size_t height, cudaMemcpyKind kind) {
  if (stickyError.load() != cudaSuccess || width == 0 || height == 0)
    return finishCall(cudaSuccess);
  if (width > toPitch || width > fromPitch)
    return finishCall(cudaErrorInvalidPitchValue);
  const cudaError_t status = checkCopy(to, toPitch * (height - 1) + width, from, fromPitch * (height - 1) + width, kind);
  for (std::size_t row = 0; row < height && status == cudaSuccess; ++row)
    std::memmove(static_cast<char *>(to) + row * toPitch, static_cast<const char *>(from) + row * fromPitch, width);
  return finishCall(status);
}

KPERF_HOST_OUTLINED inline cudaError_t setRows(void *to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (stickyError.load() != cudaSuccess || width == 0 || height == 0)
    return finishCall(cudaSuccess);
  if (!to || !isSide(to, pitch * (height - 1) + width, true))
    return finishCall(cudaErrorInvalidValue);
  for (std::size_t row = 0; row < height; ++row)
    std::memset(static_cast<char *>(to) + row * pitch, value, width);
  return finishCall(cudaSuccess);
}

/// Part of a variable of the device, as an address; null when it is not part of it.
template <typename T> char *partOf(const T &symbol, std::size_t bytes, std::size_t offset) {
  if (offset > sizeof(T) || bytes > sizeof(T) - offset)
    return nullptr;
  return reinterpret_cast<char *>(const_cast<std::remove_cv_t<T> *>(std::addressof(symbol))) + offset;
}

} // namespace kperf::host

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return kperf::host::copyBytes(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  if (const cudaError_t status = kperf::host::checkStream(stream); status != cudaSuccess)
    return kperf::host::finishCall(status);
  return kperf::host::copyBytes(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return kperf::host::copyRows(to, toPitch, from, fromPitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return kperf::host::copyRows(to, toPitch, from, fromPitch, width, height, kind);
}
inline cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes) {
  return kperf::host::copyBytes(to, from, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemset(void *to, int value, size_t bytes) { return kperf::host::setRows(to, bytes, value, bytes, 1); }
inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = nullptr) {
  if (const cudaError_t status = kperf::host::checkStream(stream); status != cudaSuccess)
    return kperf::host::finishCall(status);
  return cudaMemset(to, value, bytes);
}
inline cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return kperf::host::setRows(to, pitch, value, width, height);
}

template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  char *const to = kperf::host::partOf(symbol, bytes, offset);
  if (to && from)
    std::memmove(to, from, bytes);
  return kperf::host::finishCall(to && from ? cudaSuccess : cudaErrorInvalidValue);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  const char *const from = kperf::host::partOf(symbol, bytes, offset);
  if (to && from)
    std::memmove(to, from, bytes);
  return kperf::host::finishCall(to && from ? cudaSuccess : cudaErrorInvalidValue);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t = nullptr) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
template <typename T> cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
  *address = kperf::host::partOf(symbol, sizeof(T), 0);
  kperf::host::Allocations::instance().note(*address, sizeof(T), cudaMemoryTypeDevice);
  return kperf::host::finishCall(cudaSuccess);
}
template <typename T> cudaError_t cudaGetSymbolSize(size_t *bytes, const T &) {
  *bytes = sizeof(T);
  return kperf::host::finishCall(cudaSuccess);
}

inline cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, int, cudaStream_t = nullptr) {
  const bool isKnown = kperf::host::Allocations::instance().find(address).holds(address, bytes);
  return kperf::host::finishCall(isKnown ? cudaSuccess : cudaErrorInvalidValue);
}
inline cudaError_t cudaMemAdvise(const void *address, size_t bytes, cudaMemoryAdvise, int) {
  return cudaMemPrefetchAsync(address, bytes, 0);
}

#endif
