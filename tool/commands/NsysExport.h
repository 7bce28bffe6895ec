// Reads what `nsys export --type=sqlite` wrote: the kernels, copies, calls and NVTX ranges of a run.
#ifndef KPERF_TOOL_NSYS_EXPORT_H
#define KPERF_TOOL_NSYS_EXPORT_H

#include "decoder/io/Error.h"
#include "decoder/timeline/OtherTimeline.h"

#include <string>

namespace kperf::tool {

/// By its first bytes; false for what can't be read.
bool isSqliteDatabase(const std::string &path);

/// As a timeline in the Trace Event Format: a process for each GPU with a thread for each stream, and one for each process of the host
/// with its threads' calls and NVTX ranges. Fails where the database has no kernels.
decoder::Expected<decoder::OtherTimeline> readNsysExport(const std::string &path);

} // namespace kperf::tool

#endif
