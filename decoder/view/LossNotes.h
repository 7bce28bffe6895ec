// Makes notes of the losses that the runtime reported.
#ifndef KPERF_DECODER_LOSS_NOTES_H
#define KPERF_DECODER_LOSS_NOTES_H

#include "decoder/trace/Trace.h"

#include <string>
#include <vector>

namespace kperf::decoder {

/// A sentence for each kind. One pass over that part of the file.
Expected<std::vector<std::string>> traceLosses(const Trace &trace);

/// Those that counts of memory accesses lack.
Expected<std::vector<std::string>> memoryLosses(const Trace &trace);

} // namespace kperf::decoder

#endif
