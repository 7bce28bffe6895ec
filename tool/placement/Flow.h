// Builds the control-flow graph of a function's machine code.
#ifndef KPERF_TOOL_PLACEMENT_FLOW_H
#define KPERF_TOOL_PLACEMENT_FLOW_H

#include "tool/placement/Listing.h"

#include <cstddef>
#include <vector>

namespace kperf::placement {

struct Flow {
  std::vector<std::vector<std::size_t>> successors; ///< by instruction
  std::vector<std::size_t> entries;                 ///< the first instruction, and those of functions that are called in it
};

/// Calls are stepped over. Of jumps through a register the targets are not known: what only these lead to, nothing leads to.
Flow readFlow(const Function &function);

} // namespace kperf::placement

#endif
