// Which blocks of a launch are counted when only one in so many is.
#ifndef KPERF_BLOCK_SAMPLE_H
#define KPERF_BLOCK_SAMPLE_H

#include <cstdint>

#if defined(__CUDACC__)
#define KPERF_ANYWHERE __host__ __device__
#else
#define KPERF_ANYWHERE
#endif

namespace kperf {
namespace detail {

/// A hash of the block's place in the grid: it spreads the chosen blocks over rows and columns, and all warps of a
/// block agree.
KPERF_ANYWHERE constexpr bool isSampledBlock(uint32_t x, uint32_t y, uint32_t z, uint32_t oneIn) {
  if (oneIn <= 1)
    return true;
  uint32_t hash = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ z * 0xc2b2ae3du;
  hash ^= hash >> 15;
  hash *= 0x2c1b3c6du;
  hash ^= hash >> 12;
  return static_cast<uint32_t>(static_cast<uint64_t>(hash) * oneIn >> 32) == 0;
}

} // namespace detail
} // namespace kperf

#undef KPERF_ANYWHERE

#endif
