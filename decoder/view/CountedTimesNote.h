// What a report says of times beside counts of memory accesses.
#ifndef KPERF_DECODER_COUNTED_TIMES_NOTE_H
#define KPERF_DECODER_COUNTED_TIMES_NOTE_H

#include "decoder/trace/Trace.h"

#include <span>
#include <string>

namespace kperf::decoder {

/// That times hold what counting takes, which no calibration knows; "" where no accesses were counted, and under the virtual clock, which
/// stands still meanwhile.
std::string countedTimesNote(std::span<const Trace> traces);

} // namespace kperf::decoder

#endif
