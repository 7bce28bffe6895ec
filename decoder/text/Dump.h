// Prints everything in a trace as text that packText() turns back into the same bytes.
#ifndef KPERF_DECODER_DUMP_H
#define KPERF_DECODER_DUMP_H

#include "decoder/io/Output.h"
#include "decoder/trace/Trace.h"

namespace kperf::decoder {

/// One line for each header, device, region, launch, warp and record; what equals its default is left out. The grammar
/// is in docs/reference/format.md. Memory is bounded; a damaged section ends the text with an error.
Status dumpTrace(const Trace &trace, Output &out);

} // namespace kperf::decoder

#endif
