// Allocates a device's arena and turns what its warps wrote into Warps sections.
#include "DeviceBuffer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace kperf::runtime {
namespace {

using format::Record;
using format::WarpHeader;

constexpr std::uint64_t kDefaultArenaBytes = 256ull << 20;
constexpr std::uint64_t kMostChunkBytes = 32ull << 20; ///< host memory used while copying back

/// Appends a warp's kept records, oldest first.
void appendRecords(std::vector<std::byte> &out, WarpHeader &header, const Record *slot, bool keepLast) {
  const auto append = [&](const Record *from, const Record *to) {
    const auto bytes = std::as_bytes(std::span(from, to));
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  const std::size_t headerAt = out.size();
  out.resize(headerAt + sizeof(header));
  const std::uint32_t capacity = header.capacity;
  if (!(header.flags & format::kWarpFinished)) {
    header.produced = 0;
    for (std::uint32_t index = 0; index < capacity; ++index)
      if (slot[index].tag != 0)
        append(slot + index, slot + index + 1), ++header.produced;
  } else if (header.produced > capacity && keepLast) {
    const std::uint32_t oldest = header.produced & (capacity - 1);
    append(slot + oldest, slot + capacity);
    append(slot, slot + oldest);
  } else {
    append(slot, slot + std::min(header.produced, capacity));
  }
  std::memcpy(out.data() + headerAt, &header, sizeof(header));
}

} // namespace

/// One pass over the arena: what was copied and not yet parsed, and the section being built.
struct DeviceBuffer::Scan {
  TraceFile &file;
  std::vector<std::byte> raw;
  std::vector<std::byte> section;
  std::uint64_t warps = 0;

