// Allocates a device's arena and turns what its warps wrote into Warps sections.
#include "runtime/device/DeviceBuffer.h"

#include "runtime/device/KeptRecords.h"
#include "runtime/device/ReconvergedCalls.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace kperf::runtime {
namespace {

using format::Record;
using format::WarpHeader;

/// Where free memory is scarce, and where there is plenty: a warp whose records are not counted beforehand has room for 16 KiB of them, and
/// frameworks launch many kernels before anything can be read back.
constexpr std::uint64_t kSmallArenaBytes = 256ull << 20, kLargeArenaBytes = 1ull << 30;
constexpr std::uint64_t kMinSlotsOfPart = 64;           ///< so that parts fill evenly
constexpr std::uint64_t kMaxSectionBytes = 32ull << 20; ///< host memory used while copying back

bool isStream(const WarpHeader &header) { return (header.flags & KPERF_STREAM_PART) != 0; }

} // namespace

/// A Warps section in the making.
struct DeviceBuffer::Section {
  TraceFile &file;
  bool isWindow;                ///< the user chose which of its records a warp keeps
  std::vector<std::byte> start; ///< its header
  std::vector<std::byte> bytes = start;
  std::uint64_t parts = 0, warps = 0; ///< WarpHeaders; those of the program's warps that begin one

  void count(const WarpHeader &header) {
    ++parts;
    const bool isCalibration = header.kernel == format::kCalibrationKernel;
    warps += !(header.flags & format::kWarpContinued) && !isCalibration;
    const std::uint32_t made = isCalibration ? 0 : header.produced - std::min(header.skipped, header.produced);
    file.shortage().records += isWindow ? 0 : made - std::min(made, header.capacity);
    file.shortage().mostRecords = std::max(file.shortage().mostRecords, made);
    file.shortage().mostRoom = std::max(file.shortage().mostRoom, isCalibration ? 0 : header.capacity);
  }

  void append(const WarpHeader &header, std::span<const Record> records) {
    const auto head = std::as_bytes(std::span(&header, 1)), body = std::as_bytes(records);
    bytes.insert(bytes.end(), head.begin(), head.end());
    bytes.insert(bytes.end(), body.begin(), body.end());
    count(header);
  }

  bool flush() {
    const bool isWritten = parts == 0 || (file.writeStrings() && file.writeWarps(bytes, parts, warps));
    bytes = start;
    parts = warps = 0;
    return isWritten;
  }
};

bool DeviceBuffer::isHost() const { return gpu.target == static_cast<std::uint32_t>(format::Target::Host); }

bool DeviceBuffer::allocate() {
  isInfoKnown = gpu.info(ordinal, &deviceInfo) == 0;
  const std::uint64_t freeBytes = isInfoKnown ? deviceInfo.free_bytes : kSmallArenaBytes;
  const std::uint64_t small = std::min(kSmallArenaBytes, freeBytes / 8), large = isHost() ? 0 : std::min(kLargeArenaBytes, freeBytes / 32);
  std::uint64_t bytes = requestedBytes ? requestedBytes : std::max(small, large);
  bytes = bytes / sizeof(Record) * sizeof(Record);
  void *arena = nullptr, *partTable = nullptr;
  const std::uint64_t maxParts = std::uint64_t{2} * std::max(deviceInfo.multiprocessors, 1u) + 1;
  int status = gpu.allocate(&arena, bytes);
  if (status == 0 && (status = gpu.allocate(&partTable, maxParts * (sizeof(kperf_arena_part) + sizeof(seen)))) != 0)
    gpu.release(arena);
  seen = reinterpret_cast<std::uint64_t>(partTable) + maxParts * sizeof(kperf_arena_part);
  if (status != 0) {
    reason = "no " + std::to_string(bytes >> 20) + " MiB of device memory on device " + std::to_string(ordinal) + " (" +
             gpu.error_text(status) + "); set KPERF_BUFFER_MB to less";
    return false;
  }
  divide(reinterpret_cast<std::uint64_t>(arena), bytes, reinterpret_cast<std::uint64_t>(partTable));
  return true;
}

