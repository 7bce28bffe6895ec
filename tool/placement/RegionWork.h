// Adds up what one entry of a region asks of the tensor cores, and of the other floating-point units.
#ifndef KPERF_TOOL_PLACEMENT_REGIONWORK_H
#define KPERF_TOOL_PLACEMENT_REGIONWORK_H

#include "tool/placement/Flow.h"
#include "tool/placement/Listing.h"
#include "tool/placement/Work.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace kperf::placement {

/// The code of one region. Vectors are by instruction.
struct RegionCode {
  std::vector<std::size_t> begins; ///< instructions that open it: one in each copy of its code
  std::vector<bool> closes;        ///< it is not open behind this instruction
  std::vector<bool> isOthers;      ///< it is a probe's, or a region that this one holds is open, too
};

/// What is asked of one kind of units.
struct UnitWork {
  /// Of one entry, without the regions that it holds. Nothing where that depends on the path (a loop, a branch, a predicate, copies of the
  /// code that differ), or what one of the instructions does is not known.
  std::optional<Work> ofEntry;
  std::map<std::string_view, std::uint64_t> instructions; ///< how many in the code, by productName() or floatName()
};

struct RegionWork {
  UnitWork tensor, floats;
};

/// `isCounted`, by instruction, becomes true of all that work of the region is.
RegionWork workOf(const Function &function, const Flow &flow, const RegionCode &region, std::string_view architecture,
                  std::vector<bool> &isCounted);

/// Of the instructions that are not in `isCounted`: in none of the regions. What they do in a launch is not known.
RegionWork otherWork(const Function &function, const std::vector<bool> &isCounted);

} // namespace kperf::placement

#endif
