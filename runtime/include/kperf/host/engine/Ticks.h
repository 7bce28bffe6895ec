// What each emulated operation takes on the virtual clock, in cycles of one nanosecond.
#ifndef KPERF_HOST_TICKS_H
#define KPERF_HOST_TICKS_H

#include <cstdint>

namespace kperf::host::ticks {

// Chosen to be of the order of an NVIDIA GPU's latencies and easy to add up, not measured: tests count on them.
inline constexpr std::uint64_t kClock = 1;         ///< a clock read, by clock64 and its kin or by a probe
inline constexpr std::uint64_t kBarrier = 16;      ///< __syncthreads and its kin, after the last thread came
inline constexpr std::uint64_t kGridBarrier = 256; ///< a grid's sync, after the last block came
inline constexpr std::uint64_t kArrive = 4;        ///< an arrival at a barrier object
inline constexpr std::uint64_t kAwait = 16;        ///< a wait at a barrier object, after its phase is complete
inline constexpr std::uint64_t kMeeting = 8;       ///< shuffle, vote, match, reduce, __syncwarp, after the last lane came
inline constexpr std::uint64_t kAtomic = 32;       ///< each atomic operation
inline constexpr std::uint64_t kEpoch = 1000000;   ///< when the first launch of a process starts

} // namespace kperf::host::ticks

#endif
