// Tells by the records that are stored which two clock reads are a region's begin and its end, whatever lines they have.
#ifndef KPERF_TOOL_PLACEMENT_READPAIRS_H
#define KPERF_TOOL_PLACEMENT_READPAIRS_H

#include "tool/placement/ClockReads.h"

#include <span>
#include <vector>

namespace kperf::placement {

/// Corrects the roles of reads that are stored in records: their first two words are the clocks of one entry, and the last one is a tag
/// with the region, each put into its register by an instruction that is found. Reads and regions of which there is no such record keep
/// what their lines say.
void pairReads(const Function &function, std::span<const Region> regions, std::vector<ClockRead> &reads);

/// Whether all that begins or may end the region was told by records.
bool isToldByRecords(std::size_t region, std::span<const ClockRead> reads);

} // namespace kperf::placement

#endif
