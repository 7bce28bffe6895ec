// Reuse distance by kernel: how much other memory is touched between two uses of a cache line.
#ifndef KPERF_DECODER_REUSE_H
#define KPERF_DECODER_REUSE_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace kperf::decoder {

struct Reuse {
  double footprint = 0;           ///< bytes of the lines touched, of the run that touched most; 0: not known
  std::optional<double> distance; ///< bytes of other lines between two uses of a line: the median
};

/// Of each of `count` groups of sites; `groupOf`: by site. Nothing is known where the traces kept no references.
Expected<std::vector<Reuse>> readReuse(std::span<const Trace> traces, const std::unordered_map<std::uint32_t, std::size_t> &groupOf,
                                       std::size_t count);

} // namespace kperf::decoder

#endif
