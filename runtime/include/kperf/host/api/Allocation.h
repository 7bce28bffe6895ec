// Device, pinned and managed memory: ordinary host memory, with a registry of which address is of which kind.
#ifndef KPERF_HOST_ALLOCATION_H
#define KPERF_HOST_ALLOCATION_H

#include <kperf/host/api/Properties.h>
#include <kperf/host/engine/Errors.h>
#include <kperf/host/engine/Outlined.h>
#include <kperf/host/engine/Stream.h>

#include <cstdlib>
#include <map>
#include <mutex>

enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3,
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02

namespace kperf::host {

/// What the register knows of an address range.
struct Range {
  char *base = nullptr;
  std::size_t bytes = 0;
  cudaMemoryType type = cudaMemoryTypeUnregistered;
  bool isOwned = false; ///< allocated here, not registered by the program

  bool holds(const void *address, std::size_t count) const {
    const char *at = static_cast<const char *>(address);
    return at >= base && count <= bytes && static_cast<std::size_t>(at - base) <= bytes - count;
  }
};

/// All members are safe to call from any thread.
class Allocations {
public:
  KPERF_HOST_OUTLINED static Allocations &instance() {
    static Allocations *const allocations = new Allocations; // programs free memory in static destructors
    return *allocations;
  }

  KPERF_HOST_OUTLINED cudaError_t allocate(void **address, std::size_t bytes, cudaMemoryType type) {
    constexpr std::size_t kAlignment = 256; // CUDA C++ programming guide, "Device memory accesses": at least 256 bytes
    if (!address)
      return cudaErrorInvalidValue;
    *address = nullptr;
    if (bytes == 0)
      return cudaSuccess;
    const std::lock_guard<std::mutex> lock(mutex);
    if (bytes > total - std::min(total, used))
      return cudaErrorMemoryAllocation;
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    auto *base = static_cast<char *>(std::aligned_alloc(kAlignment, rounded));
    if (!base)
      return cudaErrorMemoryAllocation;
    ranges[base] = {base, bytes, type, true};
    used += bytes;
    *address = base;
    return cudaSuccess;
  }

  /// Frees what was allocated with one of these types; false when the address is not the start of such an allocation.
  KPERF_HOST_OUTLINED bool release(void *address, cudaMemoryType type, cudaMemoryType otherType) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = ranges.find(static_cast<char *>(address));
    if (found == ranges.end() || !found->second.isOwned || (found->second.type != type && found->second.type != otherType))
      return false;
    used -= found->second.bytes;
    ranges.erase(found);
    std::free(address);
    return true;
  }

  /// Notes memory that the program brought: a variable of the device, or pinned by it.
  KPERF_HOST_OUTLINED bool note(void *address, std::size_t bytes, cudaMemoryType type) {
    const std::lock_guard<std::mutex> lock(mutex);
    return ranges.emplace(static_cast<char *>(address), Range{static_cast<char *>(address), bytes, type, false}).second;
  }

  KPERF_HOST_OUTLINED bool forget(void *address) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = ranges.find(static_cast<char *>(address));
    if (found == ranges.end() || found->second.isOwned)
      return false;
    ranges.erase(found);
    return true;
  }

  /// The range that the address lies in; an empty one of type Unregistered when there is none.
  KPERF_HOST_OUTLINED Range find(const void *address) {
    const std::lock_guard<std::mutex> lock(mutex);
    auto after = ranges.upper_bound(static_cast<char *>(const_cast<void *>(address)));
    if (after == ranges.begin())
      return {};
    const Range &range = std::prev(after)->second;
    return range.holds(address, 1) ? range : Range{};
  }

  void freeAndTotal(std::size_t &freeBytes, std::size_t &totalBytes) {
    const std::lock_guard<std::mutex> lock(mutex);
    totalBytes = total;
    freeBytes = total - std::min(total, used);
  }

private:
  std::mutex mutex;
  std::map<char *, Range> ranges;
  const std::size_t total = physicalBytes();
  std::size_t used = 0;
};