/// One part per multiprocessor where that leaves each of them room for several slots; none crosses a multiple of 4 GiB, since
/// probes add the offset of a record in 32 bits.
void DeviceBuffer::divide(std::uint64_t arena, std::uint64_t bytes, std::uint64_t partTable) {
  const std::uint32_t ringBytes = recordsPerWarp * sizeof(Record);
  const std::uint64_t slotBytes = 3 * (sizeof(WarpHeader) + sizeof(Record) + ringBytes) + sizeof(WarpHeader) +
                                  2 * format::kMaxSums * sizeof(Record); // of a kernel with every part
  const std::uint64_t multiprocessors = isHost() ? 1 : std::max(deviceInfo.multiprocessors, 1u);
  std::uint64_t count = std::clamp<std::uint64_t>(bytes / (kMinSlotsOfPart * slotBytes), 1, multiprocessors);
  std::uint64_t partBytes = bytes / count / sizeof(Record) * sizeof(Record);
  const std::uint64_t end = arena + bytes, boundary = (end - 1) >> 32 << 32; // of 4 GiB
  if (!isHost() && boundary > arena && count == 1) {                         // the larger side of it
    const bool isBefore = boundary - arena >= end - boundary;
    partBytes = std::min(isBefore ? boundary - arena : end - boundary, std::uint64_t{1} << 32);
    arena = isBefore ? boundary - partBytes : boundary;
  } else if (!isHost() && boundary > arena) { // parts that begin at multiples of their size
    partBytes = std::min(std::bit_floor(partBytes), std::uint64_t{1} << 32);
    arena = (arena + partBytes - 1) / partBytes * partBytes;
    count = std::min((end - arena) / partBytes, 2 * multiprocessors + 1);
  }
  deviceConfig = {arena,
                  partTable,
                  partBytes,
                  static_cast<std::uint32_t>(count),
                  recordsPerWarp,
                  keepLast,
                  ringBytes,
                  static_cast<std::uint32_t>(std::countr_zero(ringBytes)),
                  keepLast ? recordsPerWarp - 1 : ~0u};
  deviceConfig.stream_units = keepLast ? 0x7ffffff0 : recordsPerWarp; // below cuda/record/FunctionStream.h's kNoWriter, and whole frames
  // A ring's oldest records may not be overwritten late, and skipped ones are counted one by one. 31 lanes may leave a chunk each.
  deviceConfig.chunk_mask = keepLast || skip > 0 ? 0 : std::clamp(recordsPerWarp / 128, 1u, 8u) - 1;
  deviceConfig.sample = sample;
  deviceConfig.sample_log2 = static_cast<std::uint32_t>(std::bit_width(std::max(1u, sample) - 1));
  deviceConfig.access_limit = detail::accessLimit(accessesLog2);
  deviceConfig.access_log2 = accessesLog2;
  for (std::uint32_t level = 0; level < detail::kAccessRates; ++level)
    deviceConfig.access_gaps[level] = detail::accessGap(detail::accessLevelLog2(level, accessesLog2));
  deviceConfig.max_warps_log2 = maxWarpsLog2;
  deviceConfig.skip = skip;
  deviceConfig.timer_tick_ns = deviceInfo.timer_tick_ns;
  parts.clear();
  for (std::uint64_t part = 0; part < count; ++part)
    parts.emplace_back(gpu, arena + part * partBytes, partBytes, slotBytes);
}

