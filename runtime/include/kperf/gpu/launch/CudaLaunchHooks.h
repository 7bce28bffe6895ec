// Every launch made from an instrumented translation unit passes here, whatever spelling made it.
//
// The launch functions of the CUDA runtime are declared again with another symbol name, so that calls in this object file,
// those of nvcc's own kernel stubs included, reach the functions below, which call the real ones. No linker option and no
// edit of the source is needed. cudart exports both the plain and the per-thread-default-stream (_ptsz) name of each.
#ifndef KPERF_CUDA_LAUNCH_HOOKS_H
#define KPERF_CUDA_LAUNCH_HOOKS_H

#include <kperf/gpu/launch/LaunchAnnouncement.h>
#include <kperf/gpu/launch/PlainKernels.h>

#if !defined(__CUDA_ARCH__) && !defined(KPERF_REWRITING)

#include <cuda_runtime.h>

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define KPERF_CUDART_SYMBOL(name) #name "_ptsz"
#else
#define KPERF_CUDART_SYMBOL(name) #name
#endif
#define KPERF_HIDDEN __attribute__((weak, visibility("hidden")))

extern "C" {
cudaError_t kperf_cudart_launch(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_CUDART_SYMBOL(cudaLaunchKernel));
cudaError_t kperf_cudart_launch_cooperative(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_CUDART_SYMBOL(cudaLaunchCooperativeKernel));
cudaError_t kperf_cudart_launch_ex(const cudaLaunchConfig_t *, const void *, void **) //
    __asm__(KPERF_CUDART_SYMBOL(cudaLaunchKernelExC));
cudaError_t kperf_cudart_graph_launch(cudaGraphExec_t, cudaStream_t) __asm__(KPERF_CUDART_SYMBOL(cudaGraphLaunch));
cudaError_t kperf_cudart_reset(void) __asm__("cudaDeviceReset");

KPERF_HIDDEN cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__("kperf_hook_launch");
KPERF_HIDDEN cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__("kperf_hook_launch_cooperative");
KPERF_HIDDEN cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **) //
    __asm__("kperf_hook_launch_ex");
KPERF_HIDDEN cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) __asm__("kperf_hook_graph_launch");
KPERF_HIDDEN cudaError_t cudaDeviceReset(void) __asm__("kperf_hook_reset");
#if CUDART_VERSION >= 13000
cudaError_t kperf_cudart_launch_handle(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_CUDART_SYMBOL(__cudaLaunchKernel));
KPERF_HIDDEN cudaError_t kperf_hook_launch_handle(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__("kperf_hook_launch_handle");
#else
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__("kperf_hook_launch_handle");
#endif
#endif
}

namespace kperf {
namespace vendor {
namespace {

/// kperf_launch::has_plain of a kernel, by its host function or handle.
template <typename Kernel> uint32_t plainKindOf(Kernel kernel) {
  const PlainKernel *plain = plainOf(kernel);
  return plain ? (plain->isOnly ? KPERF_PLAIN_ONLY : KPERF_PLAIN_TOO) : 0;
}

/// What is launched: the kernel, or its copy without probes.
inline const void *chosen(const LaunchAnnouncement &announcement, const void *kernel, size_t sharedBytes) {
  PlainKernel *plain = announcement.runsPlain() ? plainOf(kernel) : nullptr;
  return plain && plain->isReady(sharedBytes) ? plain : kernel;
}

#if CUDART_VERSION >= 13000
inline cudaKernel_t chosen(const LaunchAnnouncement &announcement, cudaKernel_t kernel, size_t sharedBytes) {
  PlainKernel *plain = announcement.runsPlain() ? plainOf(kernel) : nullptr;
  cudaKernel_t handle = nullptr;
  return plain && plain->isReady(sharedBytes) && cudaGetKernel(&handle, plain) == cudaSuccess ? handle : kernel;
}
#endif

} // namespace
} // namespace vendor
} // namespace kperf

extern "C" {
KPERF_HIDDEN cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(kernel, grid, block, shared, stream, 0, kperf::vendor::plainKindOf(kernel));
  return kperf_cudart_launch(kperf::vendor::chosen(announcement, kernel, shared), grid, block, arguments, shared, stream);
}

KPERF_HIDDEN cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                                     cudaStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(kernel, grid, block, shared, stream, kperf::format::kLaunchCooperative,
                                                       kperf::vendor::plainKindOf(kernel));
  return kperf_cudart_launch_cooperative(kperf::vendor::chosen(announcement, kernel, shared), grid, block, arguments, shared, stream);
}

KPERF_HIDDEN cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
  if (!config)
    return kperf_cudart_launch_ex(config, kernel, arguments);
  const kperf::vendor::LaunchAnnouncement announcement(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream,
                                                       0, kperf::vendor::plainKindOf(kernel));
  return kperf_cudart_launch_ex(config, kperf::vendor::chosen(announcement, kernel, config->dynamicSmemBytes), arguments);
}

KPERF_HIDDEN cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(nullptr, dim3(0), dim3(0), 0, stream, 0);
  return kperf_cudart_graph_launch(graph, stream);
}

KPERF_HIDDEN cudaError_t cudaDeviceReset(void) {
  kperf::detail::beforeReset();
  return kperf_cudart_reset();
}

#if CUDART_VERSION >= 13000
KPERF_HIDDEN cudaError_t kperf_hook_launch_handle(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                                  cudaStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(reinterpret_cast<const void *>(kernel), grid, block, shared, stream, 0,
                                                       kperf::vendor::plainKindOf(kernel));
  return kperf_cudart_launch_handle(kperf::vendor::chosen(announcement, kernel, shared), grid, block, arguments, shared, stream);
}
#endif
}

#undef KPERF_HIDDEN
#undef KPERF_CUDART_SYMBOL

#endif
#endif
