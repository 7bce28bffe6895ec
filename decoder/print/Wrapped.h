// Wraps prose to a terminal's width.
#ifndef KPERF_DECODER_WRAPPED_H
#define KPERF_DECODER_WRAPPED_H

#include <cstddef>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// Text in `columns` columns, cut at blanks; later lines are indented. Ends with a newline.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

} // namespace kperf::decoder

#endif
