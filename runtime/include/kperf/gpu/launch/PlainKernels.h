// The kernels of which the program has a copy without probes (tool/plain), for launches that are not recorded.
#ifndef KPERF_PLAIN_KERNELS_H
#define KPERF_PLAIN_KERNELS_H

#if !defined(__CUDA_ARCH__) && !defined(KPERF_REWRITING)

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <new>

// The CUDA runtime's, which nvcc's stubs call; crt/host_runtime.h declares it there.
extern "C" void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);

namespace kperf {
namespace vendor {

/// One of them; its address is the copy's to the CUDA runtime, as a kernel's host function is the kernel's.
class PlainKernel {
public:
  PlainKernel(const void *function, bool isOnly);

  const void *const function; ///< of the kernel with probes
  const bool isOnly;          ///< the kernel was built without probes: they would have changed more than its time
  PlainKernel *next = nullptr;

  /// Makes the copy ready to be launched on the current device with so much dynamic shared memory: it gets what the program set of the
  /// kernel. False, from then on, where there is no copy for this device.
  bool isReady(size_t sharedBytes) {
    int device = 0;
    if (isMissing || cudaGetDevice(&device) != cudaSuccess)
      return false;
    const uint64_t bit = uint64_t{1} << (device & 63);
    if ((ready.load() & bit) && sharedBytes <= mostShared.load())
      return true;
    cudaFuncAttributes theirs, ours;
    if (cudaFuncGetAttributes(&ours, this) != cudaSuccess || cudaFuncGetAttributes(&theirs, function) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      isMissing = true;
      return false;
    }
    set(cudaFuncAttributeMaxDynamicSharedMemorySize, ours.maxDynamicSharedSizeBytes, theirs.maxDynamicSharedSizeBytes);
    set(cudaFuncAttributePreferredSharedMemoryCarveout, ours.preferredShmemCarveout, theirs.preferredShmemCarveout);
#if CUDART_VERSION >= 12000
    set(cudaFuncAttributeNonPortableClusterSizeAllowed, ours.nonPortableClusterSizeAllowed, theirs.nonPortableClusterSizeAllowed);
#endif
    if (sharedBytes > mostShared.load())
      mostShared = sharedBytes;
    ready |= bit;
    return true;
  }

private:
  void set(cudaFuncAttribute attribute, int ours, int theirs) const {
    if (ours != theirs && cudaFuncSetAttribute(this, attribute, theirs) != cudaSuccess)
      static_cast<void>(cudaGetLastError());
  }

  std::atomic<uint64_t> ready{0}; ///< bit d: on device d
  std::atomic<size_t> mostShared{0};
  std::atomic<bool> isMissing{false};
};

constexpr size_t kPlainBuckets = 256;
/// Of the whole program or library, by the address of the kernel's host function. Filled by static initialisers.
__attribute__((visibility("hidden"))) inline PlainKernel *plainKernels[kPlainBuckets];

inline size_t plainBucket(const void *function) { return reinterpret_cast<uintptr_t>(function) / 16 % kPlainBuckets; }

inline PlainKernel::PlainKernel(const void *function, bool isOnly) : function(function), isOnly(isOnly) {
  PlainKernel *&head = plainKernels[plainBucket(function)];
  next = head;
  head = this;
}

/// The copy of a kernel, by its host function; null where it has none.
inline PlainKernel *plainOf(const void *function) {
  PlainKernel *each = plainKernels[plainBucket(function)];
  while (each && each->function != function)
    each = each->next;
  return each;
}

#if CUDART_VERSION >= 13000
/// A kernel's handle, which stubs of CUDA 13 launch by, and the copy of that kernel, or null.
struct PlainHandle {
  cudaKernel_t kernel;
  PlainKernel *plain;
  PlainHandle *next;
};

/// Of the whole program or library, by handle. Rows are added by any thread and never removed.
__attribute__((visibility("hidden"))) inline std::atomic<PlainHandle *> plainHandles[kPlainBuckets];

/// What a handle's row would say, from the copies themselves.
inline PlainKernel *findPlain(cudaKernel_t kernel) {
  for (PlainKernel *head : plainKernels)
    for (PlainKernel *each = head; each; each = each->next) {
      cudaKernel_t handle = nullptr;
      if (cudaGetKernel(&handle, each->function) == cudaSuccess && handle == kernel)
        return each;
    }
  return nullptr;
}

/// The copy of a kernel, by its handle; null where it has none.
inline PlainKernel *plainOf(cudaKernel_t kernel) {
  std::atomic<PlainHandle *> &bucket = plainHandles[plainBucket(kernel)];
  for (const PlainHandle *each = bucket.load(std::memory_order_acquire); each; each = each->next)
    if (each->kernel == kernel)
      return each->plain;
  auto *row = new (std::nothrow) PlainHandle{kernel, findPlain(kernel), bucket.load()};
  if (!row)
    return nullptr;
  while (!bucket.compare_exchange_weak(row->next, row, std::memory_order_release))
    ;
  return row->plain;
}
#endif

/// Called by nvcc's stub, into which tool/plain writes it: by the time that a stub is compiled no macro of a header is left. `name`: what
/// the copy is called in the module.
__attribute__((unused)) static inline void registerPlain(void **module, const void *function, const char *name, bool isOnly) {
  if (const auto *plain = new (std::nothrow) PlainKernel(function, isOnly))
    __cudaRegisterFunction(module, reinterpret_cast<const char *>(plain), const_cast<char *>(name), name, -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
}

} // namespace vendor
} // namespace kperf

#endif
#endif
