// Makes traces of imagined kernels from a seed.
#include "TraceGenerator.h"
#include "decoder/trace/SectionStream.h"

#include <algorithm>
#include <cstring>

namespace kperf::test {
namespace {

using format::RecordKind;
using format::RegionKind;

constexpr std::uint32_t kKernel = 0x100, kScope = 0x200, kRange = 0x300, kMark = 0x400, kWait = 0x500, kSignal = 0x600;
constexpr unsigned kScopes = 5, kRanges = 2, kSms = 4;
using Sync = std::pair<format::SyncOperation, format::SyncObject>;
constexpr Sync kWaits[] = {
    {format::SyncOperation::Barrier, format::SyncObject::BlockBarrier}, {format::SyncOperation::Await, format::SyncObject::SharedBarrier},
    {format::SyncOperation::Await, format::SyncObject::CopyGroup},      {format::SyncOperation::CommitAwait, format::SyncObject::CopyGroup},
    {format::SyncOperation::Barrier, format::SyncObject::GridBarrier},  {format::SyncOperation::Await, format::SyncObject::Unknown}};
constexpr Sync kSignals[] = {{format::SyncOperation::Arrive, format::SyncObject::BlockBarrier},
                             {format::SyncOperation::Arrive, format::SyncObject::SharedBarrier},
                             {format::SyncOperation::Issue, format::SyncObject::SharedBarrier},
                             {format::SyncOperation::ArriveIssue, format::SyncObject::SharedBarrier},
                             {format::SyncOperation::Issue, format::SyncObject::CopyGroup},
                             {format::SyncOperation::Commit, format::SyncObject::CopyGroup}};
constexpr std::uint64_t kEpochNs = 1'763'000'000'000'000'000;

} // namespace

std::uint64_t TraceGenerator::nsAt(std::uint64_t cycles, unsigned) const {
  const auto ns = kEpochNs + static_cast<std::uint64_t>(static_cast<double>(cycles) / shape.cyclesPerNs);
  return ns / shape.tickNs * shape.tickNs;
}

format::Record TraceGenerator::record(RecordKind kind, std::uint32_t id, std::uint64_t first, std::uint64_t second) const {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second), 0xffffffff,
          id | static_cast<std::uint32_t>(kind) << format::kKindShift};
}

void TraceGenerator::tables() {
  format::ProgramRecord program{};
  program.executable = writer.intern("./imagined");
  program.processId = draw(99999);
  writer.add(program);
  format::DeviceRecord device{};
  device.name = writer.intern("Imagined GPU");
  device.multiprocessors = kSms;
  device.warpLanes = 32;
  device.clockKhz = 1'500'000; // not the real rate: nothing may depend on it
  device.timerTickNs = shape.tickNs;
  writer.add(device);
  const auto region = [&](std::uint32_t id, RegionKind kind, const std::string &name, Sync sync = {}, std::uint32_t next = 0) {
    format::RegionRecord row{};
    row.sync = next ? next : static_cast<std::uint32_t>(sync.first) | static_cast<std::uint32_t>(sync.second) << format::kSyncObjectShift;
    row.id = id;
    row.kind = kind;
    row.name = writer.intern(name);
    row.function = writer.intern("imagined");
    row.file = writer.intern("imagined.cu");
    row.line = row.endLine = id;
    writer.add(row);
  };
  region(kKernel, RegionKind::Kernel, "imagined");
  for (unsigned i = 0; i < kScopes; ++i) // each may share records with the one behind it
    region(kScope + i, i % 2 ? RegionKind::Pragma : RegionKind::Scope, "scope \"" + std::to_string(i) + "\"", {},
           i + 1 < kScopes ? kScope + i + 1 : 0);
  for (unsigned i = 0; i < kRanges; ++i)
    region(kRange + i, RegionKind::Range, "range " + std::to_string(i));
  region(kMark, RegionKind::Mark, "mark");
  for (std::uint32_t i = 0; shape.hasWaits && i < std::size(kWaits); ++i) {
    region(kWait + i, RegionKind::Wait, "wait " + std::to_string(i), kWaits[i]);
    region(kSignal + i, RegionKind::Signal, "signal " + std::to_string(i), kSignals[i]);
  }
  if (shape.hasCalibration)
    for (std::uint32_t id = format::kCalibrationKernel; id <= format::kCalibrationSharedEnclosing; ++id)
      region(id, RegionKind::Calibration, "calibration " + std::to_string(id));
}

