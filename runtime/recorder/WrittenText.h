// The lines that tell the user that a trace was written, or why none was.
#ifndef KPERF_RUNTIME_WRITTENTEXT_H
#define KPERF_RUNTIME_WRITTENTEXT_H

#include "runtime/file/TraceFile.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace kperf::runtime {

/// `places`: how many memory accesses of the source have counters in it. `recordsPerWarp`: for how many of them a warp had room. Where some
/// found none, what would make it.
std::string writtenText(const TraceFile &file, std::size_t places, std::uint32_t recordsPerWarp);

/// Why there is none. `deviceError`: why a launch could not be told its device, if so.
std::string unwrittenText(bool hasModules, bool wasNeverStarted, const std::string &deviceError);

} // namespace kperf::runtime

#endif
