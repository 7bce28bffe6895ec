// Adds up what one entry of a region asks of the tensor cores.
#ifndef KPERF_TOOL_PLACEMENT_PRODUCTS_H
#define KPERF_TOOL_PLACEMENT_PRODUCTS_H

#include "tool/placement/Flow.h"
#include "tool/placement/Listing.h"
#include "tool/placement/TensorWork.h"

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
  std::vector<bool> isInner;       ///< a region that it holds is open, too
};

struct RegionProducts {
  /// Of one entry, without the regions that it holds. Nothing where that depends on the path (a loop, a branch, a predicate, copies of the
  /// code that differ), or a shape is not known.
  std::optional<TensorWork> ofEntry;
  std::map<std::string_view, std::uint64_t> instructions; ///< how many in the code, by productName()
};

/// `isCounted`, by instruction, becomes true of all products that the region has.
RegionProducts productsOf(const Function &function, const Flow &flow, const RegionCode &region, std::string_view architecture,
                          std::vector<bool> &isCounted);

} // namespace kperf::placement

#endif