/// Empty regions of 12 or 13 cycles each, and 20 from one to the next; the shared kind 15 cycles longer.
void TraceGenerator::calibration() {
  if (!shape.hasCalibration)
    return;
  format::WarpHeader header{};
  header.kernel = format::kCalibrationKernel;
  header.gridX = header.gridY = header.gridZ = header.blockY = header.blockZ = 1;
  header.blockX = 32;
  header.startCycles = clockNow;
  header.startNs = nsAt(clockNow, 0);
  Part parts[2];
  parts[1].isReserved = true;
  std::uint64_t now = clockNow + 10;
  for (const bool isShared : {false, true}) {
    std::vector<format::Record> &records = parts[isShared].records;
    const std::uint32_t empty = isShared ? format::kCalibrationSharedEmpty : format::kCalibrationOwnEmpty;
    for (std::uint32_t pass = 0; pass < format::kCalibrationPasses; ++pass) {
      const std::uint64_t begin = now;
      const std::size_t first = records.size();
      for (std::uint32_t i = 0; i < format::kCalibrationRegions; ++i, now += isShared ? 35 : 20)
        records.push_back(record(RecordKind::Span, empty, now, now + 12 + i % 2 + (isShared ? 15 : 0)));
      records.insert(isShared ? records.begin() + static_cast<std::ptrdiff_t>(first) : records.end(),
                     record(RecordKind::Span, empty + 1, begin, now));
    }
  }
  clockNow = now + 10;
  header.endCycles = clockNow;
  header.endNs = nsAt(clockNow, 0);
  const TraceShape kept = shape;
  const TraceTruth before = sums;
  shape.capacity = 128;
  writer.warps({0, format::KeepPolicy::First});
  shape.keepsLast = false;
  write(header, parts[0], false, true);
  write(header, parts[1], true, true);
  shape = kept;
  sums = before;
}

void TraceGenerator::scope(Part &part, std::uint64_t &now, Part &own, Part &shared, unsigned depth) {
  const std::uint32_t id = kScope + static_cast<std::uint32_t>(draw(kScopes - 1));
  const std::size_t slot = part.records.size();
  if (part.isReserved)
    part.records.emplace_back();
  const std::uint64_t begin = now;
  now += 20 + draw(2 * shape.meanRegionCycles);
  if (depth < 3 && chance(0.3))
    body(own, shared, now, depth + 1);
  format::Record row = record(RecordKind::Span, id, begin, now);
  if (part.isReserved) {
    part.records[slot] = row;
  } else {
    if (id + 1 < kScope + kScopes && chance(0.3)) { // which ends with the one behind it
      now += 20 + draw(2 * shape.meanRegionCycles);
      row.tag = record(RecordKind::Adjacent, id, 0, 0).tag;
      row.lanes = static_cast<std::uint32_t>(now);
      ++sums.spans;
    }
    part.records.push_back(row);
  }
  ++sums.spans;
  sums.spanCycles += now - begin;
}

