// The functions of NVIDIA's driver and of NVRTC that the preloaded library intercepts, and the original ones.
#ifndef KPERF_RUNTIME_PRELOAD_HOOKS_H
#define KPERF_RUNTIME_PRELOAD_HOOKS_H

namespace kperf::preload {

/// A function of ours that has the name and the type of another library's.
struct Hook {
  const char *name;
  void *function;
};

/// The hook of that name; null where there is none. Of the driver's, or of NVRTC's.
void *driverHook(const char *name);
void *nvrtcHook(const char *name);

/// Where NVRTC's own functions are: `library` as dlopen gave it, of which the program asked for one.
void noteNvrtc(void *library);

} // namespace kperf::preload

#endif
