// A stand-in for the runtime library: an arena that probes record into, and the launches that were announced.
#ifndef KPERF_TEST_HOST_ARENA_H
#define KPERF_TEST_HOST_ARENA_H

#include <kperf/host/probe/probe_host.h>

#include <kperf/host/probe/GpuApi.h>

#include <cstring>
#include <vector>

namespace kperf::test {

inline std::vector<kperf_launch> announced;

/// One warp's slot, read back.
struct RecordedWarp {
  format::WarpHeader header;
  std::vector<format::Record> records;
};

class Arena {
public:
  Arena(std::uint64_t bytes, std::uint32_t recordsPerWarp, bool keepLast = false) : memory(bytes / 8, 0) {
    kperf_device_config config{};
    config.arena = reinterpret_cast<std::uint64_t>(memory.data());
    config.parts = reinterpret_cast<std::uint64_t>(&part);
    config.part_bytes = bytes;
    config.part_count = 1;
    config.records_per_warp = recordsPerWarp;
    config.keep_last = keepLast;
    config.sample = 1;
    config.max_warps_log2 = detail::kAnyWarps;
    detail::configureModule(nullptr, &config);
  }
  ~Arena() { kperf_config = {}; }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Slots in the order in which they were taken; all records that there is room for.
  std::vector<RecordedWarp> warps() const {
    std::vector<RecordedWarp> result;
    const char *at = reinterpret_cast<const char *>(memory.data());
    const char *const end = at + std::min<std::uint64_t>(part.used_bytes, memory.size() * 8);
    while (at + sizeof(format::WarpHeader) <= end) {
      RecordedWarp warp;
      std::memcpy(&warp.header, at, sizeof(warp.header));
      if (warp.header.capacity == 0)
        break; // room that was too small for a slot
      warp.records.resize(warp.header.capacity);
      std::memcpy(warp.records.data(), at + sizeof(warp.header), warp.header.capacity * sizeof(format::Record));
      at += warp.header.slotBytes;
      if (at <= end)
        result.push_back(std::move(warp));
    }
    return result;
  }

  std::vector<std::uint64_t> bytes() const { return memory; }
  kperf_arena_part part{};

private:
  std::vector<std::uint64_t> memory;
};

inline std::uint32_t idOf(const format::Record &record) { return record.tag & format::kIdMask; }
inline format::RecordKind kindOf(const format::Record &record) {
  return static_cast<format::RecordKind>(record.tag >> format::kKindShift & format::kKindMask);
}
inline std::uint32_t generationOf(const format::Record &record) { return record.tag >> format::kGenerationShift; }

} // namespace kperf::test

extern "C" {
inline __attribute__((used)) void kperf_module_register(kperf_module *) {}
inline __attribute__((used)) void kperf_module_unregister(kperf_module *) {}
inline __attribute__((used)) void kperf_before_launch(kperf_module *, const kperf_launch *launch) {
  kperf::test::announced.push_back(*launch);
}
inline __attribute__((used)) void kperf_before_reset(kperf_module *) {}
inline __attribute__((used)) int kperf_flush(void) { return 0; }
}

#endif