/// Two instances in flight at once: they end in the order in which they began.
void TraceGenerator::range(Part &part, std::uint64_t &now) {
  const std::uint32_t id = kRange + static_cast<std::uint32_t>(draw(kRanges - 1));
  const std::uint64_t begins[2] = {now, now + 50 + draw(shape.meanRegionCycles)};
  const std::uint64_t ends[2] = {begins[1] + 30 + draw(shape.meanRegionCycles), begins[1] + 2000 + draw(shape.meanRegionCycles)};
  const bool isPaired = chance(0.5);
  part.records.push_back(record(RecordKind::Begin, id, begins[0], 0));
  if (isPaired)
    part.records.push_back(record(RecordKind::Begin, id, begins[1], 0));
  part.records.push_back(record(RecordKind::End, id, ends[0], 0));
  if (isPaired)
    part.records.push_back(record(RecordKind::End, id, ends[1], 0));
  sums.spans += isPaired ? 2 : 1;
  sums.spanCycles += ends[0] - begins[0] + (isPaired ? ends[1] - begins[1] : 0);
  now = isPaired ? ends[1] : ends[0];
}

void TraceGenerator::waitOrSignal(Part &part, std::uint64_t &now) {
  const auto kind = static_cast<std::uint32_t>(draw(std::size(kWaits) - 1));
  const std::uint64_t object = draw(1);
  if (chance(0.5)) {
    part.records.push_back(record(RecordKind::Mark, kSignal + kind, now, object));
    return;
  }
  const std::uint64_t begin = now;
  now += draw(shape.meanRegionCycles);
  part.records.push_back(record(RecordKind::Span, kWait + kind, begin, now));
  part.records.back().lanes = static_cast<std::uint32_t>(object);
  ++sums.spans;
  sums.spanCycles += now - begin;
}

void TraceGenerator::body(Part &own, Part &shared, std::uint64_t &now, unsigned depth) {
  const unsigned count = depth == 0 ? 1 + static_cast<unsigned>(draw(2 * shape.recordsPerWarp)) : 1 + static_cast<unsigned>(draw(3));
  const std::size_t before = own.records.size() + shared.records.size();
  while (own.records.size() + shared.records.size() - before < count) {
    now += 10 + draw(100);
    Part &part = shape.hasParts && chance(0.3) ? shared : own;
    if (shape.hasRanges && chance(0.1)) {
      range(own, now); // one region's begins and ends stand in one part
    } else if (shape.hasMarks && chance(0.1)) {
      part.records.push_back(record(RecordKind::Mark, kMark, now, draw(1000)));
    } else if (shape.hasWaits && chance(0.4)) {
      waitOrSignal(part, now);
    } else {
      scope(part, now, own, shared, depth);
    }
  }
  now += 10 + draw(100);
}

void TraceGenerator::write(const format::WarpHeader &base, Part &part, bool isContinued, bool isFinished) {
  format::WarpHeader header = base;
  header.produced = static_cast<std::uint32_t>(part.records.size());
  header.capacity = shape.capacity;
  header.flags =
      (isFinished ? format::kWarpFinished : 0) | (part.isReserved ? format::kWarpReserved : 0) | (isContinued ? format::kWarpContinued : 0);
  if (part.isReserved)
    for (std::size_t i = 0; i < part.records.size(); ++i)
      part.records[i].tag |= static_cast<std::uint32_t>(i / shape.capacity & 0xf) << format::kGenerationShift;
  const std::size_t kept = std::min<std::size_t>(part.records.size(), shape.capacity);
  if (!isFinished)
    header.produced = static_cast<std::uint32_t>(kept);
  const std::size_t first = shape.keepsLast ? part.records.size() - kept : 0;
  writer.warp(header, std::span(part.records).subspan(first, kept));
  ++partsMade;
  sums.produced += header.produced;
  sums.kept += kept;
}

