// Parses percentages on the command line.
#ifndef KPERF_TOOL_PERCENT_H
#define KPERF_TOOL_PERCENT_H

#include "decoder/io/Error.h"

#include <string_view>

namespace kperf::tool {

/// "5%" or "5" as 5; `option` is what the user wrote it for.
decoder::Expected<double> parsePercent(std::string_view text, const char *option);

} // namespace kperf::tool

#endif
