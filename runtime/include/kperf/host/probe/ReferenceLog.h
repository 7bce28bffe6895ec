// Keeps references to cache lines on the host target, as far as their classes have room (kperf/format_references.h).
#ifndef KPERF_HOST_REFERENCE_LOG_H
#define KPERF_HOST_REFERENCE_LOG_H

#include <kperf/host/engine/Block.h>
#include <kperf/host/probe/DeviceConfig.h>

#include <kperf/abi/module.h>
#include <kperf/rules/LineClass.h>
#include <kperf/rules/MemoryCalls.h>

namespace kperf::host {

static_assert(SiteAt(0).iteration == format::kNoIteration);

inline void keepReference(kperf_reference_log &log, const format::ReferenceRecord &record, std::uint32_t lineClass) {
  const std::uint64_t slot = __atomic_fetch_add(&log.used[lineClass], 1, __ATOMIC_RELAXED);
  auto *records = reinterpret_cast<format::ReferenceRecord *>(&log + 1);
  if (slot < kperf_config.reference_room)
    records[lineClass * kperf_config.reference_room + slot] = record;
  else
    __atomic_fetch_or(&log.closed, 1u << lineClass, __ATOMIC_RELAXED);
}

/// The lanes access global memory together, those of the lowest lanes first: each line that they touch is one reference.
/// `addresses`: by lane.
inline void keepReferences(std::uint32_t lanes, const std::uint64_t *addresses, SiteAt site, const Block &block) {
  auto *log = reinterpret_cast<kperf_reference_log *>(kperf_config.references);
  if (!log)
    return;
  const std::uint32_t closed = __atomic_load_n(&log->closed, __ATOMIC_RELAXED);
  while (lanes) {
    const std::uint64_t line = addresses[__builtin_ctz(lanes)] / format::kLineBytes;
    std::uint32_t sectors = 0, others = 0;
    for (; lanes; lanes &= lanes - 1) {
      const std::uint64_t address = addresses[__builtin_ctz(lanes)];
      if (address / format::kLineBytes == line)
        sectors |= 1u << address / format::kSectorBytes % 4;
      else
        others |= lanes & -lanes;
    }
    lanes = others;
    const std::uint32_t lineClass = detail::classOfLine(line);
    if (!(closed >> lineClass & 1))
      keepReference(*log,
                    {detail::packedLine(line, block.sm(), lineClass), __atomic_fetch_add(&log->order, 1, __ATOMIC_RELAXED),
                     site.id() | sectors << format::kReferenceSectorShift, site.iteration, 0},
                    lineClass);
  }
}

} // namespace kperf::host

#endif
