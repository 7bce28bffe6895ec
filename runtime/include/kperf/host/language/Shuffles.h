// Warp shuffles: __shfl_sync, _up, _down and _xor, with CUDA's rules for segments of `width` lanes.
#ifndef KPERF_HOST_SHUFFLES_H
#define KPERF_HOST_SHUFFLES_H

#include <kperf/host/language/Barriers.h>

#include <cstring>
#include <type_traits>

namespace kperf::host {

/// What CUDA's shuffles take; half types add themselves.
template <typename T> inline constexpr bool isShuffled = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// The word that the source lane brought; the calling lane's own where the source has left or is not in the mask, for
/// which CUDA defines no answer.
inline std::uint64_t shuffleWord(std::uint32_t mask, std::uint64_t word, unsigned source, const char *what, const Site &site) {
  const Exchange exchange = meetLanes(mask, Collective::Shuffle, word, what, site);
  return exchange.lanes >> source & 1 ? exchange.values[source] : word;
}

/// Any trivially copyable value, eight bytes at a time.
template <typename T> T shuffleValue(std::uint32_t mask, const T &value, unsigned source, const char *what, const Site &site) {
  static_assert(std::is_trivially_copyable_v<T>, "lanes can only exchange trivially copyable values");
  constexpr std::size_t kWords = (sizeof(T) + 7) / 8;
  std::uint64_t words[kWords] = {};
  std::memcpy(words, &value, sizeof(T));
  for (std::uint64_t &word : words)
    word = shuffleWord(mask, word, source, what, site);
  T result = value;
  std::memcpy(&result, words, sizeof(T));
  return result;
}

inline unsigned laneOf(const char *what) { return requireThread(what).lane(); }

// PTX ISA, shfl: the source lane, or the lane itself where that would leave the segment.
inline unsigned indexedSource(unsigned lane, int source, int width) {
  const unsigned segment = static_cast<unsigned>(width) - 1;
  return (lane & ~segment) | (static_cast<unsigned>(source) & segment);
}
inline unsigned sourceAbove(unsigned lane, unsigned delta, int width) {
  const unsigned segment = static_cast<unsigned>(width) - 1;
  return delta > segment - (lane & segment) ? lane : lane + delta;
}
inline unsigned sourceBelow(unsigned lane, unsigned delta, int width) {
  const unsigned segment = static_cast<unsigned>(width) - 1;
  return delta > (lane & segment) ? lane : lane - delta;
}
inline unsigned crossedSource(unsigned lane, int laneMask, int width) {
  const unsigned segment = static_cast<unsigned>(width) - 1;
  const unsigned source = lane ^ static_cast<unsigned>(laneMask);
  return source > (lane | segment) || source > 31 ? lane : source;
}

} // namespace kperf::host

#define KPERF_HOST_SHUFFLE(name, Selector, parameter, choose)                                                                              \
  template <typename T>                                                                                                                    \
  T name(unsigned int mask, T value, Selector parameter, int width = 32, kperf::host::Site site = kperf::host::Site::here()) {             \
    static_assert(kperf::host::isShuffled<T>, #name " takes arithmetic and half types");                                                   \
    const unsigned from = kperf::host::choose(kperf::host::laneOf(#name), parameter, width);                                               \
    return kperf::host::shuffleValue(mask, value, from, #name, site);                                                                      \
  }
KPERF_HOST_SHUFFLE(__shfl_sync, int, source, indexedSource)
KPERF_HOST_SHUFFLE(__shfl_up_sync, unsigned int, delta, sourceBelow)
KPERF_HOST_SHUFFLE(__shfl_down_sync, unsigned int, delta, sourceAbove)
KPERF_HOST_SHUFFLE(__shfl_xor_sync, int, laneMask, crossedSource)
#undef KPERF_HOST_SHUFFLE

#endif
