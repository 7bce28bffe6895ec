// Shell patterns for names of kernels.
#ifndef KPERF_DECODER_GLOB_H
#define KPERF_DECODER_GLOB_H

#include <string_view>

namespace kperf::decoder {

/// `*` stands for any characters, `?` for one; all else for itself. An empty pattern matches everything.
bool matches(std::string_view pattern, std::string_view text);

} // namespace kperf::decoder

#endif
