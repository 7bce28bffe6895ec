// Tells which of CUDA's memory spaces an address of the host target stands for.
#ifndef KPERF_HOST_MEMORY_SPACES_H
#define KPERF_HOST_MEMORY_SPACES_H

#include <kperf/host/engine/Block.h>
#include <kperf/host/engine/Settings.h>

#include <link.h>
#include <utility>
#include <vector>

namespace kperf::host {

enum class MemorySpace : std::uint8_t { Global, Shared, Local };

/// Where the calling operating system thread keeps its thread_local variables, which __shared__ variables are here.
class ThreadStorage {
public:
  bool holds(std::uintptr_t address, std::uint64_t grid) {
    if (knownFor != grid) { // a library may have been loaded since the last launch
      knownFor = grid;
      ranges.clear();
      dl_iterate_phdr(&ThreadStorage::add, this);
    }
    for (const auto &[begin, bytes] : ranges)
      if (address - begin < bytes)
        return true;
    return false;
  }

private:
  static int add(dl_phdr_info *module, std::size_t, void *storage) {
    const auto begin = reinterpret_cast<std::uintptr_t>(module->dlpi_tls_data);
    for (int i = 0; begin && i < module->dlpi_phnum; ++i)
      if (module->dlpi_phdr[i].p_type == PT_TLS)
        static_cast<ThreadStorage *>(storage)->ranges.emplace_back(begin, module->dlpi_phdr[i].p_memsz);
    return 0;
  }

  std::uint64_t knownFor = 0;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges; ///< first byte, bytes
};

inline MemorySpace spaceOf(std::uintptr_t address, const CudaThread &thread) {
  static thread_local ThreadStorage storage;
  const Grid &grid = thread.block->grid();
  if (address - reinterpret_cast<std::uintptr_t>(thread.block->sharedMemory()) < grid.sharedBytes)
    return MemorySpace::Shared;
  if (reinterpret_cast<std::uintptr_t>(thread.frames) - address < settings().stackBytes)
    return MemorySpace::Local;
  return storage.holds(address, grid.id) ? MemorySpace::Shared : MemorySpace::Global;
}

} // namespace kperf::host

#endif
