// The modules that the program loaded through the driver, and which kernels belong to which.
#ifndef KPERF_RUNTIME_DRIVER_MODULES_H
#define KPERF_RUNTIME_DRIVER_MODULES_H

#include "runtime/driver/LoadedModule.h"

#include <atomic>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace kperf::driver {

/// A launch, as the driver is asked for it.
struct Launch {
  void *kernel; ///< a CUfunction, or a CUkernel
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  std::uint32_t flags; ///< kperf::format::LaunchFlags
};

/// Safe to call from any thread; never destroyed, because launches may come from static destructors.
class Modules final : Reclaimer {
public:
  static Modules &instance();

  /// Whether an image may hold kperf's tables. False for what the CUDA runtime loads, which registers its tables itself, and for code
  /// without them.
  static bool mayHaveTables(const void *image);

  /// After the driver loaded it, with what mayHaveTables said.
  void loaded(ModuleHandle handle, bool mayHaveTables);
  /// Whether a module or library has kperf's tables, or may have them: without a context they could not be read yet.
  bool isKnown(void *module);
  /// After the program asked the driver for a kernel, or got it in a list; `name` may be null.
  void found(void *kernel, void *module, const char *name);
  /// After the driver said what a CUkernel is in the current context, or a library.
  void foundFunction(void *function, void *kernel);
  void foundModule(void *module, void *library);
  /// Before the driver unloads it: what its kernels recorded is collected.
  void unloading(void *handle);
  /// Before a context goes away.
  void contextEnding(void *context);

  /// Around a launch. beforeLaunch returns the module, for afterLaunch, or null when the kernel is none that is recorded.
  LoadedModule *beforeLaunch(const Launch &launch, kperf_launch &announced);
  /// Around the launch of a graph, which may hold such kernels.
  LoadedModule *beforeGraphLaunch(void *stream, kperf_launch &announced);
  static void afterLaunch(LoadedModule *module, const kperf_launch &announced) {
    if (module)
      kperf_after_launch(module, &announced);
  }

private:
  struct Kernel {
    void *module;         ///< its handle
    bool isLibraryKernel; ///< a CUkernel
    const std::string *name;
  };

  Modules() { setReclaimer(this); }
  int reclaim(std::uint64_t arena, std::uint64_t partBytes, std::uint64_t parts, std::uint64_t seen, std::uint32_t count) override;
  bool add(ModuleHandle handle);
  void readPending();
  /// How a module is called that was read, or is yet to be; null: no such one.
  const ModuleHandle *known(void *module) const;
  LoadedModule *recorded(void *kernel, Kernel &row);
  std::unique_ptr<LoadedModule> taken(void *handle);

  std::shared_mutex mutex;
  std::atomic<std::size_t> count{0}; ///< of those that are recorded
  std::atomic<std::size_t> pendingCount{0};
  std::map<void *, std::unique_ptr<LoadedModule>> modules; ///< by handle
  std::vector<ModuleHandle> pending;                       ///< loaded while no context was current
  std::map<void *, void *> libraries;                      ///< by handle of their module
  std::unordered_map<void *, Kernel> kernels;              ///< by handle: those of modules that are recorded or pending
  std::map<std::string, std::string> names;                ///< whose addresses stay
};

} // namespace kperf::driver

#endif
