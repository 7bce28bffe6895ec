// Counts whose probes ran: those of the blocks that were recorded, and of the others where these have probes too.
#ifndef KPERF_DECODER_PROBED_ENTRIES_H
#define KPERF_DECODER_PROBED_ENTRIES_H

#include <kperf/format_summary.h>

#include <cstdint>

namespace kperf::decoder {

/// Entries of a region, or warps of a kernel, in all blocks and launches for which the recorded ones stand.
struct ProbedEntries {
  double all = 0;
  double now = 0;  ///< of them, in blocks that ran with probes
  double next = 0; ///< the same of the next run, where nobody says how many blocks it is to record

  ProbedEntries &operator+=(const ProbedEntries &other) {
    all += other.all;
    now += other.now;
    next += other.next;
    return *this;
  }
  ProbedEntries times(double count) const { return {count * all, count * now, count * next}; }
  /// 1 of nothing.
  double shareNow() const { return all > 0 ? now / all : 1; }
  double shareNext() const { return all > 0 ? next / all : 1; }
};

/// What one warp, or one of its entries, counts as. `warpsOfBlock`: of its launch; `launches`: that its launch stands for; `isHost`: of the
/// host target, where what is not recorded has no probes.
ProbedEntries probedBy(const format::WarpHeader &warp, std::uint64_t warpsOfBlock, double launches, bool isHost);

/// What `entries` of a reduced trace's kernel count as, of which `recorded` were. Whether blocks were sampled for the width of its launches
/// is told by the first one's grid.
ProbedEntries probedBy(const format::SummaryRecord &kernel, double entries, double recorded, std::uint32_t warpLanes, bool isHost);

} // namespace kperf::decoder

#endif
