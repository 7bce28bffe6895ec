// Mends the line table of a cubin, which ptxas writes and nvdisasm reads.
#ifndef KPERF_TOOL_PLACEMENT_LINETABLE_H
#define KPERF_TOOL_PLACEMENT_LINETABLE_H

#include <cstddef>
#include <string>

namespace kperf::placement {

/// ptxas 13.0 counts a row of some functions that it does not write, so that rows behind it are said to be inlined into themselves (39 of
/// 5265 in CUTLASS's example 48), and nvdisasm -gi follows that for ever. From the first such row of a function on, what is inlined at rows
/// from there on loses what is said of its caller; the size of the cubin stays. Returns how often that was said; 0, and nothing is changed,
/// where the bytes are no cubin, or have no such table or row.
std::size_t cutEndlessChains(std::string &cubin);

} // namespace kperf::placement

#endif
