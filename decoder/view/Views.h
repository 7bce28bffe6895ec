// All views, as Views.def lists them.
#ifndef KPERF_DECODER_VIEWS_H
#define KPERF_DECODER_VIEWS_H

#include "decoder/view/View.h"

#include <span>

namespace kperf::decoder {

std::span<const View> views();

} // namespace kperf::decoder

#endif
