// Finds the trace that a command reads when the user names none.
#ifndef KPERF_TOOL_NEWEST_TRACE_H
#define KPERF_TOOL_NEWEST_TRACE_H

#include "decoder/io/Error.h"

#include <string>
#include <vector>

namespace kperf::tool {

/// The *.kperf file of the current directory that was written last; "" where there is none.
std::string newestTrace();
/// What a command says then.
decoder::Error noTrace();

/// `named`, or when that is empty newestTrace(), which stderr is told.
decoder::Expected<std::string> traceOrNewest(const std::string &named);

/// The same for commands that read several.
decoder::Expected<std::vector<std::string>> tracesOrNewest(const std::vector<std::string> &named);

} // namespace kperf::tool

#endif