  bool flush() {
    const bool isWritten = warps == 0 || (file.writeStrings() && file.writeWarps(section, warps));
    section.clear();
    warps = 0;
    return isWritten;
  }
};

bool DeviceBuffer::allocate() {
  isInfoKnown = gpu.info(ordinal, &deviceInfo) == 0;
  const std::uint64_t freeBytes = isInfoKnown ? deviceInfo.free_bytes : kDefaultArenaBytes;
  std::uint64_t bytes = requestedBytes ? requestedBytes : std::min(kDefaultArenaBytes, freeBytes / 8);
  bytes = bytes / sizeof(Record) * sizeof(Record);
  void *arena = nullptr;
  void *cursor = nullptr;
  int status = gpu.allocate(&arena, bytes);
  if (status == 0 && (status = gpu.allocate(&cursor, sizeof(kperf_arena_cursor))) != 0)
    gpu.release(arena);
  if (status != 0) {
    reason = "no " + std::to_string(bytes >> 20) + " MiB of device memory on device " + std::to_string(ordinal) + " (" +
             gpu.error_text(status) + "); set KPERF_BUFFER_MB to less";
    return false;
  }
  collectedBytes = reportedRefusals = 0;
  const std::uint32_t ringBytes = recordsPerWarp * sizeof(Record);
  deviceConfig = {reinterpret_cast<std::uint64_t>(arena),
                  bytes,
                  reinterpret_cast<std::uint64_t>(cursor),
                  recordsPerWarp,
                  keepLast,
                  ringBytes,
                  static_cast<std::uint32_t>(std::countr_zero(ringBytes)),
                  keepLast ? recordsPerWarp - 1 : ~0u};
  return true;
}

void DeviceBuffer::lose(std::vector<format::LossRecord> &losses, TraceFile &file, format::LossKind kind,
                        std::uint64_t count) {
  if (count > 0)
    losses.push_back({kind, static_cast<std::uint32_t>(ordinal), count, file.intern(reason)});
}

bool DeviceBuffer::collect(TraceFile &file, std::vector<format::LossRecord> &losses) {
  lose(losses, file, format::LossKind::LaunchesUnrecorded, std::exchange(unrecordedLaunches, 0));
  if (!deviceConfig.arena)
    return true;
  kperf_arena_cursor cursor{};
  if (const int status = gpu.copy_back(&cursor, deviceConfig.cursor, sizeof(cursor)); status != 0) {
    reason = std::string("the recording could not be copied back: ") + gpu.error_text(status);
    lose(losses, file, format::LossKind::Unreadable, deviceConfig.arena_bytes - collectedBytes);
    return true;
  }
  lose(losses, file, format::LossKind::WarpsWithoutBuffer, cursor.warps_refused - reportedRefusals);
  reportedRefusals = cursor.warps_refused;
  Scan scan{file, {}, {}};
  const format::WarpsHeader header{static_cast<std::uint32_t>(ordinal),
                                   keepLast ? format::KeepPolicy::Last : format::KeepPolicy::First};
  const auto bytes = std::as_bytes(std::span(&header, 1));
  scan.section.assign(bytes.begin(), bytes.end());
  const std::uint64_t end = std::min(cursor.used_bytes, deviceConfig.arena_bytes);
  return scanSlots(scan, end, losses) && scan.flush();
}

bool DeviceBuffer::scanSlots(Scan &scan, std::uint64_t end, std::vector<format::LossRecord> &losses) {
  const std::vector<std::byte> sectionStart = scan.section;
  std::size_t carried = 0;
  for (std::uint64_t copied = collectedBytes; copied < end;) {
    const std::uint64_t chunk = std::min(kMostChunkBytes, end - copied);
    scan.raw.resize(carried + chunk);
    if (const int status = gpu.copy_back(scan.raw.data() + carried, deviceConfig.arena + copied, chunk); status != 0) {
      reason = std::string("the recording could not be copied back: ") + gpu.error_text(status);
      lose(losses, scan.file, format::LossKind::Unreadable, end - copied);
      return true;
    }
    copied += chunk;
    std::size_t at = 0;
    while (scan.raw.size() - at >= sizeof(WarpHeader)) {
      WarpHeader header;
      std::memcpy(&header, scan.raw.data() + at, sizeof(header));
      const std::size_t bytes = header.slotBytes;
      if (bytes < sizeof(header) + std::size_t{header.capacity} * sizeof(Record) || scan.raw.size() - at < bytes)
        break;
      header.slotBytes = 0;
      header.nameAddress = nameAt(header.nameAddress, scan.file);
      appendRecords(scan.section, header, reinterpret_cast<const Record *>(scan.raw.data() + at + sizeof(header)),
                    keepLast);
      ++scan.warps;
      at += bytes;
      collectedBytes += bytes;
    }
    scan.raw.erase(scan.raw.begin(), scan.raw.begin() + static_cast<std::ptrdiff_t>(at));
    carried = scan.raw.size();
    if (!scan.flush())
      return false;
    scan.section = sectionStart;
  }
  if (carried > 0 && end < deviceConfig.arena_bytes) { // a warp that died between taking its slot and describing itself
    reason = "a warp stopped at kernel entry";
    lose(losses, scan.file, format::LossKind::Unreadable, carried);
  }
  return true;
}

std::uint32_t DeviceBuffer::nameAt(std::uint64_t address, TraceFile &file) {
  if (address == 0)
    return 0;
  const auto [entry, isNew] = names.try_emplace(address, 0);
  if (!isNew)
    return entry->second;
  constexpr std::size_t kMostBytes = 4096;
  std::string name;
  char piece[64];
  std::size_t bytes = sizeof(piece);
  while (name.size() < kMostBytes) {
    if (gpu.copy_back(piece, address + name.size(), bytes) != 0) { // beyond the end of what the device can read there
      if (bytes == 1)
        break;
      bytes /= 2;
      continue;
    }
    const std::size_t length = strnlen(piece, bytes);
    name.append(piece, length);
    if (length < bytes)
      break;
  }
  return entry->second = file.intern(name);
}

bool DeviceBuffer::describe(TraceFile &file) const {
  format::DeviceRecord record{};
  record.device = static_cast<std::uint32_t>(ordinal);
  record.name = file.intern(isInfoKnown ? deviceInfo.name : "unknown");
  record.architecture = file.intern(deviceInfo.architecture);
  record.driver = file.intern(deviceInfo.driver);
  record.multiprocessors = deviceInfo.multiprocessors;
  record.warpLanes = deviceInfo.warp_lanes;
  record.clockKhz = deviceInfo.clock_khz;
  record.timerTickNs = deviceInfo.timer_tick_ns;
  record.memoryBytes = deviceInfo.memory_bytes;
  std::memcpy(record.uuid, deviceInfo.uuid, sizeof(record.uuid));
  return file.write(format::SectionKind::Devices, std::span<const format::DeviceRecord>(&record, 1));
}

} // namespace kperf::runtime
