// Mends the line table of a cubin, which ptxas writes and nvdisasm reads.
#ifndef KPERF_TOOL_PLACEMENT_LINETABLE_H
#define KPERF_TOOL_PLACEMENT_LINETABLE_H

#include <cstddef>
#include <string>

namespace kperf::placement {

/// Each entry of the table that an inlined line has names another one, its caller. ptxas 13.0 leaves out an entry of some functions and
/// numbers those behind it as if it were there, so that some are their own callers (39 of 5265 in CUTLASS's example 48): nvdisasm -gi does
/// not end then. From the first of these in a function on, what names a caller from there on loses it; the size of the cubin stays. Returns
/// how often one was named; 0, and nothing is changed, where all is right, or the bytes are no cubin with such a table.
std::size_t cutEndlessChains(std::string &cubin);

} // namespace kperf::placement

#endif
