// Keeps the lists of modules and kernels.
#include "runtime/driver/Modules.h"

#include "runtime/driver/Driver.h"

#include <kperf/format.h>

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <mutex>
#include <string_view>
#include <utility>

namespace kperf::driver {
namespace {

constexpr std::string_view kSymbol = "kperf_table_head";
// The first words of fatbins: of nvcc's fatbinary, and of what its host code hands to the CUDA runtime.
constexpr std::uint32_t kFatbin = 0xba55ed50, kFatbinWrapper = 0x466243b1;

/// Bytes of an ELF image: it ends with its section headers or its program headers.
std::size_t elfBytes(const Elf64_Ehdr &header) {
  return std::max(header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize,
                  header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
}

bool isCapturing(void *stream) {
  int state = 0;
  return driver().streamIsCapturing(stream, &state) == kSuccess && state != 0;
}

} // namespace

Modules &Modules::instance() {
  static auto *const all = new Modules;
  return *all;
}

bool Modules::mayHaveTables(const void *image) {
  std::uint32_t magic;
  std::memcpy(&magic, image, sizeof(magic));
  if (magic == kFatbinWrapper)
    return false;
  if (magic == kFatbin) // compressed: the driver is asked
    return true;
  if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
    const auto &header = *static_cast<const Elf64_Ehdr *>(image);
    return memmem(image, elfBytes(header), kSymbol.data(), kSymbol.size()) != nullptr;
  }
  return std::strstr(static_cast<const char *>(image), kSymbol.data()) != nullptr; // PTX, which is text
}

void Modules::loaded(ModuleHandle handle, bool mayHaveTables) {
  if (!mayHaveTables)
    return;
  void *context = nullptr;
  if (driver().ctxGetCurrent(&context) == kSuccess && context)
    return static_cast<void>(add(handle));
  const std::unique_lock lock(mutex);
  pending.push_back(handle);
  pendingCount = pending.size();
}

bool Modules::add(ModuleHandle handle) {
  std::unique_ptr<LoadedModule> module = LoadedModule::registered(handle);
  if (!module)
    return false;
  const std::unique_lock lock(mutex);
  modules[handle.handle] = std::move(module);
  count = modules.size();
  return true;
}

void Modules::readPending() {
  std::vector<ModuleHandle> handles;
  {
    const std::unique_lock lock(mutex);
    handles.swap(pending);
    pendingCount = 0;
  }
  for (const ModuleHandle &each : handles) // what turns out to be none of ours loses its kernels
    if (!add(each))
      static_cast<void>(taken(each.handle));
}

/// Removes it from here, kernels and all.
std::unique_ptr<LoadedModule> Modules::taken(void *handle) {
  const std::unique_lock lock(mutex);
  std::erase_if(pending, [&](const ModuleHandle &each) { return each.handle == handle; });
  pendingCount = pending.size();
  std::erase_if(libraries, [&](const auto &row) { return row.second == handle; });
  std::erase_if(kernels, [&](const auto &row) { return row.second.module == handle; });
  const auto found = modules.find(handle);
  if (found == modules.end())
    return nullptr;
  std::unique_ptr<LoadedModule> module = std::move(found->second);
  modules.erase(found);
  count = modules.size();
  return module;
}

void Modules::unloading(void *handle) {
  if (count > 0 || pendingCount > 0)
    static_cast<void>(taken(handle)); // outside of the lock: what was recorded is collected, by a kernel of another module perhaps
}

void Modules::contextEnding(void *context) {
  std::vector<void *> handles;
  LoadedModule *first = nullptr;
  {
    const std::shared_lock lock(mutex);
    for (const auto &[handle, module] : modules)
      if (module->context == context) {
        handles.push_back(handle);
        first = first ? first : module.get();
      }
  }
  if (!first)
    return;
  void *before = nullptr;
  driver().ctxGetCurrent(&before);
  driver().ctxSetCurrent(context);
  kperf_before_reset(first);
  for (void *handle : handles)
    static_cast<void>(taken(handle));
  driver().ctxSetCurrent(before);
}

bool Modules::isKnown(void *module) {
  if (count == 0 && pendingCount == 0)
    return false;
  const std::shared_lock lock(mutex);
  const auto alias = libraries.find(module);
  return known(alias == libraries.end() ? module : alias->second) != nullptr;
}

const ModuleHandle *Modules::known(void *module) const {
  if (const auto loaded = modules.find(module); loaded != modules.end())
    return &loaded->second->handle;
  const auto waiting = std::ranges::find(pending, module, &ModuleHandle::handle);
  return waiting == pending.end() ? nullptr : &*waiting;
}

void Modules::found(void *kernel, void *module, const char *name) {
  if (count == 0 && pendingCount == 0)
    return;
  const std::unique_lock lock(mutex);
  const auto alias = libraries.find(module);
  void *const owner = alias == libraries.end() ? module : alias->second;
  const ModuleHandle *const handle = known(owner);
  if (!handle)
    return;
  const bool isLibraryKernel = alias == libraries.end() && handle->isLibrary; // a library's module has functions
  if (!name && (isLibraryKernel ? driver().kernelGetName(&name, kernel) : driver().funcGetName(&name, kernel)) != kSuccess)
    name = "a kernel of an unnamed list"; // before CUDA 12.3
  kernels[kernel] = {owner, isLibraryKernel, &names.try_emplace(name, name).first->second};
}

void Modules::foundFunction(void *function, void *kernel) {
  if (count == 0 && pendingCount == 0)
    return;
  const std::unique_lock lock(mutex);
  if (const auto known = kernels.find(kernel); known != kernels.end())
    kernels[function] = {known->second.module, false, known->second.name};
}

void Modules::foundModule(void *module, void *library) {
  if (count == 0 && pendingCount == 0)
    return;
  const std::unique_lock lock(mutex);
  if (known(library))
    libraries[module] = library;
}

LoadedModule *Modules::recorded(void *kernel, Kernel &row) {
  const std::shared_lock lock(mutex);
  const auto known = kernels.find(kernel);
  if (known == kernels.end())
    return nullptr;
  row = known->second;
  const auto module = modules.find(row.module);
  return module == modules.end() ? nullptr : module->second.get();
}

LoadedModule *Modules::beforeLaunch(const Launch &launch, kperf_launch &announced) {
  if (pendingCount > 0)
    readPending();
  if (count == 0)
    return nullptr;
  Kernel kernel;
  LoadedModule *const module = recorded(launch.kernel, kernel);
  if (!module)
    return nullptr;
  void *function = launch.kernel;
  if (kernel.isLibraryKernel && driver().kernelGetFunction(&function, launch.kernel) != kSuccess)
    function = nullptr;
  const std::uint32_t flags = launch.flags | (isCapturing(launch.stream) ? std::uint32_t{format::kLaunchCaptured} : 0);
  announced = {
      reinterpret_cast<std::uint64_t>(launch.stream),      kernel.name->c_str(), function, {launch.grid[0], launch.grid[1], launch.grid[2]},
      {launch.block[0], launch.block[1], launch.block[2]}, launch.sharedBytes,   flags};
  kperf_before_launch(module, &announced);
  return module;
}

LoadedModule *Modules::beforeGraphLaunch(void *stream, kperf_launch &announced) {
  if (count == 0)
    return nullptr;
  LoadedModule *module = nullptr;
  {
    const std::shared_lock lock(mutex);
    if (modules.empty())
      return nullptr;
    module = modules.begin()->second.get();
  }
  announced = {reinterpret_cast<std::uint64_t>(stream), nullptr, nullptr, {}, {}, 0, 0};
  kperf_before_launch(module, &announced);
  return module;
}

int Modules::reclaim(std::uint64_t arena, std::uint64_t partBytes, std::uint64_t parts, std::uint64_t seen, std::uint32_t number) {
  void *context = nullptr;
  driver().ctxGetCurrent(&context);
  const std::shared_lock lock(mutex);
  for (const auto &[handle, module] : modules)
    if (module->context == context)
      return module->reclaim(arena, partBytes, parts, seen, number);
  return kNotSupported;
}

} // namespace kperf::driver
