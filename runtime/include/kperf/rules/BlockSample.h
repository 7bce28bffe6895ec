// Chooses the blocks of a launch that are recorded when only one in N is.
#ifndef KPERF_BLOCK_SAMPLE_H
#define KPERF_BLOCK_SAMPLE_H

#include <kperf/rules/HostDevice.h>

#ifndef __CUDACC_RTC__
#include <cstdint>
#endif

namespace kperf {
namespace detail {

/// Any bit of the value decides over every bit of the result. The constants are those that C. Wellons' search for 32-bit
/// permutations of least bias found ("hash-prospector", lowbias32).
KPERF_HOST_DEVICE constexpr uint32_t scrambled(uint32_t value) {
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
}

constexpr uint32_t kSampledBlock = 0x7feb352du; ///< what isSampledBlock() multiplies a block's index by

/// isSampledBlock(), for a block whose index was multiplied already: `place`.
KPERF_HOST_DEVICE constexpr bool isSampledPlace(uint64_t launch, uint32_t place, uint32_t oneIn) {
  const uint32_t index = place + static_cast<uint32_t>(launch) * 0x9e3779b1u;
  const uint32_t mixed = (index ^ index >> 15) * 0x846ca68bu, hash = (mixed ^ mixed >> 16) * 0x9e3779b1u;
  return static_cast<uint32_t>(static_cast<uint64_t>(hash) * oneIn >> 32) == 0;
}

/// By a hash of the launch and the block's index: each block of each launch is chosen with probability 1 / oneIn, as good as
/// independently of all others, and all warps of a block agree; all are where oneIn is 0 or 1, by the same arithmetic. Three
/// products and two shifts (the constants: C. Wellons, "hash-prospector", lowbias32; D. Knuth, The Art of Computer Programming 3, 6.4):
/// with one less of each, pairs of blocks at some distances are chosen together by five and more standard deviations too often. No more,
/// for the warps of a block begin together, so that each instruction of the question holds up the block as often as a scheduler has warps
/// of it.
KPERF_HOST_DEVICE constexpr bool isSampledBlock(uint64_t launch, uint64_t block, uint32_t oneIn) {
  return isSampledPlace(launch, static_cast<uint32_t>(block) * kSampledBlock + static_cast<uint32_t>(block >> 32) * 0xc2b2ae35u, oneIn);
}

/// Of a launch with any number of warps all blocks are recorded.
constexpr uint32_t kAnyWarps = 31;

/// A launch with more than 2^maxWarpsLog2 warps is sampled: at most a quarter of so many warps, 2^-kWideShareLog2, are recorded.
constexpr uint32_t kWideShareLog2 = 2;

/// What maxWarpsLog2 is where launches are sampled for their width: more warps than the largest GPUs run at once (132 multiprocessors with
/// 64 warps are 8448), so that of a single wave of blocks each is recorded. Of wider ones at most a quarter of that is: a quarter of the
/// cost, for intervals that are twice as wide.
constexpr uint32_t kMaxWarpsLog2 = 14;

/// One in how many blocks of a launch with so many warps is recorded where nobody said how many. Up to 2^maxWarpsLog2 it is all of them;
/// of more, so many that it is of at most 2^(maxWarpsLog2 - kWideShareLog2) warps and at least half as many, for what recording costs grows
/// with each of them, and the intervals of what is reported shrink with their square root only. A shift and a product: each warp of the
/// launch computes it. Warps are counted modulo 2^32; no launch has none.
KPERF_HOST_DEVICE constexpr uint32_t widthInterval(uint32_t warps, uint32_t maxWarpsLog2) {
  return ((warps - 1) >> maxWarpsLog2) * ((2u << kWideShareLog2) - 1) + 1;
}

/// What decides in which of several groups a block is, whose counters are kept apart: of any number of low bits each value is
/// as likely, as good as independently of whether the block is recorded. By the multiprocessor it would not do: one that is
/// held up by blocks that do much gets fewer of the others, so that such groups differ less than chance has it.
KPERF_HOST_DEVICE constexpr uint32_t blockGroup(uint64_t launch, uint64_t block) {
  return scrambled(scrambled(static_cast<uint32_t>(block) * 0x85ebca6bu + static_cast<uint32_t>(block >> 32) + 0x27d4eb2fu) ^
                   static_cast<uint32_t>(launch) ^ static_cast<uint32_t>(launch >> 32) * 0xc2b2ae35u);
}

} // namespace detail
} // namespace kperf

#endif
