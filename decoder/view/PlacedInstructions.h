// Adds what kperf verify found in a program to the report of that program's trace.
#ifndef KPERF_DECODER_PLACED_INSTRUCTIONS_H
#define KPERF_DECODER_PLACED_INSTRUCTIONS_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// Of one region in one kernel: how many instructions come from its lines, and how many of them run between its clock reads.
struct PlacedInstructions {
  std::string kernel; ///< "gemm<128, 1>", as in the program
  std::string architecture;
  std::uint32_t region = 0; ///< id
  std::uint64_t instructions = 0, inside = 0;
};

/// The rows of kernels that the traces' devices run. Fails where none is of a region of these traces: they are of other programs.
Expected<std::vector<PlacedInstructions>> placedIn(std::span<const Trace> traces, std::span<const PlacedInstructions> rows);

/// "140 of 143", of the kernel's instance that a trace calls `kernel`; of all its instances where the names do not tell which. "" where
/// nothing is known of the region.
std::string placedText(std::span<const PlacedInstructions> rows, std::string_view kernel, std::uint32_t region);

} // namespace kperf::decoder

#endif
