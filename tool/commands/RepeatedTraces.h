// Finds traces that are given twice.
#ifndef KPERF_TOOL_REPEATED_TRACES_H
#define KPERF_TOOL_REPEATED_TRACES_H

#include "decoder/trace/Trace.h"

#include <span>
#include <string>
#include <vector>

namespace kperf::tool {

/// A sentence for each trace that is the file of an earlier one, or says that it is of the same process and moment: all numbers of a run
/// are added up as often as it is given. Traces that do not say when they were made are told apart by their files alone.
std::vector<std::string> repeatedTraces(std::span<const decoder::Trace> traces);

} // namespace kperf::tool

#endif