bool DeviceBuffer::provideStreams() {
  // Numbers of multiprocessors may have gaps; where two of them share rows, each call takes a further part.
  const std::uint64_t rows =
      std::bit_ceil(std::uint64_t{2} * std::max(deviceInfo.multiprocessors, 1u)) * KPERF_RESIDENT_WARPS * KPERF_STREAM_ROWS;
  if (!deviceConfig.arena || deviceConfig.streams || !frames.areThereStreams())
    return true;
  void *memory = nullptr;
  if (const int status = gpu.allocate(&memory, rows * sizeof(kperf_stream)); status != 0)
    return reason = gpu.error_text(status), false;
  deviceConfig.streams = reinterpret_cast<std::uint64_t>(memory);
  deviceConfig.stream_mask = static_cast<std::uint32_t>(rows - 1);
  return true;
}

bool DeviceBuffer::provideSwitches(std::span<const std::uint32_t> words) {
  switches.assign(words.begin(), words.end());
  if (!deviceConfig.arena)
    return true;
  void *memory = reinterpret_cast<void *>(deviceConfig.switched_off);
  int status = memory ? 0 : gpu.allocate(&memory, words.size_bytes());
  if (status == 0)
    status = gpu.copy_to(reinterpret_cast<std::uint64_t>(memory), words.data(), words.size_bytes());
  if (status != 0)
    return reason = gpu.error_text(status), false;
  deviceConfig.switched_off = reinterpret_cast<std::uint64_t>(memory);
  return true;
}

void DeviceBuffer::addLoss(std::vector<format::LossRecord> &losses, TraceFile &file, format::LossKind kind, std::uint64_t count,
                           const std::string &why) {
  if (count > 0)
    losses.push_back({kind, static_cast<std::uint32_t>(ordinal), count, file.intern(why)});
}

bool DeviceBuffer::copySoFar(TraceFile &file, std::vector<format::LossRecord> &losses) {
  const std::vector<ArenaPart> partsNow = parts;
  const GraphReplays replaysNow = replays;
  const std::uint64_t unrecordedNow = unrecordedLaunches;
  const bool isWritten = write(file, losses, false);
  parts = partsNow;
  replays = replaysNow;
  unrecordedLaunches = unrecordedNow;
  return isWritten;
}

int DeviceBuffer::readCounters(std::vector<kperf_arena_part> &counters) const {
  counters.resize(parts.size());
  return parts.empty() ? 0 : gpu.copy_back(counters.data(), deviceConfig.parts, counters.size() * sizeof(kperf_arena_part));
}

void DeviceBuffer::beforeWait() {
  if (!gpu.reclaim || readCounters(countersBeforeWait) != 0)
    countersBeforeWait.clear();
}

/// Empties the parts to which no warp has come since before the wait: all that came to them before have ended, whether they say so or not.
void DeviceBuffer::makeRoom(std::span<const kperf_arena_part> counters) {
  const std::vector<kperf_arena_part> before = std::exchange(countersBeforeWait, {});
  if (before.size() != counters.size())
    return;
  std::vector<std::uint64_t> rows(counters.size());
  for (std::size_t part = 0; part < rows.size(); ++part)
    if (parts[part].error() == 0 && before[part].used_bytes == counters[part].used_bytes)
      rows[part] = counters[part].used_bytes;
  const std::size_t bytes = rows.size() * sizeof(rows.front());
  if (std::ranges::all_of(rows, [](std::uint64_t used) { return used == 0; }) || gpu.copy_to(seen, rows.data(), bytes) != 0 ||
      gpu.reclaim(deviceConfig.arena, deviceConfig.part_bytes, deviceConfig.parts, seen, static_cast<std::uint32_t>(rows.size())) != 0 ||
      gpu.copy_back(rows.data(), seen, bytes) != 0)
    return;
  for (std::size_t part = 0; part < rows.size(); ++part)
    if (rows[part] == ~std::uint64_t{0})
      parts[part].restart();
}

std::uint64_t DeviceBuffer::runningWarps() {
  std::vector<kperf_arena_part> counters;
  if (readCounters(counters) != 0)
    return 0;
  std::uint64_t running = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    ArenaPart ahead = parts[part];
    ahead.begin(counters[part].used_bytes);
    for (const WarpHeader *header; (header = ahead.front()); ahead.pop()) {
      const bool isForeign = (header->flags & format::kWarpForeign) != 0; // it never finishes
      hasForeignWarps |= isForeign;
      running += !isForeign && !isStream(*header) && !(header->flags & (format::kWarpFinished | format::kWarpContinued));
    }
  }
  return running;
}

