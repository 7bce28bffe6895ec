// Which blocks of a launch are recorded when only one in so many is.
#ifndef KPERF_BLOCK_SAMPLE_H
#define KPERF_BLOCK_SAMPLE_H

#include <cstdint>

#if defined(__CUDACC__) // for HIP, Clang takes what is constexpr for both; __host__ may not be defined yet
#define KPERF_ANYWHERE __host__ __device__
#else
#define KPERF_ANYWHERE
#endif

namespace kperf {
namespace detail {

/// Any bit of the value decides over every bit of the result. The constants are those that C. Wellons' search for 32-bit
/// permutations of least bias found ("hash-prospector", lowbias32).
KPERF_ANYWHERE constexpr uint32_t scrambled(uint32_t value) {
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
}

/// By a hash of the launch and the block's index: each block of each launch is chosen with probability 1 / oneIn, as good as
/// independently of all others, and all warps of a block agree.
KPERF_ANYWHERE constexpr bool isSampledBlock(uint64_t launch, uint64_t block, uint32_t oneIn) {
  if (oneIn <= 1)
    return true;
  uint32_t hash = scrambled(static_cast<uint32_t>(launch) + scrambled(static_cast<uint32_t>(launch >> 32)));
  hash = scrambled(hash + static_cast<uint32_t>(block >> 32)) ^ static_cast<uint32_t>(block);
  return static_cast<uint32_t>(static_cast<uint64_t>(scrambled(hash)) * oneIn >> 32) == 0;
}

} // namespace detail
} // namespace kperf

#undef KPERF_ANYWHERE

#endif
