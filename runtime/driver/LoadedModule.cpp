// Finds kperf's tables in a module, and registers it.
#include "runtime/driver/LoadedModule.h"

#include "runtime/driver/Driver.h"
#include "runtime/settings/Log.h"

#include <kperf/abi/ClockMailbox.h>

#include <string>

namespace kperf::driver {
namespace {

int configureModule(kperf_module *module, const kperf_device_config *config) {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  if (const int status = static_cast<LoadedModule *>(module)->handle.symbol("kperf_config", &address, &bytes); status != kSuccess)
    return status;
  if (bytes != sizeof(*config))
    return kInvalidValue;
  return gpuApi()->copy_to(address, config, bytes);
}

int calibrateModule(kperf_module *module) {
  void *const kernel = static_cast<LoadedModule *>(module)->handle.function("kperf_calibrationKernel");
  return kernel ? onOwnStream([=](void *stream) { return driver().launchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr); })
                : kNotFound;
}

int readModuleClock(kperf_module *module, std::uint32_t isIdle, kperf_clock_reading *out) {
  constexpr unsigned kPortable = 1, kMapped = 2; // CU_MEMHOSTALLOC_…
  const RelaxedCapture relaxed;
  void *const kernel = static_cast<LoadedModule *>(module)->handle.function("kperf_clockKernel");
  void *words = nullptr;
  int status = kernel ? driver().memHostAlloc(&words, detail::kMailboxWords * sizeof(std::uint64_t), kPortable | kMapped) : kNotFound;
  if (status != kSuccess)
    return status;
  detail::ClockExchange exchange(static_cast<volatile std::uint64_t *>(words));
  void *arguments[] = {&words};
  status = onOwnStream([&](void *stream) {
    const int launched = driver().launchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
    if (launched == kSuccess)
      exchange.run();
    return launched;
  });
  if (status == kSuccess && !exchange.tightest(out))
    status = kNotReady;
  if (isIdle)
    driver().memFreeHost(words);
  return status;
}

/// What a symbol holds; empty where there is none.
std::string contents(const ModuleHandle &module, const char *name) {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  std::string text;
  if (module.symbol(name, &address, &bytes) != kSuccess)
    return text;
  text.resize(bytes);
  if (gpuApi()->copy_back(text.data(), address, bytes) != kSuccess)
    text.clear();
  return text;
}

/// The same of an array of characters, without its last.
std::string textOf(const ModuleHandle &module, const char *name) {
  std::string text = contents(module, name);
  if (!text.empty())
    text.pop_back();
  return text;
}

std::uint32_t wordOf(const std::string &contents, std::size_t index) {
  std::uint32_t word = 0;
  if (contents.size() >= (index + 1) * sizeof(word))
    contents.copy(reinterpret_cast<char *>(&word), sizeof(word), index * sizeof(word));
  return word;
}

} // namespace

int ModuleHandle::symbol(const char *name, std::uint64_t *address, std::size_t *bytes) const {
  return isLibrary ? driver().libraryGetGlobal(address, bytes, handle, name) : driver().moduleGetGlobal(address, bytes, handle, name);
}

void *ModuleHandle::function(const char *name) const {
  void *found = nullptr, *kernel = nullptr;
  if (!isLibrary)
    return driver().moduleGetFunction(&found, handle, name) == kSuccess ? found : nullptr;
  const bool isThere =
      driver().libraryGetKernel(&kernel, handle, name) == kSuccess && driver().kernelGetFunction(&found, kernel) == kSuccess;
  return isThere ? found : nullptr;
}

std::unique_ptr<LoadedModule> LoadedModule::registered(ModuleHandle handle) {
  void *context = nullptr;
  if (driver().ctxGetCurrent(&context) != kSuccess || !context)
    return nullptr;
  std::unique_ptr<LoadedModule> made(new LoadedModule(handle, context));
  if (!made->readTables())
    return nullptr;
  kperf_module_register(made.get());
  return made;
}

LoadedModule::~LoadedModule() {
  if (abi != 0)
    kperf_module_unregister(this);
}

bool LoadedModule::readTables() {
  constexpr const char *kHead = "kperf_table_head";
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  if (handle.symbol(kHead, &address, &bytes) != kSuccess)
    return false;
  const std::string head = contents(handle, kHead);
  if (wordOf(head, 0) != KPERF_MODULE_ABI) {
    runtime::log(
        "a module with kperf's tables of module ABI %u is not recorded, this is %u: empty the cache that it came from, or build it again",
        wordOf(head, 0), KPERF_MODULE_ABI);
    return false;
  }
  if (!tables.readRegions(textOf(handle, "kperf_table_regions")) || !tables.readSites(textOf(handle, "kperf_table_sites"))) {
    runtime::log("a module is not recorded: its tables are not of this version; build it again");
    return false;
  }
  static_cast<kperf_module &>(*this) = {KPERF_MODULE_ABI,
                                        static_cast<std::uint32_t>(tables.regions().size()),
                                        tables.regions().data(),
                                        gpuApi(),
                                        &configureModule,
                                        tables.regions().empty() ? nullptr : &calibrateModule,
                                        tables.regions().empty() ? nullptr : &readModuleClock,
                                        0,
                                        tables.sites().data(),
                                        static_cast<std::uint32_t>(tables.sites().size()),
                                        wordOf(contents(handle, "kperf_table_sample"), 0),
                                        0,
                                        wordOf(head, 1),
                                        tables.sites().empty() ? 0 : wordOf(head, 2)};
  return true;
}

int LoadedModule::reclaim(std::uint64_t arena, std::uint64_t partBytes, std::uint64_t parts, std::uint64_t seen,
                          std::uint32_t count) const {
  void *const kernel = handle.function("kperf_reclaimKernel");
  if (!kernel)
    return kNotFound;
  void *arguments[] = {&arena, &partBytes, &parts, &seen};
  return onOwnStream(
      [&](void *stream) { return driver().launchKernel(kernel, count, 1, 1, KPERF_RECLAIM_THREADS, 1, 1, 0, stream, arguments, nullptr); });
}

} // namespace kperf::driver
