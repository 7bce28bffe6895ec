// What kperf verify found in a program, for what is said of that program's trace.
#ifndef KPERF_DECODER_PLACED_INSTRUCTIONS_H
#define KPERF_DECODER_PLACED_INSTRUCTIONS_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// What a warp asks of its multiprocessor's tensor cores.
struct TensorProducts {
  double operations = 0;        ///< multiplications and additions
  std::optional<double> cycles; ///< that all of them take at their peak; nothing where that is not known
  bool isAsynchronous = false;  ///< wgmma: the warps go on meanwhile

  friend bool operator==(const TensorProducts &, const TensorProducts &) = default;
};

/// What a warp asks of its multiprocessor's floating-point units beside the tensor cores, in all 32 lanes.
struct FloatOperations {
  double operations = 0;        ///< multiplications and additions
  std::optional<double> cycles; ///< that all of them take at their peak; nothing where that is not known

  friend bool operator==(const FloatOperations &, const FloatOperations &) = default;
};

/// Of one region in one kernel, or with id 0 of what multiplies and adds in no region: how many instructions come from its lines, and how
/// many of them run between its clock reads.
struct PlacedInstructions {
  std::string kernel; ///< "gemm<128, 1>", as in the program
  std::string architecture;
  std::uint32_t region = 0; ///< id
  std::uint64_t instructions = 0, inside = 0;
  std::optional<TensorProducts> products; ///< of one entry by a warp; nothing where that is not known
  std::optional<FloatOperations> floats;  ///< likewise
};

/// The rows of kernels that the traces' devices run. Fails where none is of a region of these traces: they are of other programs.
Expected<std::vector<PlacedInstructions>> placedIn(std::span<const Trace> traces, std::span<const PlacedInstructions> rows);

/// Of the kernel's instance that a trace calls `kernel`; of all its instances where the names do not tell which.
std::vector<const PlacedInstructions *> placedRows(std::span<const PlacedInstructions> rows, std::string_view kernel, std::uint32_t region);

/// What all of the rows say of one entry; nothing without rows, or where one does not know it, or they differ.
template <typename Work>
std::optional<Work> entryOf(std::span<const PlacedInstructions *const> rows, std::optional<Work> PlacedInstructions::*work) {
  for (const PlacedInstructions *const row : rows)
    if (!(row->*work) || *(row->*work) != *(rows.front()->*work))
      return {};
  return rows.empty() ? std::nullopt : rows.front()->*work;
}

/// "140 of 143", of those rows; "" where nothing is known of the region.
std::string placedText(std::span<const PlacedInstructions> rows, std::string_view kernel, std::uint32_t region);

} // namespace kperf::decoder

#endif
