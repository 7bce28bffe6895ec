// Says in tables of memory accesses where the truth lies, of numbers that are estimates from a sample.
#ifndef KPERF_DECODER_SAMPLED_BOUNDS_H
#define KPERF_DECODER_SAMPLED_BOUNDS_H

#include "decoder/memory/MemoryTotals.h"
#include "decoder/table/Table.h"

namespace kperf::decoder {

/// What a row adds up, and how far that may be off.
struct SampledSum {
  AccessSum sum;
  SampledCounters sampled;

  void add(const AccessSum &counts, const SampledCounters &groups) {
    sum.add(counts);
    sampled.add(groups);
  }
  /// Half the width of the 95 % confidence interval, as SampledAccesses::error(); of what no counted access did it is known where it
  /// is of how many of these there are.
  std::optional<double> errorOf(format::SiteCounter counter) const;
};

/// Adds bounds, or what to do where they are not known, of each number in the next row of the table of global or of shared memory.
void addBounds(Table &table, const SampledSum &row, const SampledSum &all, bool isShared);

} // namespace kperf::decoder

#endif
