// Warp votes, matches and reductions, and __activemask.
#ifndef KPERF_HOST_VOTES_H
#define KPERF_HOST_VOTES_H

#include <kperf/host/language/Shuffles.h>

#include <algorithm>
#include <unwind.h>

namespace kperf::host {

inline std::uint32_t ballot(std::uint32_t mask, bool predicate, const char *what, const Site &site) {
  const Exchange exchange = meetLanes(mask, Collective::Vote, predicate, what, site);
  std::uint32_t result = 0;
  for (std::uint32_t rest = exchange.lanes; rest; rest &= rest - 1)
    result |= static_cast<std::uint32_t>(exchange.values[__builtin_ctz(rest)]) << __builtin_ctz(rest);
  return result;
}

/// Lanes that brought the same word as the calling one.
inline std::uint32_t matching(std::uint32_t mask, std::uint64_t word, std::uint32_t &present, const char *what, const Site &site) {
  const Exchange exchange = meetLanes(mask, Collective::Match, word, what, site);
  std::uint32_t result = 0;
  for (std::uint32_t rest = present = exchange.lanes; rest; rest &= rest - 1)
    result |= std::uint32_t{exchange.values[__builtin_ctz(rest)] == word} << __builtin_ctz(rest);
  return result;
}

template <typename T> std::uint64_t toWord(T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a match compares 32 or 64 bits");
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}

template <typename T, typename Combine> T reduceLanes(std::uint32_t mask, T value, Combine combine, const char *what, const Site &site) {
  const Exchange exchange = meetLanes(mask, Collective::Reduce, static_cast<std::uint64_t>(value), what, site);
  std::uint32_t rest = exchange.lanes;
  T result = static_cast<T>(exchange.values[__builtin_ctz(rest)]);
  for (rest &= rest - 1; rest; rest &= rest - 1)
    result = combine(result, static_cast<T>(exchange.values[__builtin_ctz(rest)]));
  return result;
}

/// The calls that lead from the kernel's entry to here, as one number. Lanes are converged where they came the same
/// way.
struct CallPath {
  const char *entry;
  std::uint64_t hash = 0;

  static _Unwind_Reason_Code visit(_Unwind_Context *context, void *path) {
    CallPath &self = *static_cast<CallPath *>(path);
    self.hash = (self.hash ^ _Unwind_GetIP(context)) * 0x9e3779b97f4a7c15ull;
    return reinterpret_cast<const char *>(_Unwind_GetCFA(context)) < self.entry ? _URC_NO_REASON : _URC_END_OF_STACK;
  }
};

__attribute__((noinline)) inline std::uint32_t activeMask(const Site &site) {
  CudaThread &thread = requireThread("__activemask");
  CallPath path{thread.frames};
  _Unwind_Backtrace(&CallPath::visit, &path);
  return thread.block->converge(path.hash ^ site.line, ticks::kMeeting, "__activemask", site);
}

} // namespace kperf::host

inline unsigned int __ballot_sync(unsigned int mask, int predicate, kperf::host::Site site = kperf::host::Site::here()) {
  return kperf::host::ballot(mask, predicate != 0, "__ballot_sync", site);
}
inline int __any_sync(unsigned int mask, int predicate, kperf::host::Site site = kperf::host::Site::here()) {
  return kperf::host::ballot(mask, predicate != 0, "__any_sync", site) != 0;
}
inline int __all_sync(unsigned int mask, int predicate, kperf::host::Site site = kperf::host::Site::here()) {
  return kperf::host::ballot(mask, predicate == 0, "__all_sync", site) == 0;
}
inline int __uni_sync(unsigned int mask, int predicate, kperf::host::Site site = kperf::host::Site::here()) {
  std::uint32_t present = 0;
  return kperf::host::matching(mask, predicate != 0, present, "__uni_sync", site) == present;
}

/// The lanes of the warp that come here by the same calls before any lane of it can go on elsewhere.
inline unsigned int __activemask(kperf::host::Site site = kperf::host::Site::here()) { return kperf::host::activeMask(site); }

template <typename T> unsigned int __match_any_sync(unsigned int mask, T value, kperf::host::Site site = kperf::host::Site::here()) {
  std::uint32_t present = 0;
  return kperf::host::matching(mask, kperf::host::toWord(value), present, "__match_any_sync", site);
}
template <typename T>
unsigned int __match_all_sync(unsigned int mask, T value, int *isSame, kperf::host::Site site = kperf::host::Site::here()) {
  std::uint32_t present = 0;
  *isSame = kperf::host::matching(mask, kperf::host::toWord(value), present, "__match_all_sync", site) == present;
  return *isSame ? present : 0;
}

#define KPERF_HOST_REDUCE(name, T, expression)                                                                                             \
  inline T name(unsigned int mask, T value, kperf::host::Site site = kperf::host::Site::here()) {                                          \
    return kperf::host::reduceLanes(mask, value, [](T a, T b) { return static_cast<T>(expression); }, #name, site);                        \
  }
KPERF_HOST_REDUCE(__reduce_add_sync, unsigned int, a + b)
KPERF_HOST_REDUCE(__reduce_add_sync, int, static_cast<unsigned int>(a) + static_cast<unsigned int>(b))
KPERF_HOST_REDUCE(__reduce_min_sync, unsigned int, std::min(a, b))
KPERF_HOST_REDUCE(__reduce_min_sync, int, std::min(a, b))
KPERF_HOST_REDUCE(__reduce_max_sync, unsigned int, std::max(a, b))
KPERF_HOST_REDUCE(__reduce_max_sync, int, std::max(a, b))
KPERF_HOST_REDUCE(__reduce_and_sync, unsigned int, a &b)
KPERF_HOST_REDUCE(__reduce_or_sync, unsigned int, a | b)
KPERF_HOST_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#undef KPERF_HOST_REDUCE

#endif