/// As if the warps that were refused took as much as those that were not.
void DeviceBuffer::noteBytesNeeded(Shortage &shortage, std::uint64_t kept, std::uint64_t refused) const {
  const double bytes = static_cast<double>(deviceConfig.part_bytes) * static_cast<double>(parts.size());
  if (kept > 0 && refused > 0)
    shortage.bufferBytes =
        std::max(shortage.bufferBytes, static_cast<std::uint64_t>(bytes * static_cast<double>(kept + refused) / static_cast<double>(kept)));
}

bool DeviceBuffer::write(TraceFile &file, std::vector<format::LossRecord> &losses, bool isToStay) {
  const auto unreadableBecause = [&](int code) { return std::string("the recording could not be copied back: ") + gpu.error_text(code); };
  addLoss(losses, file, format::LossKind::LaunchesUnrecorded, std::exchange(unrecordedLaunches, 0), reason);
  if (!deviceConfig.arena)
    return true;
  std::vector<kperf_arena_part> counters;
  int status = readCounters(counters);
  if (status != 0) {
    addLoss(losses, file, format::LossKind::Unreadable, deviceConfig.part_bytes * parts.size(), unreadableBecause(status));
    return true;
  }
  std::uint64_t refusals = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    parts[part].begin(counters[part].used_bytes);
    refusals += parts[part].newRefusals(counters[part].warps_refused);
  }
  addLoss(losses, file, format::LossKind::WarpsWithoutBuffer, refusals, {});
  file.shortage().warps += refusals;
  const format::WarpsHeader header{static_cast<std::uint32_t>(ordinal), keepLast ? format::KeepPolicy::Last : format::KeepPolicy::First};
  const auto start = std::as_bytes(std::span(&header, 1));
  Section section{file, keepLast || skip > 0, {start.begin(), start.end()}};
  std::uint64_t lostSites = 0, lostReferences = 0;
  if (hasReplays)
    divideReplays();
  findStreams();
  const std::uint64_t writtenBefore = file.warpsWritten();
  const bool isWritten = copySlots(section, losses) && section.flush() && sites.collect(file, lostSites, isToStay) &&
                         references.collect(file, sample, lostReferences, isToStay);
  noteBytesNeeded(file.shortage(), file.warpsWritten() - writtenBefore, refusals);
  std::uint64_t unreadable = 0;
  for (ArenaPart &part : parts) {
    status = status != 0 ? status : part.error();
    unreadable += part.end();
  }
  addLoss(losses, file, format::LossKind::Unreadable, unreadable,
          status != 0 ? unreadableBecause(status) : "a warp stopped at kernel entry");
  addLoss(losses, file, format::LossKind::SitesUnreadable, lostSites, "the counters could not be copied back");
  addLoss(losses, file, format::LossKind::ReferencesUnreadable, lostReferences, "the uses of cache lines could not be copied back");
  if (isToStay && isWritten) {
    if (deviceConfig.streams) // what lay in these parts is written, and they may be others' soon
      gpu.clear(deviceConfig.streams, (deviceConfig.stream_mask + std::uint64_t{1}) * sizeof(kperf_stream));
    makeRoom(counters);
  }
  return isWritten;
}

/// Reads everything once more, ahead of what is written: nobody knows of a launch how often it was replayed.
void DeviceBuffer::divideReplays() {
  replays.forget();
  for (const ArenaPart &part : parts)
    for (ArenaPart ahead = part; const WarpHeader *header = ahead.front(); ahead.pop())
      if (!isStream(*header))
        replays.note(*header);
  replays.divide();
}

