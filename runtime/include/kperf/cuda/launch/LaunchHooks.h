// Intercepts every launch made from an instrumented translation unit, however the source spells it.
//
// The launch functions of the CUDA runtime are declared again with another symbol name, so that calls in this object file,
// those of nvcc's own kernel stubs included, reach the functions below, which call the real ones. No linker option and no
// edit of the source is needed. cudart exports both the plain and the per-thread-default-stream (_ptsz) name of each.
#ifndef KPERF_CUDA_LAUNCH_HOOKS_H
#define KPERF_CUDA_LAUNCH_HOOKS_H

#include <kperf/cuda/launch/PlainKernels.h>
#include <kperf/gpu/launch/LaunchAnnouncement.h>

#if !defined(KPERF_DEVICE_CODE) && !defined(KPERF_REWRITING)

#include <cuda_runtime.h>

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define KPERF_PER_THREAD_STREAMS
#define KPERF_CUDART_SYMBOL(name) #name "_ptsz"
#define KPERF_HOOK_SYMBOL(name) "kperf_hook_" #name "_ptsz" // a program may have objects of both kinds
#else
#define KPERF_CUDART_SYMBOL(name) #name
#define KPERF_HOOK_SYMBOL(name) "kperf_hook_" #name
#endif
#define KPERF_HIDDEN __attribute__((weak, visibility("hidden")))

extern "C" {
cudaError_t kperf_cudart_launch(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_CUDART_SYMBOL(cudaLaunchKernel));
cudaError_t kperf_cudart_launch_cooperative(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_CUDART_SYMBOL(cudaLaunchCooperativeKernel));
cudaError_t kperf_cudart_launch_ex(const cudaLaunchConfig_t *, const void *, void **) //
    __asm__(KPERF_CUDART_SYMBOL(cudaLaunchKernelExC));
cudaError_t kperf_cudart_reset(void) __asm__("cudaDeviceReset");

KPERF_HIDDEN cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_HOOK_SYMBOL(launch));
KPERF_HIDDEN cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_HOOK_SYMBOL(launch_cooperative));
KPERF_HIDDEN cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **) //
    __asm__(KPERF_HOOK_SYMBOL(launch_ex));
KPERF_HIDDEN cudaError_t cudaDeviceReset(void) __asm__("kperf_hook_reset");
#if CUDART_VERSION >= 13000
cudaError_t kperf_cudart_launch_handle(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_CUDART_SYMBOL(__cudaLaunchKernel));
KPERF_HIDDEN cudaError_t kperf_hook_launch_handle(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_HOOK_SYMBOL(launch_handle));
#ifdef KPERF_PER_THREAD_STREAMS
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_HOOK_SYMBOL(launch_handle));
#else
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t) //
    __asm__(KPERF_HOOK_SYMBOL(launch_handle));
#endif
#endif
}

namespace kperf {
namespace vendor {
namespace {

/// kperf_launch::has_plain of a kernel.
inline uint32_t plainKind(const PlainKernel *plain) {
  return !plain || plain->isKnownMissing() ? 0 : plain->isOnly ? KPERF_PLAIN_ONLY : KPERF_PLAIN_TOO;
}

/// A launch of a kernel by its host function, or by a handle that the program itself asked for.
class FunctionLaunch {
public:
  /// Out of line, for the same reason as loadRuntime().
  __attribute__((noinline)) FunctionLaunch(const void *kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream, uint32_t flags)
      : kernel(kernel), shared(shared), plain(plainOf(kernel)),
        announcement(
            kernel, [&] { return plain ? plain->name.of(kernel) : kernelName(kernel, stream); }, grid, block, shared, stream, flags,
            plainKind(plain)) {}
  /// What is launched: the kernel, or its copy without probes.
  const void *chosen() const { return announcement.runsPlain() && plain && plain->isReady(shared) ? plain : kernel; }

private:
  const void *kernel;
  size_t shared;
  PlainKernel *plain;
  LaunchAnnouncement announcement;
};

} // namespace
} // namespace vendor
} // namespace kperf

extern "C" {
KPERF_HIDDEN cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream) {
  const kperf::vendor::FunctionLaunch launch(kernel, grid, block, shared, stream, 0);
  return kperf_cudart_launch(launch.chosen(), grid, block, arguments, shared, stream);
}

KPERF_HIDDEN cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                                     cudaStream_t stream) {
  const kperf::vendor::FunctionLaunch launch(kernel, grid, block, shared, stream, kperf::format::kLaunchCooperative);
  return kperf_cudart_launch_cooperative(launch.chosen(), grid, block, arguments, shared, stream);
}

KPERF_HIDDEN cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
  if (!config)
    return kperf_cudart_launch_ex(config, kernel, arguments);
  const kperf::vendor::FunctionLaunch launch(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, 0);
  return kperf_cudart_launch_ex(config, launch.chosen(), arguments);
}

#ifndef KPERF_PER_THREAD_STREAMS
// CUDA 12 and 13 have a device function of that name too, and nvcc drops the symbol name of what is overloaded. So the assembler is told
// what the symbol means in this file, and the hook calls the same function by its name for the other kind of default stream. With a default
// stream per thread that name is an inline function's of CUDA's headers: there nothing stands between, and launches of graphs are not
// listed.
cudaError_t kperf_cudart_graph_launch(cudaGraphExec_t, cudaStream_t) __asm__("cudaGraphLaunch_ptsz");
KPERF_HIDDEN cudaError_t kperf_hook_graph_launch(cudaGraphExec_t, cudaStream_t) __asm__("kperf_hook_graph_launch");
__asm__(".set cudaGraphLaunch, kperf_hook_graph_launch");
KPERF_HIDDEN cudaError_t kperf_hook_graph_launch(cudaGraphExec_t graph, cudaStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(nullptr, [] { return nullptr; }, dim3(0), dim3(0), 0, stream, 0);
  return kperf_cudart_graph_launch(graph, stream ? stream : cudaStreamLegacy);
}
#endif

KPERF_HIDDEN cudaError_t cudaDeviceReset(void) {
  kperf::detail::beforeReset();
  return kperf_cudart_reset();
}

#if CUDART_VERSION >= 13000
KPERF_HIDDEN cudaError_t kperf_hook_launch_handle(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                                  cudaStream_t stream) {
  using namespace kperf::vendor;
  KernelByHandle *const known = kernelByHandle(kernel);
  const void *const function = reinterpret_cast<const void *>(kernel);
  const LaunchAnnouncement announcement(
      function, [&] { return known ? known->name.of(function) : kernelName(function, stream); }, grid, block, shared, stream, 0,
      plainKind(known ? known->plain : nullptr));
  return kperf_cudart_launch_handle(known && announcement.runsPlain() ? known->plainHandle(shared) : kernel, grid, block, arguments, shared,
                                    stream);
}
#endif
}

#undef KPERF_HIDDEN
#undef KPERF_CUDART_SYMBOL
#undef KPERF_HOOK_SYMBOL
#undef KPERF_PER_THREAD_STREAMS

#endif
#endif
