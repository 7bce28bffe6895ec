// What ties one instrumented translation unit to the runtime library: its module, its region table, its launch hook.
//
// The rewriter appends KPERF_SITES(row, …) and KPERF_REGIONS(row, row, …) after the last line of the file, the latter without
// a row, as KPERF_NO_REGIONS, when there are sites only, and KPERF_SAMPLE_OF(N) before both where only one block in N is to be
// recorded. References to the runtime are weak, so an
// object links without it; then the library is looked for at run time (KPERF_RUNTIME_LIBRARY in the environment, else the
// path that kperf-cc compiled in). Without any runtime the program runs on unrecorded, and says so once.
#ifndef KPERF_REGISTRATION_H
#define KPERF_REGISTRATION_H

#include <kperf/abi/Target.h>
#include <kperf/abi/module.h>

#ifdef KPERF_DEVICE_CODE

#ifdef KPERF_DEVICE_TABLES
#include <kperf/abi/device_tables.h>
#else
#define KPERF_REGIONS(...) KPERF_CALIBRATION_KERNEL
#define KPERF_SITES(...)
#define KPERF_NO_REGIONS
#define KPERF_SAMPLE_OF(blocks)
#endif

#ifndef __CUDACC_RTC__
namespace kperf {
/// What host code calls by this name is read here too, and then left out.
__attribute__((unused)) static inline int flush() { return -1; }
__attribute__((unused)) static inline int start() { return -1; }
__attribute__((unused)) static inline int stop() { return -1; }
} // namespace kperf
#endif

#else

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <type_traits>

extern "C" {
__attribute__((weak)) void kperf_module_register(kperf_module *);
__attribute__((weak)) void kperf_module_unregister(kperf_module *);
__attribute__((weak)) int kperf_wants_launches(void);
__attribute__((weak)) void kperf_before_launch(kperf_module *, const kperf_launch *);
__attribute__((weak)) void kperf_after_launch(kperf_module *, const kperf_launch *);
__attribute__((weak)) void kperf_before_reset(kperf_module *);
__attribute__((weak)) int kperf_flush(void);
__attribute__((weak)) int kperf_start(void);
__attribute__((weak)) int kperf_stop(void);
}

