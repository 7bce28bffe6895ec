// Whether the numbers of several traces may be added.
#ifndef KPERF_DECODER_SAMEBUILD_H
#define KPERF_DECODER_SAMEBUILD_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <span>

namespace kperf::decoder {

/// An error when traces are not of one build and target, so that their numbers cannot be added. `traces`: at least one.
Status checkSameBuild(std::span<const Trace> traces);

} // namespace kperf::decoder

#endif
