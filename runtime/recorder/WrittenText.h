// The lines that tell the user that a trace was written.
#ifndef KPERF_RUNTIME_WRITTENTEXT_H
#define KPERF_RUNTIME_WRITTENTEXT_H

#include "runtime/file/TraceFile.h"

#include <cstddef>
#include <string>

namespace kperf::runtime {

/// `places`: how many memory accesses of the source have counters in it.
std::string writtenText(const TraceFile &file, std::size_t places);

} // namespace kperf::runtime

#endif
