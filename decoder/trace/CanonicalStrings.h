// Tells whether a trace's string table is canonical, so that its text form can leave it out.
#ifndef KPERF_DECODER_CANONICAL_STRINGS_H
#define KPERF_DECODER_CANONICAL_STRINGS_H

#include "decoder/trace/Trace.h"

namespace kperf::decoder {

/// Whether the trace has one Strings section at the front, each text once, in the order in which the file refers to
/// them (docs/reference/format.md): then its text form needs no `strings` line. Reads the whole file.
Expected<bool> hasCanonicalStrings(const Trace &trace);

} // namespace kperf::decoder

#endif
