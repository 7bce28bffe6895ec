// Maps the words of function streams' frames to the regions whose clocks they hold.
#ifndef KPERF_RUNTIME_FRAME_TABLE_H
#define KPERF_RUNTIME_FRAME_TABLE_H

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace kperf::runtime {

/// One region's place in its frame.
struct FrameRegion {
  format::RegionKind kind;
  unsigned begin, end; ///< words of the first and the last clock
  unsigned object;     ///< word of what a wait or a signal is for; 0: none
  std::uint32_t next;  ///< id of the region behind it, 0 when it is the last
};

class FrameTable {
public:
  /// Takes a row of the region table; nothing of one that no frame holds.
  void add(const kperf_region &region) {
    hasStreams |= (region.frame & KPERF_IN_STREAM) != 0;
    if (region.frame != 0 && static_cast<format::RegionKind>(region.kind) == format::RegionKind::Wait)
      waits.insert(region.id);
    if (region.frame & KPERF_IN_FRAME)
      rows.insert_or_assign(region.id, FrameRegion{static_cast<format::RegionKind>(region.kind), region.frame & 0xff,
                                                   region.frame >> 8 & 0xff, region.frame >> 16 & 0xff, region.frame_next});
  }
  /// Null when no frame holds the region.
  const FrameRegion *find(std::uint32_t id) const {
    const auto row = rows.find(id);
    return row == rows.end() ? nullptr : &row->second;
  }
  /// Whether a stream's records of the region say what was waited for in place of the lanes.
  bool isWait(std::uint32_t id) const { return waits.contains(id); }
  /// Whether any function records into a stream.
  bool areThereStreams() const { return hasStreams; }

private:
  std::unordered_map<std::uint32_t, FrameRegion> rows; ///< by id
  std::unordered_set<std::uint32_t> waits;
  bool hasStreams = false;
};

} // namespace kperf::runtime

#endif
