// Intercepts the driver's functions that load and unload modules and launch kernels.
#include "runtime/preload/Hooks.h"

#include "runtime/driver/Driver.h"
#include "runtime/driver/Modules.h"

#include <kperf/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace kperf;
using driver::Launch;
using driver::Modules;

namespace {

/// The driver's own function of a name.
template <typename Function> Function *real(const char *name) { return reinterpret_cast<Function *>(driver::driverSymbol(name)); }

/// CUlaunchConfig, as far as it is read.
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
};

/// A launch that is announced for as long as this lives.
class Announced {
public:
  explicit Announced(const Launch &launch) : module(Modules::instance().beforeLaunch(launch, announced)) {}
  ~Announced() { Modules::afterLaunch(module, announced); }
  Announced(const Announced &) = delete;
  Announced &operator=(const Announced &) = delete;

private:
  kperf_launch announced{};
  driver::LoadedModule *module;
};

template <typename... Arguments> int load(const char *name, void **module, bool mayHaveTables, bool isLibrary, Arguments... arguments) {
  const int status = real<int(void **, Arguments...)>(name)(module, arguments...);
  if (status == driver::kSuccess)
    Modules::instance().loaded({*module, isLibrary}, mayHaveTables);
  return status;
}

/// The driver's functions that list the kernels of a module, or of a library.
struct KernelList {
  int (*driver::Driver::*count)(unsigned *, void *);
  int (*driver::Driver::*enumerate)(void **, unsigned, void *);
  int (*driver::Driver::*nameOf)(const char **, void *);
};
constexpr KernelList kOfModule{&driver::Driver::moduleGetFunctionCount, &driver::Driver::moduleEnumerateFunctions,
                               &driver::Driver::funcGetName};
constexpr KernelList kOfLibrary{&driver::Driver::libraryGetKernelCount, &driver::Driver::libraryEnumerateKernels,
                                &driver::Driver::kernelGetName};

/// The runtime's kernels, and the copies without probes that kperf-cc put beside the program's (tool/plain/PtxMerge.h).
bool isOfKperf(std::string_view kernel) { return kernel.starts_with("kperf_") || kernel.ends_with("__kperf_plain"); }

/// The kernels that the program wrote, of a module that is known. Those that kperf added are its runtime's; programs take them for damage
/// (DeepGEMM wants exactly one).
int listProgramKernels(const KernelList &list, void *module, std::vector<void *> &kernels) {
  const driver::Driver &driver = driver::driver();
  unsigned count = 0;
  int status = (driver.*list.count)(&count, module);
  kernels.resize(count);
  if (status == driver::kSuccess)
    status = (driver.*list.enumerate)(kernels.data(), count, module);
  if (status == driver::kSuccess)
    std::erase_if(kernels, [&](void *kernel) {
      const char *name = nullptr;
      return (driver.*list.nameOf)(&name, kernel) == driver::kSuccess && isOfKperf(name);
    });
  return status;
}

int countProgramKernels(const KernelList &list, unsigned *count, void *module) {
  if (!Modules::instance().isKnown(module))
    return (driver::driver().*list.count)(count, module);
  std::vector<void *> kernels;
  const int status = listProgramKernels(list, module, kernels);
  if (status == driver::kSuccess)
    *count = static_cast<unsigned>(kernels.size());
  return status;
}

int enumerateProgramKernels(const KernelList &list, void **into, unsigned count, void *module) {
  if (!Modules::instance().isKnown(module))
    return (driver::driver().*list.enumerate)(into, count, module);
  std::vector<void *> kernels;
  const int status = listProgramKernels(list, module, kernels);
  kernels.resize(std::min<std::size_t>(kernels.size(), count));
  if (status != driver::kSuccess)
    return status;
  std::ranges::copy(kernels, into);
  for (void *kernel : kernels)
    Modules::instance().found(kernel, module, nullptr);
  return status;
}

} // namespace

