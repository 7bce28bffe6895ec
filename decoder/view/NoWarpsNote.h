// The notes that a view prints when the traces hold no warps, or none of some kernels.
#ifndef KPERF_DECODER_NO_WARPS_NOTE_H
#define KPERF_DECODER_NO_WARPS_NOTE_H

#include "decoder/totals/UnseenLaunches.h"
#include "decoder/trace/Trace.h"

#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

/// What there is in place of warps, and which command shows it. `traces`: at least one, read to the end without an error.
std::string noWarpsNote(std::span<const Trace> traces);

/// "field_summary (1 launch), finalise (2 launches)": kernels of which no warp was kept at all; "" where there are none.
std::string unseenNames(std::span<const UnseenKernel> kernels);

/// Names the kernels that were launched and have no warps, with or without probes, and those of which launches have none that may be any
/// instance's.
std::vector<std::string> unseenNotes(const UnseenSum &unseen, const VendorTerms &terms);

} // namespace kperf::decoder

#endif
