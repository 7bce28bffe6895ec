// Mends the line table of a cubin, which ptxas writes and nvdisasm reads.
#ifndef KPERF_TOOL_PLACEMENT_LINETABLE_H
#define KPERF_TOOL_PLACEMENT_LINETABLE_H

#include <cstddef>
#include <string>

namespace kperf::placement {

/// Each entry of the table that an inlined line has names another one, its caller. ptxas (of CUDA 12.4 and 13.0) leaves out an entry of
/// some functions and numbers those behind it as if it were there, so that some are their own callers: nvdisasm -gi does not end then. The
/// first line that is inlined behind the gap shows it, for its caller is the entry before it; from there on the numbers are set right. What
/// names an entry behind its own all the same loses its caller. The size of the cubin stays. Returns how many were wrong; 0, and nothing is
/// changed, where all is right, or the bytes are no cubin with such a table.
std::size_t mendCallers(std::string &cubin);

} // namespace kperf::placement

#endif
