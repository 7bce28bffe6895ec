// Reads a file that kperf verify wrote.
#ifndef KPERF_TOOL_PLACEMENT_FILE_H
#define KPERF_TOOL_PLACEMENT_FILE_H

#include "decoder/view/PlacedInstructions.h"

#include <span>
#include <string>
#include <vector>

namespace kperf::tool {

/// What kperf verify says of the program that wrote the traces: `path` is that program, or JSON that was written of it; "" for none of
/// this. Rows of regions whose clock reads were not found are left out.
decoder::Expected<std::vector<decoder::PlacedInstructions>> readPlacementOf(std::span<const decoder::Trace> traces,
                                                                            const std::string &path);

} // namespace kperf::tool

#endif
