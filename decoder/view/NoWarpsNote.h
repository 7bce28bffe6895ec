// The note that a view prints when the traces hold no warps.
#ifndef KPERF_DECODER_NO_WARPS_NOTE_H
#define KPERF_DECODER_NO_WARPS_NOTE_H

#include "decoder/trace/Trace.h"

#include <span>
#include <string>

namespace kperf::decoder {

/// What there is in place of warps, and which command shows it. `traces`: at least one, read to the end without an error.
std::string noWarpsNote(std::span<const Trace> traces);

} // namespace kperf::decoder

#endif
