// Builds a trace from its text form.
#ifndef KPERF_DECODER_PACK_H
#define KPERF_DECODER_PACK_H

#include "decoder/io/Error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// `text`: what dumpTrace() prints, or a person wrote (grammar: docs/reference/format.md). Errors name line and column in
/// `file`.
Expected<std::vector<std::byte>> packText(std::string_view text, const std::string &file);

} // namespace kperf::decoder

#endif