/// The same for what functions recorded: it belongs to warps whose slots may lie elsewhere.
void DeviceBuffer::findStreams() {
  streams = {};
  if (!deviceConfig.streams)
    return;
  for (const ArenaPart &part : parts)
    for (ArenaPart ahead = part; const WarpHeader *header = ahead.front(); ahead.pop())
      streams.add(*header, replays.idOf(*header), ahead.slotAddress());
}

/// Writes what a warp's functions recorded behind its other parts; `warp` is the header of the first one in the file, with the warp's end.
bool DeviceBuffer::copyStreams(Section &section, const WarpHeader &warp, std::vector<format::LossRecord> &losses) {
  std::vector<Record> pieces;
  std::vector<StreamRecords> ofWarp;
  for (const StreamIndex::Entry &entry : streams.take(warp)) {
    pieces.resize(entry.header.capacity);
    if (gpu.copy_back(pieces.data(), entry.address + sizeof(WarpHeader), pieces.size() * sizeof(Record)) == 0)
      ofWarp.push_back(recordsOf(entry.header, pieces, frames, keepLast, switches));
  }
  mergeReconverged(ofWarp);
  addLoss(losses, section.file, format::LossKind::OtherLanes, otherLanesOf(ofWarp), {});
  for (const StreamRecords &stream : ofWarp) {
    addLoss(losses, section.file, format::LossKind::Unreadable, stream.unknown * sizeof(Record), "frames of regions that no module has");
    WarpHeader header = warp;
    const bool isWindow = (warp.flags & format::kWarpWindow) && (warp.flags & format::kWarpFinished);
    const std::size_t skipped = isWindow ? std::min<std::size_t>(skip, stream.records.size()) : 0;
    header.flags = static_cast<std::uint16_t>((warp.flags & ~std::uint32_t{format::kWarpReserved}) | format::kWarpContinued);
    header.skipped = static_cast<std::uint32_t>(skipped);
    header.capacity = static_cast<std::uint32_t>(stream.records.size() - skipped);
    header.produced = header.flags & format::kWarpFinished ? static_cast<std::uint32_t>(stream.produced) : header.capacity;
    section.append(header, std::span(stream.records).subspan(skipped));
    if (section.bytes.size() > kMaxSectionBytes && !section.flush())
      return false;
  }
  return true;
}

/// What functions recorded in warps of a kernel without probes.
bool DeviceBuffer::copyForeignStreams(Section &section, const WarpHeader &part, std::vector<format::LossRecord> &losses) {
  WarpHeader warp = part;
  warp.gridId = replays.idOf(part);
  if (!streams.isForeign(warp))
    return true;
  hasForeignWarps = true;
  warp.nameAddress = warp.endNs = warp.endCycles = 0;
  warp.capacity = warp.produced = warp.skipped = 0;
  warp.flags = format::kWarpForeign;
  warp.sampled = sampledOf(warp);
  section.append(warp, {});
  return copyStreams(section, warp, losses);
}

