// Reads the fields of a record's tag, and computes which generation the tag should have.
#ifndef KPERF_DECODER_RECORDS_H
#define KPERF_DECODER_RECORDS_H

#include <kperf/format.h>

#include <algorithm>
#include <cstdint>

namespace kperf::decoder {

/// Whether regions of this kind have no length.
inline bool isInstant(format::RegionKind kind) { return kind == format::RegionKind::Mark || kind == format::RegionKind::Signal; }

/// Whether regions of this kind say what they wait for or signal.
inline bool isSync(format::RegionKind kind) { return kind == format::RegionKind::Wait || kind == format::RegionKind::Signal; }

/// Id of the region that shares records with this one, and is entered when this one is left; 0: none.
inline std::uint32_t nextOf(const format::RegionRecord &region) { return isSync(region.kind) ? 0 : region.next; }

inline format::SyncOperation operationOf(const format::RegionRecord &region) {
  if (!isSync(region.kind))
    return format::SyncOperation::None;
  return static_cast<format::SyncOperation>(region.sync & ((1u << format::kSyncObjectShift) - 1));
}

inline format::SyncObject objectOf(const format::RegionRecord &region) {
  if (!isSync(region.kind))
    return format::SyncObject::Unknown;
  return static_cast<format::SyncObject>(region.sync >> format::kSyncObjectShift);
}

inline std::uint32_t idOf(const format::Record &record) { return record.tag & format::kIdMask; }
inline format::RecordKind kindOf(const format::Record &record) {
  return static_cast<format::RecordKind>(record.tag >> format::kKindShift & format::kKindMask);
}
inline std::uint32_t generationOf(const format::Record &record) { return record.tag >> format::kGenerationShift; }

/// How many records follow a warp's header in the file.
inline std::uint64_t keptRecords(const format::WarpHeader &warp) {
  return std::min(warp.produced - std::min(warp.skipped, warp.produced), warp.capacity);
}

inline bool isFinished(const format::WarpHeader &warp) { return (warp.flags & format::kWarpFinished) != 0; }

/// Whether the warp is the runtime's own, which says what probes cost and nothing of the program.
inline bool isCalibration(const format::WarpHeader &warp) { return warp.kernel == format::kCalibrationKernel; }

/// Whether the warp's kernel has no probes: it was seen from its first region to its last, and never finished.
inline bool isForeign(const format::WarpHeader &warp) { return (warp.flags & format::kWarpForeign) != 0; }

/// Whether the record was reserved by a region that had not ended when the warp was last seen, and says when that began.
inline bool isOpen(const format::Record &record, const format::WarpHeader &warp) {
  return kindOf(record) == format::RecordKind::Empty && record.first != 0 && !isFinished(warp);
}

/// Index in the warp of the first kept record. Of an unfinished warp it is unknown, and 0 is as good as any.
inline std::uint64_t firstIndex(const format::WarpHeader &warp, format::KeepPolicy policy) {
  return policy == format::KeepPolicy::Last && isFinished(warp) ? warp.produced - keptRecords(warp) : 0;
}

/// Whether the device reserved the warp's records when their regions began, so that they stand in that order.
inline bool isReserved(const format::WarpHeader &warp) { return (warp.flags & format::kWarpReserved) != 0; }

/// What the tag of record `index` holds: the lap of the ring where records are reserved, else 0.
inline std::uint32_t expectedGeneration(const format::WarpHeader &warp, std::uint64_t index) {
  return warp.capacity == 0 || !isReserved(warp) ? 0 : static_cast<std::uint32_t>(index / warp.capacity) & 0xf;
}

inline bool isAdjacent(const format::Record &record) { return kindOf(record) == format::RecordKind::Adjacent; }

/// All lanes of a warp, as a record says which were there: the low 32 bits.
inline std::uint32_t lanesOf(const format::WarpHeader &warp, std::uint32_t warpLanes) {
  const std::uint64_t threads = std::uint64_t{warp.blockX} * warp.blockY * warp.blockZ;
  const std::uint64_t before = std::uint64_t{warp.warp} * warpLanes;
  const std::uint64_t lanes = threads - std::min(before, threads);
  return lanes >= 32 ? ~0u : (1u << lanes) - 1;
}

/// Whether `part` holds more records of the warp that `warp` is the header of.
inline bool continues(const format::WarpHeader &part, const format::WarpHeader &warp) {
  return (part.flags & format::kWarpContinued) != 0 && part.gridId == warp.gridId && part.block == warp.block && part.warp == warp.warp &&
         part.kernel == warp.kernel && part.startCycles == warp.startCycles;
}

} // namespace kperf::decoder

#endif
