// A table's cell as JSON.
#ifndef KPERF_DECODER_JSON_VALUE_H
#define KPERF_DECODER_JSON_VALUE_H

#include "decoder/io/Json.h"
#include "decoder/table/Table.h"

namespace kperf::decoder {

/// A string, a number of ten significant digits at most unless it is an integer, or null for what is empty or not finite.
Json jsonValue(const Cell &cell);

} // namespace kperf::decoder

#endif
