// What groups of lanes of one warp have in common, and reductions and scans over them.
#ifndef KPERF_HOST_LANE_GROUPS_H
#define KPERF_HOST_LANE_GROUPS_H

#include <kperf/host/language/Votes.h>

#include <type_traits>

namespace cooperative_groups {

class lane_group {
public:
  explicit lane_group(std::uint32_t mask) : mask(mask) {}

  void sync(kperf::host::Site site = kperf::host::Site::here()) const {
    kperf::host::meetLanes(mask, kperf::host::Collective::Sync, 0, "a group's sync", site);
  }
  unsigned int thread_rank() const {
    const std::uint32_t below = (1u << kperf::host::laneOf("thread_rank")) - 1;
    return static_cast<unsigned int>(__builtin_popcount(mask & below));
  }
  unsigned int num_threads() const { return static_cast<unsigned int>(__builtin_popcount(mask)); }
  unsigned int size() const { return num_threads(); }
  /// The warp's lanes that the group has.
  std::uint32_t lanes() const { return mask; }

  template <typename T> T shfl(T value, int source, kperf::host::Site site = kperf::host::Site::here()) const {
    return take(value, static_cast<unsigned int>(source) % num_threads(), site);
  }
  template <typename T> T shfl_up(T value, unsigned int delta, kperf::host::Site site = kperf::host::Site::here()) const {
    const unsigned int rank = thread_rank();
    return take(value, delta > rank ? rank : rank - delta, site);
  }
  template <typename T> T shfl_down(T value, unsigned int delta, kperf::host::Site site = kperf::host::Site::here()) const {
    const unsigned int rank = thread_rank();
    return take(value, rank + delta >= num_threads() ? rank : rank + delta, site);
  }
  template <typename T> T shfl_xor(T value, unsigned int laneMask, kperf::host::Site site = kperf::host::Site::here()) const {
    const unsigned int rank = thread_rank(), source = rank ^ laneMask;
    return take(value, source >= num_threads() ? rank : source, site);
  }

  int any(int predicate, kperf::host::Site site = kperf::host::Site::here()) const {
    return kperf::host::ballot(mask, predicate != 0, "a group's any", site) != 0;
  }
  int all(int predicate, kperf::host::Site site = kperf::host::Site::here()) const {
    return kperf::host::ballot(mask, predicate == 0, "a group's all", site) == 0;
  }
  /// Bits by rank in the group.
  unsigned int ballot(int predicate, kperf::host::Site site = kperf::host::Site::here()) const {
    return toRanks(kperf::host::ballot(mask, predicate != 0, "a group's ballot", site));
  }
  template <typename T> unsigned int match_any(T value, kperf::host::Site site = kperf::host::Site::here()) const {
    std::uint32_t present = 0;
    return toRanks(kperf::host::matching(mask, kperf::host::toWord(value), present, "a group's match_any", site));
  }
  template <typename T> unsigned int match_all(T value, int &isSame, kperf::host::Site site = kperf::host::Site::here()) const {
    std::uint32_t present = 0;
    isSame = kperf::host::matching(mask, kperf::host::toWord(value), present, "a group's match_all", site) == present;
    return isSame ? toRanks(present) : 0;
  }

private:
  template <typename T> T take(const T &value, unsigned int rank, kperf::host::Site site) const {
    return kperf::host::shuffleValue(mask, value, laneOfRank(rank), "a group's shfl", site);
  }
  unsigned int laneOfRank(unsigned int rank) const {
    std::uint32_t rest = mask;
    for (; rank > 0; --rank)
      rest &= rest - 1;
    return static_cast<unsigned int>(__builtin_ctz(rest));
  }
  unsigned int toRanks(std::uint32_t lanes) const {
    unsigned int ranks = 0, bit = 1;
    for (std::uint32_t rest = mask; rest; rest &= rest - 1, bit <<= 1)
      ranks |= lanes & rest & (~rest + 1) ? bit : 0;
    return ranks;
  }

  std::uint32_t mask;
};

template <typename T = void> struct plus {
  T operator()(const T &a, const T &b) const { return a + b; }
};
template <typename T = void> struct less {
  T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <typename T = void> struct greater {
  T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <typename T = void> struct bit_and {
  T operator()(const T &a, const T &b) const { return a & b; }
};
template <typename T = void> struct bit_or {
  T operator()(const T &a, const T &b) const { return a | b; }
};
template <typename T = void> struct bit_xor {
  T operator()(const T &a, const T &b) const { return a ^ b; }
};

// Shuffles in as many steps as in CUDA's details/coalesced_scan.h and coalesced_reduce.h, with operands in their order.

template <typename Group, typename T, typename Combine> T inclusive_scan(const Group &group, const T &value, Combine combine) {
  T result = value;
  for (unsigned int distance = 1; distance < group.num_threads(); distance *= 2) {
    const T before = group.shfl_up(result, distance);
    if (distance <= group.thread_rank())
      result = combine(result, before);
  }
  return result;
}
template <typename Group, typename T> T inclusive_scan(const Group &group, const T &value) {
  return inclusive_scan(group, value, plus<T>());
}

/// The first thread gets T().
template <typename Group, typename T, typename Combine> T exclusive_scan(const Group &group, const T &value, Combine combine) {
  const T result = inclusive_scan(group, value, combine);
  if constexpr (std::is_same_v<Combine, plus<T>> && std::is_integral_v<T>)
    return static_cast<T>(result - value);
  const T before = group.shfl_up(result, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T> T exclusive_scan(const Group &group, const T &value) {
  return exclusive_scan(group, value, plus<T>());
}

/// All threads of the group get the same answer: pairwise where their number is a power of two, else the last one's of a scan.
template <typename Group, typename T, typename Combine> T reduce(const Group &group, const T &value, Combine combine) {
  const unsigned int threads = group.num_threads();
  if ((threads & (threads - 1)) != 0)
    return group.shfl(inclusive_scan(group, value, combine), static_cast<int>(threads - 1));
  T result = value;
  for (unsigned int distance = threads / 2; distance > 0; distance /= 2)
    result = combine(result, group.shfl_xor(result, distance));
  return result;
}

} // namespace cooperative_groups

#endif
