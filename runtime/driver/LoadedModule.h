// Registers a module that the program loaded through the driver and that holds kperf's tables, as a linked translation unit registers
// itself.
#ifndef KPERF_RUNTIME_DRIVER_LOADEDMODULE_H
#define KPERF_RUNTIME_DRIVER_LOADEDMODULE_H

#include "runtime/driver/GpuApi.h"
#include "runtime/driver/TableText.h"

#include <kperf/abi/module.h>

#include <memory>

namespace kperf::driver {

/// How the driver calls a module: by cuModule… or, from CUDA 12 on, by cuLibrary….
struct ModuleHandle {
  void *handle = nullptr;
  bool isLibrary = false;

  /// The address and size of a symbol in the current context; the driver's error code.
  int symbol(const char *name, std::uint64_t *address, std::size_t *bytes) const;
  /// A kernel, ready to be launched in the current context; null when there is none.
  void *function(const char *name) const;
};

class LoadedModule final : public kperf_module {
public:
  /// Registers the module with the recorder when it has kperf's tables; else null. A context is current.
  static std::unique_ptr<LoadedModule> registered(ModuleHandle handle);
  ~LoadedModule();
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;

  /// kperf_gpu_api::reclaim, by the module's kernel for it.
  int reclaim(std::uint64_t arena, std::uint64_t partBytes, std::uint64_t parts, std::uint64_t seen, std::uint32_t count) const;

  const ModuleHandle handle;
  void *const context; ///< in which it was loaded

private:
  LoadedModule(ModuleHandle handle, void *context) : kperf_module{}, handle(handle), context(context) {}
  bool readTables();

  TableText tables;
};

} // namespace kperf::driver

#endif
