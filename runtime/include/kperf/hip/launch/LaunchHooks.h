// Intercepts every launch made from an instrumented program, however the source spells it.
//
// Clang's kernel stubs and the program itself call the HIP runtime, a shared library, by these names. The functions below have
// the same names in the program, hidden from everybody else, and call the library's.
#ifndef KPERF_HIP_LAUNCH_HOOKS_H
#define KPERF_HIP_LAUNCH_HOOKS_H

#include <kperf/gpu/launch/LaunchAnnouncement.h>

#if !defined(KPERF_DEVICE_CODE) && !defined(KPERF_REWRITING)

#include <dlfcn.h>

#define KPERF_HOOK(name) __attribute__((weak, visibility("hidden"))) hipError_t kperf_hook_##name

/// Calls the library's function of a name.
#define KPERF_CALL_LIBRARY(name, ...) reinterpret_cast<decltype(&kperf_hook_##name)>(dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

extern "C" {
KPERF_HOOK(hipLaunchKernel)(const void *, dim3, dim3, void **, size_t, hipStream_t) __asm__("hipLaunchKernel");
KPERF_HOOK(hipLaunchKernel_spt)(const void *, dim3, dim3, void **, size_t, hipStream_t) __asm__("hipLaunchKernel_spt");
KPERF_HOOK(hipLaunchCooperativeKernel)
(const void *, dim3, dim3, void **, unsigned int, hipStream_t) __asm__("hipLaunchCooperativeKernel");
KPERF_HOOK(hipGraphLaunch)(hipGraphExec_t, hipStream_t) __asm__("hipGraphLaunch");
KPERF_HOOK(hipDeviceReset)(void) __asm__("hipDeviceReset");

KPERF_HOOK(hipLaunchKernel)
(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, hipStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(
      kernel, [&] { return kperf::vendor::kernelName(kernel, stream); }, grid, block, shared, stream, 0);
  return KPERF_CALL_LIBRARY(hipLaunchKernel, kernel, grid, block, arguments, shared, stream);
}

/// With -fgpu-default-stream=per-thread.
KPERF_HOOK(hipLaunchKernel_spt)
(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, hipStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(
      kernel, [&] { return kperf::vendor::kernelName(kernel, stream); }, grid, block, shared, stream, 0);
  return KPERF_CALL_LIBRARY(hipLaunchKernel_spt, kernel, grid, block, arguments, shared, stream);
}

KPERF_HOOK(hipLaunchCooperativeKernel)
(const void *kernel, dim3 grid, dim3 block, void **arguments, unsigned int shared, hipStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(
      kernel, [&] { return kperf::vendor::kernelName(kernel, stream); }, grid, block, shared, stream, kperf::format::kLaunchCooperative);
  return KPERF_CALL_LIBRARY(hipLaunchCooperativeKernel, kernel, grid, block, arguments, shared, stream);
}

KPERF_HOOK(hipGraphLaunch)(hipGraphExec_t graph, hipStream_t stream) {
  const kperf::vendor::LaunchAnnouncement announcement(nullptr, [] { return nullptr; }, dim3(0), dim3(0), 0, stream, 0);
  return KPERF_CALL_LIBRARY(hipGraphLaunch, graph, stream);
}

KPERF_HOOK(hipDeviceReset)(void) {
  kperf::detail::beforeReset();
  return KPERF_CALL_LIBRARY(hipDeviceReset);
}
}

#undef KPERF_HOOK
#undef KPERF_CALL_LIBRARY

#endif
#endif
