// A GPU made of host memory, for tests of the runtime: kernels are functions of the test that write slots as a device does.
#ifndef KPERF_TEST_RUNTIME_FAKEGPU_H
#define KPERF_TEST_RUNTIME_FAKEGPU_H

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>

namespace kperf::test {

struct FakeGpu {
  static inline kperf_device_config config{};
  static inline bool hasMemory = true;
  static inline uint64_t freeBytes = 1ull << 36, largestAllocation = 0;
  static inline bool hasFaulted = false;
  static inline void *nextArena = nullptr; ///< what the next allocation gets, if any

  static void reset() {
    config = {}, hasMemory = true, hasFaulted = false, areEventsOver = true, eventsMade = 0, duringReclaim = nullptr,
    freeBytes = 1ull << 36, largestAllocation = 0;
  }

  static int device(int *ordinal) { return *ordinal = 0, 0; }
  static int select(int) { return 0; }
  static int synchronize() { return hasFaulted ? 700 : 0; }
  static int release(void *address) { return std::free(address), 0; }
  static const char *errorText(int code) { return code == 2 ? "out of memory" : "an illegal memory access was encountered"; }
  static int allocate(void **address, size_t bytes) {
    largestAllocation = std::max<uint64_t>(largestAllocation, bytes);
    if (hasMemory)
      *address = nextArena ? std::exchange(nextArena, nullptr) : std::calloc(1, bytes);
    return hasMemory ? 0 : 2;
  }
  static int clear(uint64_t address, size_t bytes) { return std::memset(reinterpret_cast<void *>(address), 0, bytes), 0; }
  static int copyBack(void *host, uint64_t address, size_t bytes) {
    return hasFaulted ? 700 : (std::memcpy(host, reinterpret_cast<void *>(address), bytes), 0);
  }
  static int copyTo(uint64_t address, const void *host, size_t bytes) {
    return std::memcpy(reinterpret_cast<void *>(address), host, bytes), 0;
  }
  static int info(int, kperf_device_info *out) {
    *out = {"Fake GPU", "sm_90", "CUDA 13.0", 132, 32, 1980000, 32, 1ull << 37, freeBytes, {}};
    return 0;
  }
  static int configure(kperf_module *, const kperf_device_config *from) { return config = *from, 0; }
  /// Events are the time at which they were made.
  static inline uint64_t now = 0;
  static inline bool areEventsOver = true; ///< else who does not wait is told to come again
  static inline unsigned eventsMade = 0;
  static int kernelNeeds(const void *, uint32_t threads, uint32_t, kperf_kernel_needs *out) {
    *out = {40, 0, 512, 1024, threads > 1024 ? 0u : 3u};
    return 0;
  }
  static int markTime(uint64_t, void **event) { return ++eventsMade, *event = new uint64_t(now), 0; }
  static int timeBetween(void *first, void *last, bool isToWait, uint64_t *ns) {
    if (!areEventsOver && !isToWait)
      return 600; // cudaErrorNotReady
    auto *from = static_cast<uint64_t *>(first), *to = static_cast<uint64_t *>(last);
    *ns = *to - *from;
    delete from;
    delete to;
    return 0;
  }
  static inline void (*duringReclaim)() = nullptr; ///< what comes in between
  static int reclaim(uint64_t arena, uint64_t partBytes, uint64_t parts, uint64_t seen, uint32_t count) {
    for (uint32_t part = 0; part < count; ++part) {
      auto &used = reinterpret_cast<uint64_t *>(seen)[part];
      if (used == 0)
        continue;
      std::memset(reinterpret_cast<void *>(arena + part * partBytes), 0, std::min(used, partBytes));
      if (duringReclaim)
        duringReclaim();
      if (auto &counters = reinterpret_cast<kperf_arena_part *>(parts)[part]; counters.used_bytes == used)
        counters.used_bytes = 0, used = ~uint64_t{0};
    }
    return 0;
  }
  static const kperf_gpu_api *api() {
    static const kperf_gpu_api table = {static_cast<uint32_t>(format::Target::Cuda),
                                        device,
                                        info,
                                        allocate,
                                        release,
                                        copyBack,
                                        clear,
                                        synchronize,
                                        select,
                                        errorText,
                                        copyTo,
                                        kernelNeeds,
                                        markTime,
                                        timeBetween,
                                        reclaim};
    return &table;
  }

  /// Takes a slot of a part as a warp does; null when the part is full.
  static format::WarpHeader *takeSlot(uint32_t spare = 0, uint32_t part = 0) {
    auto &counters = reinterpret_cast<kperf_arena_part *>(config.parts)[part];
    const uint64_t bytes = sizeof(format::WarpHeader) + uint64_t{config.records_per_warp + spare} * sizeof(format::Record);
    const uint64_t offset = counters.used_bytes;
    counters.used_bytes += bytes;
    if (offset + bytes > config.part_bytes)
      return ++counters.warps_refused, nullptr;
    auto *header = reinterpret_cast<format::WarpHeader *>(config.arena + part * config.part_bytes + offset);
    header->capacity = config.records_per_warp;
    header->slotBytes = bytes;
    return header;
  }

  static format::Record *records(format::WarpHeader *header) { return reinterpret_cast<format::Record *>(header + 1); }
};

} // namespace kperf::test

#endif