namespace kperf {
namespace detail {

/// The runtime's entry points as this process found them; all null when there is no runtime.
struct RuntimeEntries {
  decltype(&kperf_module_register) registerModule = nullptr;
  decltype(&kperf_module_unregister) unregisterModule = nullptr;
  decltype(&kperf_wants_launches) wantsLaunches = nullptr;
  decltype(&kperf_before_launch) beforeLaunch = nullptr;
  decltype(&kperf_after_launch) afterLaunch = nullptr;
  decltype(&kperf_before_reset) beforeReset = nullptr;
  decltype(&kperf_flush) flush = nullptr;
  decltype(&kperf_start) start = nullptr;
  decltype(&kperf_stop) stop = nullptr;
};

#ifndef KPERF_RUNTIME_LIBRARY
#define KPERF_RUNTIME_LIBRARY "libkperf_runtime.so"
#endif

/// Out of line: with a copy of it in each of the hooks a host compiler takes a tenth of a second more.
__attribute__((noinline, cold)) inline RuntimeEntries loadRuntime() {
  RuntimeEntries entries;
  if (&kperf_module_register)
    return {&kperf_module_register,
            &kperf_module_unregister,
            &kperf_wants_launches,
            &kperf_before_launch,
            &kperf_after_launch,
            &kperf_before_reset,
            &kperf_flush,
            &kperf_start,
            &kperf_stop};
  const char *path = std::getenv("KPERF_RUNTIME_LIBRARY");
  void *library = dlopen(path && *path ? path : KPERF_RUNTIME_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    std::fprintf(stderr,
                 "kperf: nothing is recorded: %s; link through kperf-cc, or set KPERF_RUNTIME_LIBRARY to the path of "
                 "libkperf_runtime.so\n",
                 dlerror());
    return entries;
  }
  const auto find = [&](auto &entry, const char *name) {
    entry = reinterpret_cast<typename std::remove_reference<decltype(entry)>::type>(dlsym(library, name));
  };
  find(entries.registerModule, "kperf_module_register");
  find(entries.unregisterModule, "kperf_module_unregister");
  find(entries.wantsLaunches, "kperf_wants_launches");
  find(entries.beforeLaunch, "kperf_before_launch");
  find(entries.afterLaunch, "kperf_after_launch");
  find(entries.beforeReset, "kperf_before_reset");
  find(entries.flush, "kperf_flush");
  find(entries.start, "kperf_start");
  find(entries.stop, "kperf_stop");
  return entries;
}

__attribute__((visibility("hidden"))) inline const RuntimeEntries &runtime() {
  static const RuntimeEntries entries = loadRuntime();
  return entries;
}

// Whether the probes look at what is switched off: on the host target they always do.
#if defined(KPERF_SWITCHABLE) || defined(KPERF_FOR_HOST)
constexpr uint32_t kIsSwitchable = 1;
#else
constexpr uint32_t kIsSwitchable = 0;
#endif

// kperf-cc --sample=launches:N
#ifndef KPERF_LAUNCHES_SAMPLED
#define KPERF_LAUNCHES_SAMPLED 0
#endif

// kperf-cc --sample=accesses:N
#ifndef KPERF_ACCESSES_SAMPLED
#define KPERF_ACCESSES_SAMPLED 0
#endif

// kperf-cc --profile=FILE --overhead-budget=P%, in millionths
#ifndef KPERF_BUDGET_OF_LAUNCHES
#define KPERF_BUDGET_OF_LAUNCHES 0
#endif

/// This translation unit's module; KPERF_REGIONS fills and registers it.
static kperf_module thisModule;

/// Whether the runtime is to be told of launches.
__attribute__((unused)) static inline bool wantsLaunches() {
  const RuntimeEntries &entries = runtime();
  return entries.beforeLaunch && (!entries.wantsLaunches || entries.wantsLaunches());
}

/// Every launch made from this translation unit passes here first.
__attribute__((unused)) static inline void beforeLaunch(const kperf_launch &launch) {
  if (const auto entry = runtime().beforeLaunch)
    entry(&thisModule, &launch);
  else
    launch.runs_plain = launch.has_plain;
}

/// And here behind it.
__attribute__((unused)) static inline void afterLaunch(const kperf_launch &launch) {
  if (const auto entry = runtime().afterLaunch)
    entry(&thisModule, &launch);
}

/// Before the current device's context goes away.
__attribute__((unused)) static inline void beforeReset() {
  if (const auto entry = runtime().beforeReset)
    entry(&thisModule);
}

/// Registers a module for as long as its object file is loaded.
struct Registration {
  Registration(const kperf_region *rows, std::size_t count, const kperf_gpu_api *gpu, decltype(kperf_module::configure) configure,
               decltype(kperf_module::calibrate) calibrate, decltype(kperf_module::read_clock) readClock) {
    thisModule = {KPERF_MODULE_ABI,
                  static_cast<uint32_t>(count),
                  rows,
                  gpu,
                  configure,
                  calibrate,
                  readClock,
                  0,
                  thisModule.sites,
                  thisModule.site_count,
                  thisModule.sample,
                  KPERF_LAUNCHES_SAMPLED,
                  kIsSwitchable,
                  thisModule.site_count ? uint32_t{KPERF_ACCESSES_SAMPLED} : 0,
                  KPERF_BUDGET_OF_LAUNCHES};
    if (const auto entry = runtime().registerModule)
      entry(&thisModule);
  }
  ~Registration() {
    if (const auto entry = runtime().unregisterModule)
      entry(&thisModule);
  }
  Registration(const Registration &) = delete;
  Registration &operator=(const Registration &) = delete;
};

/// Says what part of the blocks the module asks for; before its Registration.
struct SampleOf {
  explicit SampleOf(uint32_t blocks) { thisModule.sample = blocks; }
};

/// Says which access sites the module has; before its Registration.
struct SiteList {
  template <std::size_t Count> explicit SiteList(const kperf_site (&rows)[Count]) {
    thisModule.sites = rows;
    thisModule.site_count = Count;
  }
};

} // namespace detail

/// Waits for the device and appends what was recorded so far to the trace; 0, or -1 when nothing is recorded.
__attribute__((unused)) static inline int flush() {
  const auto entry = detail::runtime().flush;
  return entry ? entry() : -1;
}

/// What is launched from now on is recorded, or is not (kperf/control.h); 0, or -1 when that is so already or nothing is recorded.
__attribute__((unused)) static inline int start() {
  const auto entry = detail::runtime().start;
  return entry ? entry() : -1;
}
__attribute__((unused)) static inline int stop() {
  const auto entry = detail::runtime().stop;
  return entry ? entry() : -1;
}

} // namespace kperf

/// In front of the program's own static objects, which may launch; and so gone behind them.
#define KPERF_BEFORE_STATIC_OBJECTS __attribute__((init_priority(101)))

#define KPERF_SITES(...)                                                                                                                   \
  namespace kperf {                                                                                                                        \
  namespace detail {                                                                                                                       \
  static const kperf_site siteRows[] = {__VA_ARGS__};                                                                                      \
  KPERF_BEFORE_STATIC_OBJECTS static const SiteList siteList{siteRows};                                                                    \
  }                                                                                                                                        \
  }

#define KPERF_SAMPLE_OF(blocks)                                                                                                            \
  namespace kperf {                                                                                                                        \
  namespace detail {                                                                                                                       \
  KPERF_BEFORE_STATIC_OBJECTS static const SampleOf sampleOf{blocks};                                                                      \
  }                                                                                                                                        \
  }

#define KPERF_NO_REGIONS                                                                                                                   \
  namespace kperf {                                                                                                                        \
  namespace detail {                                                                                                                       \
  KPERF_BEFORE_STATIC_OBJECTS static const Registration registration{nullptr, 0, moduleGpuApi(), &configureModule, nullptr, nullptr};      \
  }                                                                                                                                        \
  }

#define KPERF_REGIONS(...)                                                                                                                 \
  KPERF_CALIBRATION_KERNEL                                                                                                                 \
  namespace kperf {                                                                                                                        \
  namespace detail {                                                                                                                       \
  static const kperf_region regionRows[] = {__VA_ARGS__};                                                                                  \
  KPERF_BEFORE_STATIC_OBJECTS static const Registration registration{regionRows, sizeof(regionRows) / sizeof(regionRows[0]),               \
                                                                     moduleGpuApi(), &configureModule, KPERF_CALIBRATION};                 \
  }                                                                                                                                        \
  }

#endif
#endif
