// Every launch made from an instrumented translation unit passes here, whatever spelling made it.
//
// The launch functions of the CUDA runtime are declared again with another symbol name, so that calls in this object file,
// those of nvcc's own kernel stubs included, reach the functions below, which call the real ones. No linker option and no
// edit of the source is needed. cudart exports both the plain and the per-thread-default-stream (_ptsz) name of each.
#ifndef KPERF_CUDA_LAUNCH_HOOKS_H
#define KPERF_CUDA_LAUNCH_HOOKS_H

#if !defined(__CUDA_ARCH__) && !defined(KPERF_REWRITING)

#include <kperf/format.h>
#include <kperf/registration.h>

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
namespace cuda {

/// Tells the runtime of a launch. Makes no CUDA call that could wait; an error of its own is taken back.
__attribute__((unused)) static void announceLaunch(const void *kernel, dim3 grid, dim3 block, size_t sharedBytes,
                                                   cudaStream_t stream, uint32_t flags) {
  const bool clean = cudaPeekAtLastError() == cudaSuccess;
  const char *name = nullptr;
  if (kernel && cudaFuncGetName(&name, kernel) != cudaSuccess)
    name = nullptr;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &capture);
  if (capture != cudaStreamCaptureStatusNone)
    flags |= format::kLaunchCaptured;
  detail::beforeLaunch({reinterpret_cast<uint64_t>(stream),
                        name,
                        {grid.x, grid.y, grid.z},
                        {block.x, block.y, block.z},
                        static_cast<uint32_t>(sharedBytes),
                        flags});
  if (clean)
    cudaGetLastError();
}

} // namespace cuda
} // namespace kperf

extern "C" {
KPERF_HIDDEN cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                          cudaStream_t stream) {
  kperf::cuda::announceLaunch(kernel, grid, block, shared, stream, 0);
  return kperf_cudart_launch(kernel, grid, block, arguments, shared, stream);
}

KPERF_HIDDEN cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                                     size_t shared, cudaStream_t stream) {
  kperf::cuda::announceLaunch(kernel, grid, block, shared, stream, kperf::format::kLaunchCooperative);
  return kperf_cudart_launch_cooperative(kernel, grid, block, arguments, shared, stream);
}

KPERF_HIDDEN cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
  if (config)
    kperf::cuda::announceLaunch(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream,
                                0);
  return kperf_cudart_launch_ex(config, kernel, arguments);
}

KPERF_HIDDEN cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  kperf::cuda::announceLaunch(nullptr, dim3(0), dim3(0), 0, stream, 0);
  return kperf_cudart_graph_launch(graph, stream);
}

KPERF_HIDDEN cudaError_t cudaDeviceReset(void) {
  kperf::detail::beforeReset();
  return kperf_cudart_reset();
}

#if CUDART_VERSION >= 13000
KPERF_HIDDEN cudaError_t kperf_hook_launch_handle(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                                  size_t shared, cudaStream_t stream) {
  kperf::cuda::announceLaunch(reinterpret_cast<const void *>(kernel), grid, block, shared, stream, 0);
  return kperf_cudart_launch_handle(kernel, grid, block, arguments, shared, stream);
}
#endif
}

#undef KPERF_HIDDEN
#undef KPERF_CUDART_SYMBOL

#endif
#endif