inline cudaError_t allocateMemory(void **address, std::size_t bytes, cudaMemoryType type) {
  const bool hasFailed = stickyError.load() != cudaSuccess;
  return finishCall(hasFailed ? cudaSuccess : Allocations::instance().allocate(address, bytes, type));
}

} // namespace kperf::host

inline cudaError_t cudaMalloc(void **address, size_t bytes) { return kperf::host::allocateMemory(address, bytes, cudaMemoryTypeDevice); }
inline cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t) { return cudaMalloc(address, bytes); }
inline cudaError_t cudaMallocHost(void **address, size_t bytes, unsigned int = 0) {
  return kperf::host::allocateMemory(address, bytes, cudaMemoryTypeHost);
}
inline cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned int) { return cudaMallocHost(address, bytes); }
inline cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned int = cudaMemAttachGlobal) {
  return kperf::host::allocateMemory(address, bytes, cudaMemoryTypeManaged);
}

// The typed forms of CUDA's C++ headers.
template <typename T> cudaError_t cudaMalloc(T **address, size_t bytes) { return cudaMalloc(reinterpret_cast<void **>(address), bytes); }
template <typename T> cudaError_t cudaMallocAsync(T **address, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void **>(address), bytes, stream);
}
template <typename T> cudaError_t cudaMallocHost(T **address, size_t bytes, unsigned int flags = 0) {
  return cudaMallocHost(reinterpret_cast<void **>(address), bytes, flags);
}
template <typename T> cudaError_t cudaHostAlloc(T **address, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void **>(address), bytes, flags);
}
template <typename T> cudaError_t cudaMallocManaged(T **address, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void **>(address), bytes, flags);
}
/// Rows start at multiples of 512 bytes.
template <typename T> cudaError_t cudaMallocPitch(T **address, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(reinterpret_cast<void **>(address), *pitch * height);
}

inline cudaError_t cudaFree(void *address) {
  const bool done = !address || kperf::host::Allocations::instance().release(address, cudaMemoryTypeDevice, cudaMemoryTypeManaged);
  return kperf::host::finishCall(done ? cudaSuccess : cudaErrorInvalidValue);
}
inline cudaError_t cudaFreeAsync(void *address, cudaStream_t) { return cudaFree(address); }
inline cudaError_t cudaFreeHost(void *address) {
  const bool done = !address || kperf::host::Allocations::instance().release(address, cudaMemoryTypeHost, cudaMemoryTypeHost);
  return kperf::host::finishCall(done ? cudaSuccess : cudaErrorInvalidValue);
}
inline cudaError_t cudaHostRegister(void *address, size_t bytes, unsigned int) {
  if (!address || bytes == 0)
    return kperf::host::finishCall(cudaErrorInvalidValue);
  const bool done = kperf::host::Allocations::instance().note(address, bytes, cudaMemoryTypeHost);
  return kperf::host::finishCall(done ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}
inline cudaError_t cudaHostUnregister(void *address) {
  const bool done = kperf::host::Allocations::instance().forget(address);
  return kperf::host::finishCall(done ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}
template <typename T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int) {
  const bool isPinned = kperf::host::Allocations::instance().find(host).type == cudaMemoryTypeHost;
  *device = isPinned ? static_cast<T *>(host) : nullptr;
  return kperf::host::finishCall(isPinned ? cudaSuccess : cudaErrorInvalidValue);
}

inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address) {
  if (!attributes)
    return kperf::host::finishCall(cudaErrorInvalidValue);
  const cudaMemoryType type = kperf::host::Allocations::instance().find(address).type;
  void *const pointer = const_cast<void *>(address);
  const bool onDevice = type != cudaMemoryTypeUnregistered, onHost = type != cudaMemoryTypeDevice;
  *attributes = {type, onDevice ? 0 : -2, onDevice ? pointer : nullptr, onHost ? pointer : nullptr};
  return kperf::host::finishCall(cudaSuccess);
}

inline cudaError_t cudaMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  kperf::host::Allocations::instance().freeAndTotal(*freeBytes, *totalBytes);
  return kperf::host::finishCall(cudaSuccess);
}

#endif
