// The kernels that the program launches: their names, and which have a copy without probes (tool/plain) for launches that are not recorded.
// CUDA is asked about each kernel once: a launch takes 2 or 3 us of the host's time, and each question 30 to 80 ns.
#ifndef KPERF_PLAIN_KERNELS_H
#define KPERF_PLAIN_KERNELS_H

#include <kperf/gpu/vendor/Vendor.h>

#if !defined(KPERF_DEVICE_CODE) && !defined(KPERF_REWRITING)

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

// The CUDA runtime's, which nvcc's stubs call; crt/host_runtime.h declares it there.
extern "C" void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);

namespace kperf {
namespace vendor {

/// What CUDA calls a kernel, kept: CUDA's own text goes with the kernel's module.
class KeptName {
public:
  /// Null where CUDA doesn't know the kernel.
  const char *of(const void *kernel) {
    if (const char *known = text.load(std::memory_order_acquire))
      return known;
    const char *told = kernelName(kernel, nullptr), *first = nullptr;
    char *copy = told ? strdup(told) : nullptr;
    if (text.compare_exchange_strong(first, copy, std::memory_order_acq_rel))
      return copy;
    std::free(copy); // another thread's stays: launches are counted by it
    return first;
  }

private:
  std::atomic<const char *> text{nullptr};
};

/// A kernel's copy; its address is the copy's to the CUDA runtime, as a kernel's host function is the kernel's.
class PlainKernel {
public:
  PlainKernel(const void *function, bool isOnly);

  const void *const function; ///< of the kernel with probes
  const bool isOnly;          ///< the kernel was built without probes: they would have changed more than its time
  PlainKernel *next = nullptr;
  KeptName name; ///< of the kernel with probes

  /// Whether it was to be launched, and is not in the program.
  bool isKnownMissing() const { return isMissing.load(std::memory_order_relaxed); }

  /// Makes the copy ready to be launched on the current device with so much dynamic shared memory: it gets what the program set of the
  /// kernel. False, from then on, where there is no copy for this device.
  __attribute__((noinline)) bool isReady(size_t sharedBytes) {
    int device = 0;
    if (isMissing || cudaGetDevice(&device) != cudaSuccess)
      return false;
    const uint64_t bit = uint64_t{1} << (device & 63);
    if ((ready.load() & bit) && sharedBytes <= maxShared.load())
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
    if (sharedBytes > maxShared.load())
      maxShared = sharedBytes;
    ready |= bit;
    return true;
  }

private:
  void set(cudaFuncAttribute attribute, int ours, int theirs) const {
    if (ours != theirs && cudaFuncSetAttribute(this, attribute, theirs) != cudaSuccess)
      static_cast<void>(cudaGetLastError());
  }

  std::atomic<uint64_t> ready{0}; ///< bit d: on device d
  std::atomic<size_t> maxShared{0};
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
/// A kernel by its handle, which stubs of CUDA 13 launch by.
struct KernelByHandle {
  KernelByHandle(cudaKernel_t kernel, PlainKernel *plain) : kernel(kernel), plain(plain) {}

  const cudaKernel_t kernel;
  PlainKernel *const plain; ///< its copy, or null
  KernelByHandle *next = nullptr;
  KeptName name;

  /// What is launched in the kernel's place: its copy, where there is one that is ready.
  cudaKernel_t plainHandle(size_t sharedBytes) {
    if (!plain || !plain->isReady(sharedBytes))
      return kernel;
    cudaKernel_t handle = copy.load(std::memory_order_relaxed);
    if (!handle && cudaGetKernel(&handle, plain) == cudaSuccess)
      copy = handle;
    return handle ? handle : kernel;
  }

private:
  std::atomic<cudaKernel_t> copy{nullptr}; ///< null until it is asked for
};

/// Of the whole program or library, by handle. Rows are added by any thread and never removed.
__attribute__((visibility("hidden"))) inline std::atomic<KernelByHandle *> kernelsByHandle[kPlainBuckets];

/// The copy of a kernel of that handle, from the copies themselves.
__attribute__((noinline, cold)) inline PlainKernel *findPlain(cudaKernel_t kernel) {
  for (PlainKernel *head : plainKernels)
    for (PlainKernel *each = head; each; each = each->next) {
      cudaKernel_t handle = nullptr;
      if (cudaGetKernel(&handle, each->function) == cudaSuccess && handle == kernel)
        return each;
    }
  return nullptr;
}

/// Null without memory for its row.
inline KernelByHandle *kernelByHandle(cudaKernel_t kernel) {
  std::atomic<KernelByHandle *> &bucket = kernelsByHandle[plainBucket(kernel)];
  for (KernelByHandle *each = bucket.load(std::memory_order_acquire); each; each = each->next)
    if (each->kernel == kernel)
      return each;
  auto *row = new (std::nothrow) KernelByHandle(kernel, findPlain(kernel));
  if (!row)
    return nullptr;
  KernelByHandle *looked = nullptr; // up to where another thread added none for this kernel
  row->next = bucket.load(std::memory_order_acquire);
  do {
    for (KernelByHandle *each = row->next; each != looked; each = each->next)
      if (each->kernel == kernel) {
        delete row;
        return each;
      }
    looked = row->next;
  } while (!bucket.compare_exchange_weak(row->next, row, std::memory_order_acq_rel, std::memory_order_acquire));
  return row;
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
