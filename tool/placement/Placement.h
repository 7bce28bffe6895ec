// Tells whether the instructions of regions are between the regions' clock reads in machine code.
#ifndef KPERF_TOOL_PLACEMENT_PLACEMENT_H
#define KPERF_TOOL_PLACEMENT_PLACEMENT_H

#include "tool/placement/ClockReads.h"
#include "tool/placement/Listing.h"
#include "tool/placement/Program.h"
#include "tool/placement/RegionWork.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kperf::placement {

/// Instructions by file and line.
using LineCounts = std::map<std::pair<std::string_view, std::uint32_t>, std::uint64_t>;

/// One region in one function.
struct RegionPlacement {
  const Region *region = nullptr;
  std::uint64_t instructions = 0; ///< that come from its lines; no probe's
  std::uint64_t inside = 0;       ///< of these: on all paths that lead there, its clock was read at its begin, and not yet at its end
  std::uint64_t outside = 0;      ///< of these: on no path
  std::uint64_t foreign = 0;      ///< of other lines, and inside on all paths
  /// One that begins or ends on a line where this one does, so that it is not known whose clock reads those are.
  const Region *sharesLine = nullptr;
  bool isClocked = false;     ///< both of its clock reads were found; else nothing of the above is known but `instructions`
  std::uint64_t mislined = 0; ///< of its clock reads: lines that ptxas took from another copy of the code; those around may be such, too
  std::uint64_t copies = 0, emptyCopies = 0; ///< of its code, one for each clock read at its begin; and those with none of its instructions
  LineCounts outsideAt, foreignAt;
  RegionWork work;

  /// Instructions of which it can't be told.
  std::uint64_t unplaced() const { return instructions - inside - outside; }
};

struct KernelPlacement {
  std::vector<RegionPlacement> regions;
  RegionWork other; ///< instructions that are in none of the regions
};

/// Of the regions that have instructions or clock reads in the function, in the order of `regions`; none where it has no clock read of a
/// probe. `architecture`: "sm_90", or "" where it is not known. The lines of a scope or range are those between its annotations, on whose
/// own lines only what runs inside is its, all where no line is between and its clock reads are not found, and of others those of the
/// statement. `places`: of the listing, by Instruction::places.
KernelPlacement placementIn(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions,
                            std::string_view architecture);

} // namespace kperf::placement

#endif