/// Launch after launch: in the order of gridIds as far as each part has them in order.
bool DeviceBuffer::copySlots(Section &section, std::vector<format::LossRecord> &losses) {
  for (;;) {
    ArenaPart *next = nullptr;
    std::uint64_t least = 0;
    for (ArenaPart &part : parts)
      if (const WarpHeader *header = part.front(); header && (!next || header->gridId < least)) {
        next = &part;
        least = header->gridId;
      }
    if (!next)
      return true;
    std::optional<WarpHeader> whole; // of the warp at hand, until its last lanes left: each part ends with those that come to it
    const auto copyStreamsOfWhole = [&] {
      const std::optional<WarpHeader> last = std::exchange(whole, std::nullopt);
      return !last || copyStreams(section, *last, losses);
    };
    for (const WarpHeader *header; (header = next->front()) && header->gridId == least; next->pop()) {
      WarpHeader warp = *header;
      if (isStream(warp)) {
        if (!copyStreamsOfWhole() || !copyForeignStreams(section, warp, losses))
          return false;
        continue;
      }
      if (!(warp.flags & format::kWarpContinued) && !copyStreamsOfWhole())
        return false;
      warp.nameAddress = nameOf(warp, section.file);
      warp.gridId = replays.idOf(*header);
      warp.skipped = 0;
      if ((warp.flags & format::kWarpFinished) && (warp.flags & format::kWarpWindow) && warp.kernel != format::kCalibrationKernel) {
        warp.produced += skip;
        warp.skipped = std::min(skip, warp.produced);
      }
      warp.sampled = sampledOf(warp);
      hasForeignWarps |= (warp.flags & format::kWarpForeign) != 0;
      appendRecords(section.bytes, warp, next->records().data(), keepLast, deviceConfig.chunk_mask + 1);
      section.count(warp);
      if (section.bytes.size() > kMaxSectionBytes && !section.flush())
        return false;
      if (!(warp.flags & format::kWarpContinued))
        whole = warp;
      else if (whole && (warp.flags & format::kWarpFinished)) {
        whole->endCycles = std::max(whole->endCycles, warp.endCycles);
        whole->endNs = std::max(whole->endNs, warp.endNs);
      }
    }
    if (!copyStreamsOfWhole())
      return false;
  }
}

/// One in how many of its launch's blocks was recorded, by the rule that its probes used; 0: all.
std::uint32_t DeviceBuffer::sampledOf(const WarpHeader &warp) const {
  const std::uint32_t lanes = std::max(deviceInfo.warp_lanes, 1u);
  const std::uint64_t warps = (std::uint64_t{warp.blockX} * warp.blockY * warp.blockZ + lanes - 1) / lanes;
  const std::uint64_t launched = std::max<std::uint64_t>(1, std::uint64_t{warp.gridX} * warp.gridY * warp.gridZ * warps);
  const std::uint32_t oneIn = sample == 1 ? detail::widthInterval(static_cast<std::uint32_t>(launched), maxWarpsLog2) : sample;
  return oneIn > 1 ? oneIn : 0;
}

std::uint32_t DeviceBuffer::nameOf(const WarpHeader &warp, TraceFile &file) {
  constexpr std::uint32_t kMaxBytes = 64 << 10;
  if (warp.nameAddress == 0)
    return 0;
  const auto [entry, isNew] = names.try_emplace(warp.nameAddress, 0);
  if (!isNew)
    return entry->second;
  std::string name(std::min(warp.nameBytes, kMaxBytes), '\0');
  if (gpu.copy_back(name.data(), warp.nameAddress, name.size()) != 0)
    return 0;
  name.resize(std::strlen(name.c_str()));
  return entry->second = file.intern(name + numberOf(warp, name));
}

/// " #2" of the second instance that has the name: compilers print types without a name, and local ones, alike.
std::string DeviceBuffer::numberOf(const WarpHeader &warp, const std::string &name) {
  constexpr std::string_view kMarks[] = {"lambda", "unnamed", "anonymous", ")::"};
  if (std::ranges::none_of(kMarks, [&](std::string_view mark) { return name.find(mark) != std::string::npos; }))
    return "";
  std::vector<std::uint64_t> &known = namesakes[{warp.kernel, name}];
  auto own = std::ranges::find(known, warp.nameAddress);
  if (own == known.end())
    own = known.insert(own, warp.nameAddress);
  const auto number = own - known.begin() + 1;
  return number == 1 ? "" : " #" + std::to_string(number);
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
  const format::DeviceLimitsRecord limits{record.device, deviceInfo.resident_warps, deviceInfo.memory_bytes_per_second,
                                          deviceInfo.l2_bytes};
  return file.write(format::SectionKind::Devices, std::span<const format::DeviceRecord>(&record, 1)) &&
         (limits.memoryBytesPerSecond == 0 ||
          file.write(format::SectionKind::DeviceLimits, std::span<const format::DeviceLimitsRecord>(&limits, 1)));
}

} // namespace kperf::runtime
