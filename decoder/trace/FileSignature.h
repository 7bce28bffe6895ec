// Recognises what a file is that is not a trace, by its first bytes.
#ifndef KPERF_DECODER_FILE_SIGNATURE_H
#define KPERF_DECODER_FILE_SIGNATURE_H

#include "decoder/io/Error.h"

#include <cstddef>
#include <span>

namespace kperf::decoder {

/// `start`: the first bytes of a file (16 are enough). Fails unless they begin with the trace's magic; the error names
/// what the file seems to be and how to get a trace from it.
Status checkMagic(std::span<const std::byte> start);

} // namespace kperf::decoder

#endif