void TraceGenerator::warp(std::uint64_t gridId, unsigned block, unsigned index) {
  format::WarpHeader header{};
  header.gridId = gridId;
  header.block = block;
  header.warp = static_cast<std::uint16_t>(index);
  header.sm = static_cast<std::uint16_t>(block % kSms);
  header.kernel = kKernel;
  header.gridX = shape.blocks;
  header.gridY = header.gridZ = header.blockY = header.blockZ = 1;
  header.blockX = static_cast<std::uint16_t>(32 * shape.warpsPerBlock);
  const std::uint64_t offset = (header.sm + 1) * 0x1'2345'6789; // each SM counts from a start of its own
  const std::uint64_t begin = clockNow + draw(500);
  std::uint64_t now = begin + offset;
  Part own, shared;
  shared.isReserved = true;
  body(own, shared, now, 0);
  header.startCycles = begin + offset;
  header.endCycles = now;
  header.startNs = nsAt(begin, header.sm);
  header.endNs = nsAt(now - offset, header.sm);
  const bool isFinished = !shape.hasUnfinished || chance(0.9);
  if (!isFinished)
    header.endCycles = header.endNs = 0;
  else
    sums.warpCycles += now - begin - offset;
  ++sums.warps;
  write(header, own, false, isFinished);
  if (!shared.records.empty())
    write(header, shared, true, isFinished);
}

void TraceGenerator::start() {
  sums = {};
  launchesMade = sectionsMade = partsMade = 0;
  format::FileHeader header = decoder::currentHeader();
  header.createdUnixNs = kEpochNs;
  header.buildId = random();
  writer = decoder::Writer(header);
  tables();
  clockNow = 1'000'000 + draw(0xffff'ffff);
}

void TraceGenerator::launchRows() {
  for (unsigned launch = 0; launch < shape.launches; ++launch) {
    format::LaunchRecord row{};
    row.hostNs = kEpochNs + launch;
    row.kernel = writer.intern("imagined(float*)");
    row.grid[0] = shape.blocks;
    row.block[0] = 32 * shape.warpsPerBlock;
    row.grid[1] = row.grid[2] = row.block[1] = row.block[2] = 1;
    writer.add(row);
  }
}

void TraceGenerator::warpsOfLaunch() {
  ++launchesMade;
  for (unsigned block = 0; block < shape.blocks; ++block)
    for (unsigned index = 0; index < shape.warpsPerBlock; ++index)
      warp(launchesMade, block, index);
  clockNow += 1'000'000 + draw(10'000'000);
}

std::vector<std::byte> TraceGenerator::make(bool isComplete) {
  start();
  launchRows();
  calibration();
  writer.warps({0, shape.keepsLast ? format::KeepPolicy::Last : format::KeepPolicy::First});
  for (unsigned launch = 0; launch < shape.launches; ++launch)
    warpsOfLaunch();
  return writer.finish(isComplete);
}

std::vector<std::byte> TraceGenerator::head() {
  start();
  launchRows();
  calibration();
  std::vector<std::byte> bytes = writer.finish(false);
  for (std::size_t at = sizeof(format::FileHeader); at < bytes.size(); ++sectionsMade) {
    format::SectionHeader section;
    std::memcpy(&section, bytes.data() + at, sizeof(section));
    at += sizeof(section) + (section.bytes + 7) / 8 * 8;
  }
  return bytes;
}

std::vector<std::byte> TraceGenerator::launch() {
  writer = decoder::Writer();
  writer.warps({0, shape.keepsLast ? format::KeepPolicy::Last : format::KeepPolicy::First});
  warpsOfLaunch();
  ++sectionsMade;
  std::vector<std::byte> bytes = writer.finish(false);
  bytes.erase(bytes.begin(), bytes.begin() + sizeof(format::FileHeader));
  return bytes;
}

std::vector<std::byte> TraceGenerator::end() const {
  const format::EndRecord record{sectionsMade, partsMade};
  const auto payload = std::as_bytes(std::span(&record, 1));
  const format::SectionHeader header{format::SectionKind::End, 0, sizeof(record), decoder::checksumOf(payload)};
  std::vector<std::byte> bytes(sizeof(header) + sizeof(record));
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), &record, sizeof(record));
  return bytes;
}

} // namespace kperf::test