#define KPERF_HOOK(name) extern "C" __attribute__((visibility("default"))) int name
// What a hook of that name stands in front of; looked up once.
#define KPERF_REAL(name)                                                                                                                   \
  [] {                                                                                                                                     \
    static auto *const function = real<decltype(name)>(#name);                                                                             \
    return function;                                                                                                                       \
  }()

KPERF_HOOK(cuModuleLoad)(void **module, const char *file) { return load("cuModuleLoad", module, true, false, file); }
KPERF_HOOK(cuModuleLoadData)(void **module, const void *image) {
  return load("cuModuleLoadData", module, Modules::mayHaveTables(image), false, image);
}
KPERF_HOOK(cuModuleLoadDataEx)(void **module, const void *image, unsigned options, int *names, void **values) {
  return load("cuModuleLoadDataEx", module, Modules::mayHaveTables(image), false, image, options, names, values);
}
KPERF_HOOK(cuModuleLoadFatBinary)(void **module, const void *image) {
  return load("cuModuleLoadFatBinary", module, Modules::mayHaveTables(image), false, image);
}
KPERF_HOOK(cuLibraryLoadData)
(void **library, const void *code, int *jit, void **jitValues, unsigned jitCount, int *options, void **values, unsigned count) {
  return load("cuLibraryLoadData", library, Modules::mayHaveTables(code), true, code, jit, jitValues, jitCount, options, values, count);
}
KPERF_HOOK(cuLibraryLoadFromFile)
(void **library, const char *file, int *jit, void **jitValues, unsigned jitCount, int *options, void **values, unsigned count) {
  return load("cuLibraryLoadFromFile", library, true, true, file, jit, jitValues, jitCount, options, values, count);
}
KPERF_HOOK(cuModuleUnload)(void *module) {
  Modules::instance().unloading(module);
  return KPERF_REAL(cuModuleUnload)(module);
}
KPERF_HOOK(cuLibraryUnload)(void *library) {
  Modules::instance().unloading(library);
  return KPERF_REAL(cuLibraryUnload)(library);
}

KPERF_HOOK(cuModuleGetFunction)(void **function, void *module, const char *name) {
  const int status = KPERF_REAL(cuModuleGetFunction)(function, module, name);
  if (status == driver::kSuccess)
    Modules::instance().found(*function, module, name);
  return status;
}
KPERF_HOOK(cuLibraryGetKernel)(void **kernel, void *library, const char *name) {
  const int status = KPERF_REAL(cuLibraryGetKernel)(kernel, library, name);
  if (status == driver::kSuccess)
    Modules::instance().found(*kernel, library, name);
  return status;
}
KPERF_HOOK(cuModuleGetFunctionCount)(unsigned *count, void *module) { return countProgramKernels(kOfModule, count, module); }
KPERF_HOOK(cuModuleEnumerateFunctions)(void **functions, unsigned count, void *module) {
  return enumerateProgramKernels(kOfModule, functions, count, module);
}
KPERF_HOOK(cuLibraryGetKernelCount)(unsigned *count, void *library) { return countProgramKernels(kOfLibrary, count, library); }
KPERF_HOOK(cuLibraryEnumerateKernels)(void **kernels, unsigned count, void *library) {
  return enumerateProgramKernels(kOfLibrary, kernels, count, library);
}
KPERF_HOOK(cuKernelGetFunction)(void **function, void *kernel) {
  const int status = KPERF_REAL(cuKernelGetFunction)(function, kernel);
  if (status == driver::kSuccess)
    Modules::instance().foundFunction(*function, kernel);
  return status;
}
KPERF_HOOK(cuLibraryGetModule)(void **module, void *library) {
  const int status = KPERF_REAL(cuLibraryGetModule)(module, library);
  if (status == driver::kSuccess)
    Modules::instance().foundModule(*module, library);
  return status;
}

// Each launch has a second name, for programs whose default stream is one of the thread's own.
#define KPERF_LAUNCH_HOOKS(suffix)                                                                                                         \
  KPERF_HOOK(cuLaunchKernel##suffix)                                                                                                       \
  (void *kernel, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,       \
   void *stream, void **arguments, void **extra) {                                                                                         \
    const Announced announced({kernel, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, stream, 0});                               \
    return KPERF_REAL(cuLaunchKernel##suffix)(kernel, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, arguments, extra);      \
  }                                                                                                                                        \
  KPERF_HOOK(cuLaunchCooperativeKernel##suffix)                                                                                            \
  (void *kernel, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,       \
   void *stream, void **arguments) {                                                                                                       \
    const Announced announced({kernel, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, stream, format::kLaunchCooperative});      \
    return KPERF_REAL(cuLaunchCooperativeKernel##suffix)(kernel, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, arguments);  \
  }                                                                                                                                        \
  KPERF_HOOK(cuLaunchKernelEx##suffix)(const LaunchConfig *config, void *kernel, void **arguments, void **extra) {                         \
    if (!config)                                                                                                                           \
      return KPERF_REAL(cuLaunchKernelEx##suffix)(config, kernel, arguments, extra);                                                       \
    const Announced announced({kernel,                                                                                                     \
                               {config->grid[0], config->grid[1], config->grid[2]},                                                        \
                               {config->block[0], config->block[1], config->block[2]},                                                     \
                               config->sharedBytes,                                                                                        \
                               config->stream,                                                                                             \
                               0});                                                                                                        \
    return KPERF_REAL(cuLaunchKernelEx##suffix)(config, kernel, arguments, extra);                                                         \
  }                                                                                                                                        \
  KPERF_HOOK(cuGraphLaunch##suffix)(void *graph, void *stream) {                                                                           \
    kperf_launch announced{};                                                                                                              \
    driver::LoadedModule *const module = Modules::instance().beforeGraphLaunch(stream, announced);                                         \
    const int status = KPERF_REAL(cuGraphLaunch##suffix)(graph, stream);                                                                   \
    Modules::afterLaunch(module, announced);                                                                                               \
    return status;                                                                                                                         \
  }
KPERF_LAUNCH_HOOKS()
KPERF_LAUNCH_HOOKS(_ptsz)

KPERF_HOOK(cuCtxDestroy_v2)(void *context) {
  Modules::instance().contextEnding(context);
  return KPERF_REAL(cuCtxDestroy_v2)(context);
}
KPERF_HOOK(cuDevicePrimaryCtxReset_v2)(int device) {
  void *context = nullptr;
  if (const auto retain = real<int(void **, int)>("cuDevicePrimaryCtxRetain"); retain && retain(&context, device) == driver::kSuccess) {
    Modules::instance().contextEnding(context);
    real<int(int)>("cuDevicePrimaryCtxRelease_v2")(device);
  }
  return KPERF_REAL(cuDevicePrimaryCtxReset_v2)(device);
}

KPERF_HOOK(cuGetProcAddress)(const char *name, void **function, int version, std::uint64_t flags);
KPERF_HOOK(cuGetProcAddress_v2)(const char *name, void **function, int version, std::uint64_t flags, int *found);

namespace {

#define KPERF_ROW(name) {#name, reinterpret_cast<void *>(&name)}
const preload::Hook kHooks[] = {
    KPERF_ROW(cuModuleLoad),
    KPERF_ROW(cuModuleLoadData),
    KPERF_ROW(cuModuleLoadDataEx),
    KPERF_ROW(cuModuleLoadFatBinary),
    KPERF_ROW(cuModuleUnload),
    KPERF_ROW(cuModuleGetFunction),
    KPERF_ROW(cuModuleGetFunctionCount),
    KPERF_ROW(cuModuleEnumerateFunctions),
    KPERF_ROW(cuLibraryLoadData),
    KPERF_ROW(cuLibraryLoadFromFile),
    KPERF_ROW(cuLibraryUnload),
    KPERF_ROW(cuLibraryGetKernel),
    KPERF_ROW(cuLibraryGetKernelCount),
    KPERF_ROW(cuLibraryEnumerateKernels),
    KPERF_ROW(cuLibraryGetModule),
    KPERF_ROW(cuKernelGetFunction),
    KPERF_ROW(cuLaunchKernel),
    KPERF_ROW(cuLaunchKernel_ptsz),
    KPERF_ROW(cuLaunchKernelEx),
    KPERF_ROW(cuLaunchKernelEx_ptsz),
    KPERF_ROW(cuLaunchCooperativeKernel),
    KPERF_ROW(cuLaunchCooperativeKernel_ptsz),
    KPERF_ROW(cuGraphLaunch),
    KPERF_ROW(cuGraphLaunch_ptsz),
    KPERF_ROW(cuCtxDestroy_v2),
    KPERF_ROW(cuDevicePrimaryCtxReset_v2),
    KPERF_ROW(cuGetProcAddress),
    KPERF_ROW(cuGetProcAddress_v2),
};

/// The hook of what cuGetProcAddress is asked for, by a name without the suffixes that the driver's symbols have.
void *hookOfRequest(const char *name, int version, std::uint64_t flags) {
  constexpr std::uint64_t kStreamOfThread = 2; // CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
  const std::string text(name);
  if (flags & kStreamOfThread)
    if (void *const hook = preload::driverHook((text + "_ptsz").c_str()))
      return hook;
  if (text == "cuGetProcAddress" && version < 12000)
    return preload::driverHook(name);
  if (void *const hook = preload::driverHook((text + "_v2").c_str()))
    return hook;
  return preload::driverHook(name);
}

} // namespace

KPERF_HOOK(cuGetProcAddress)(const char *name, void **function, int version, std::uint64_t flags) {
  const int status = KPERF_REAL(cuGetProcAddress)(name, function, version, flags);
  if (status == driver::kSuccess && *function)
    if (void *const hook = hookOfRequest(name, version, flags))
      *function = hook;
  return status;
}
KPERF_HOOK(cuGetProcAddress_v2)(const char *name, void **function, int version, std::uint64_t flags, int *found) {
  const int status = KPERF_REAL(cuGetProcAddress_v2)(name, function, version, flags, found);
  if (status == driver::kSuccess && *function)
    if (void *const hook = hookOfRequest(name, version, flags))
      *function = hook;
  return status;
}

void *preload::driverHook(const char *name) {
  for (const Hook &hook : kHooks)
    if (std::strcmp(hook.name, name) == 0)
      return hook.function;
  return nullptr;
}
