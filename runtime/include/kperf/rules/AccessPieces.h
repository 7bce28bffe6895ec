// Computes how many instructions move one element, and how many bytes each of them moves.
#ifndef KPERF_ACCESS_PIECES_H
#define KPERF_ACCESS_PIECES_H

#include <kperf/rules/HostDevice.h>

#ifndef __CUDACC_RTC__
#include <cstdint>
#endif

namespace kperf {
namespace detail {

/// The instructions that an element of `bytes` bytes at `alignment` takes: a power of two of bytes each, at most 16,
/// which is the widest that an NVIDIA GPU has, and at most what the alignment allows.
struct Pieces {
  uint32_t bytes, count;
};

KPERF_HOST_DEVICE constexpr Pieces piecesOf(uint64_t bytes, uint64_t alignment) {
  uint64_t piece = 16;
  while (piece > 1 && (piece > alignment || bytes % piece != 0))
    piece /= 2;
  return {static_cast<uint32_t>(piece), static_cast<uint32_t>(bytes / piece)};
}

} // namespace detail
} // namespace kperf

#endif
