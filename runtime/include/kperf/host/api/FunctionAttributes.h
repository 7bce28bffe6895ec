// What a program set or asks about a kernel: dynamic shared memory, attributes, occupancy.
#ifndef KPERF_HOST_FUNCTION_ATTRIBUTES_H
#define KPERF_HOST_FUNCTION_ATTRIBUTES_H

#include <kperf/host/engine/Engine.h>
#include <kperf/host/engine/Outlined.h>

#include <map>
#include <mutex>
#include <type_traits>

enum cudaFuncAttribute : int {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3,
};
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};

namespace kperf::host {

/// Settings by a kernel's address. All members are safe to call from any thread.
class Functions {
public:
  KPERF_HOST_OUTLINED static Functions &instance() {
    static Functions *const functions = new Functions;
    return *functions;
  }

  /// For a kernel without an address (a lambda that calls it) the most that a program can ask for.
  KPERF_HOST_OUTLINED std::size_t maxDynamicSharedBytes(const void *function) {
    if (!function)
      return kMaxSharedBytesPerBlock;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = sharedBytes.find(function);
    return found == sharedBytes.end() ? kSharedBytesPerBlock : std::max(kSharedBytesPerBlock, found->second);
  }

  KPERF_HOST_OUTLINED void allowDynamicSharedBytes(const void *function, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex);
    sharedBytes[function] = bytes;
  }

  KPERF_HOST_OUTLINED void reset() {
    const std::lock_guard<std::mutex> lock(mutex);
    sharedBytes.clear();
  }

private:
  std::mutex mutex;
  std::map<const void *, std::size_t> sharedBytes;
};

/// A kernel as programs name it: by its function, or by a void pointer.
template <typename Kernel> const void *kernelAddress(Kernel *kernel) { return reinterpret_cast<const void *>(kernel); }

inline cudaError_t setFunctionAttribute(const void *kernel, cudaFuncAttribute attribute, int value) {
  if (!kernel)
    return finishCall(cudaErrorInvalidDeviceFunction);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
    return finishCall(cudaSuccess);
  if (value < 0 || static_cast<std::size_t>(value) > kMaxSharedBytesPerBlock)
    return finishCall(cudaErrorInvalidValue);
  Functions::instance().allowDynamicSharedBytes(kernel, static_cast<std::size_t>(value));
  return finishCall(cudaSuccess);
}

/// The block size that fills a multiprocessor best; the largest of equals.
template <typename SharedBytes> cudaError_t bestBlockSize(int *minGrid, int *best, SharedBytes sharedBytes, int limit) {
  const int most = limit > 0 ? std::min<int>(limit, kMaxThreadsPerBlock) : static_cast<int>(kMaxThreadsPerBlock);
  unsigned bestThreads = 0, blocks = 0;
  for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
    const unsigned size = static_cast<unsigned>(std::min(threads, most));
    const unsigned resident = residentBlocks(size, static_cast<std::size_t>(sharedBytes(static_cast<int>(size))));
    if (resident * size <= bestThreads)
      continue;
    bestThreads = resident * size;
    blocks = resident;
    *best = static_cast<int>(size);
  }
  *minGrid = static_cast<int>(blocks * settings().multiprocessors);
  return finishCall(blocks ? cudaSuccess : cudaErrorInvalidConfiguration);
}

} // namespace kperf::host

template <typename Kernel> cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value) {
  return kperf::host::setFunctionAttribute(kperf::host::kernelAddress(kernel), attribute, value);
}

template <typename Kernel> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel) {
  if (!attributes || !kernel)
    return kperf::host::finishCall(cudaErrorInvalidValue);
  *attributes = {};
  attributes->maxThreadsPerBlock = kperf::host::kMaxThreadsPerBlock;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 10 * kperf::host::kCapabilityMajor + kperf::host::kCapabilityMinor;
  attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(kperf::host::Functions::instance().maxDynamicSharedBytes(kperf::host::kernelAddress(kernel)));
  return kperf::host::finishCall(cudaSuccess);
}

template <typename Kernel> cudaError_t cudaFuncSetCacheConfig(Kernel *, cudaFuncCache) { return kperf::host::finishCall(cudaSuccess); }

template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel *, int threads, std::size_t sharedBytes) {
  if (!blocks || threads <= 0)
    return kperf::host::finishCall(cudaErrorInvalidValue);
  *blocks = static_cast<int>(kperf::host::residentBlocks(static_cast<unsigned>(threads), sharedBytes));
  return kperf::host::finishCall(cudaSuccess);
}

template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Kernel *kernel, int threads, std::size_t sharedBytes,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, sharedBytes);
}

template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGrid, int *threads, Kernel *, std::size_t sharedBytes = 0, int limit = 0) {
  return kperf::host::bestBlockSize(minGrid, threads, [=](int) { return sharedBytes; }, limit);
}

template <typename Kernel, typename SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGrid, int *threads, Kernel *, SharedBytes sharedBytes, int limit = 0) {
  return kperf::host::bestBlockSize(minGrid, threads, sharedBytes, limit);
}

#endif
