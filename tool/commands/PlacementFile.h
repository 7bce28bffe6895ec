// Reads a file that kperf verify wrote.
#ifndef KPERF_TOOL_PLACEMENT_FILE_H
#define KPERF_TOOL_PLACEMENT_FILE_H

#include "decoder/view/PlacedInstructions.h"

#include <string>
#include <vector>

namespace kperf::tool {

/// JSON of kperf verify. Rows of regions whose clock reads were not found are left out.
decoder::Expected<std::vector<decoder::PlacedInstructions>> readPlacement(const std::string &path);

} // namespace kperf::tool

#endif
