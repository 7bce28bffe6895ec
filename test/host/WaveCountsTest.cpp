// What a wave of 64 lanes counts, as on AMD GPUs (kperf/gpu/memory/AccessCounts.h), against sets of addresses: here each lane
// is a thread, and votes go through memory.
#include "Launching.h"

#include <kperf/format.h>
#include <kperf/rules/AccessCounts.h>

#include <map>
#include <pthread.h>
#include <random>
#include <set>
#include <thread>

namespace {

constexpr unsigned kLanes = 64;

/// The lanes that make an access together.
struct Wave {
  explicit Wave(unsigned lanes) { pthread_barrier_init(&meeting, nullptr, lanes); }
  ~Wave() { pthread_barrier_destroy(&meeting); }
  Wave(const Wave &) = delete;

  std::array<std::uint64_t, kLanes> said{};
  pthread_barrier_t meeting;
};

thread_local Wave *wave;
thread_local unsigned ownLane;

/// What every lane said.
std::array<std::uint64_t, kLanes> exchanged(std::uint64_t value) {
  wave->said[ownLane] = value;
  pthread_barrier_wait(&wave->meeting);
  const auto all = wave->said;
  pthread_barrier_wait(&wave->meeting);
  return all;
}

} // namespace

// The same header again, under another name and with these votes in place of a GPU's.
namespace kperf64 {
namespace format = kperf::format;
namespace detail {
using kperf::detail::AccessKind;
namespace votes {

using Lanes = std::uint64_t;
constexpr std::uint32_t kMaxLanes = kLanes;
constexpr bool kMergesWideLoads = false;

inline std::uint32_t countOf(Lanes lanes) { return static_cast<std::uint32_t>(__builtin_popcountll(lanes)); }
inline std::uint32_t lowestOf(Lanes lanes) { return static_cast<std::uint32_t>(__builtin_ctzll(lanes)); }
template <typename Holds> Lanes lanesWhere(Lanes among, std::uint64_t value, Holds holds) {
  const auto all = exchanged(value);
  Lanes result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (among >> lane & 1 && holds(all[lane]))
      result |= Lanes{1} << lane;
  return result;
}
inline Lanes ballot(Lanes among, bool vote) {
  return lanesWhere(among, vote, [](std::uint64_t other) { return other != 0; });
}
template <typename T> T valueOf(Lanes, T value, std::uint32_t lane) { return static_cast<T>(exchanged(value)[lane]); }
template <typename T> Lanes matching(Lanes among, T value) {
  return lanesWhere(among, value, [&](std::uint64_t other) { return other == value; });
}
inline std::uint32_t largest(Lanes, Lanes of, std::uint32_t value) {
  const auto all = exchanged(value);
  std::uint64_t result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (of >> lane & 1)
      result = std::max(result, all[lane]);
  return static_cast<std::uint32_t>(result);
}

} // namespace votes
} // namespace detail
} // namespace kperf64
#define KPERF_CUDA_LANE_VOTES_H
#define kperf kperf64
#include <kperf/gpu/memory/AccessCounts.h>
#undef kperf

namespace {

namespace format = kperf::format;
using kperf::detail::AccessKind;
using Counts = std::array<std::uint64_t, format::kSiteCounters>;

/// What each lane says of each counter, of global memory and of local memory.
std::vector<Counts> countedBy(std::uint64_t mask, const std::vector<std::uint64_t> &addresses, std::uint32_t bytes, AccessKind kind) {
  Wave together(static_cast<unsigned>(__builtin_popcountll(mask)));
  std::vector<Counts> out(kLanes);
  std::vector<std::thread> threads;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (mask >> lane & 1)
      threads.emplace_back([&, lane] {
        wave = &together;
        ownLane = lane;
        const kperf64::detail::AccessingLanes who(mask, lane);
        const kperf64::detail::GlobalCounts global(who, addresses[lane], bytes, kind);
        const kperf64::detail::SharedCounts shared(who, addresses[lane], bytes, kind);
        for (unsigned counter = 0; counter < format::kOtherAccesses; ++counter)
          out[lane][counter] = counter < format::kSharedAccesses ? global[counter] : shared[counter];
      });
  for (std::thread &thread : threads)
    thread.join();
  return out;
}

/// By sets; of local memory, each half of the wave is a warp whose accesses are served in the same groups.
Counts onPaper(std::uint64_t mask, const std::vector<std::uint64_t> &addresses, std::uint32_t bytes, AccessKind kind) {
  Counts out{};
  std::multiset<std::uint64_t> places;
  std::set<std::uint64_t> lines;
  std::map<std::uint64_t, std::uint64_t> sectors; // and as often as each counts
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (mask >> lane & 1) {
      places.insert(addresses[lane]);
      std::uint64_t &times = sectors[addresses[lane] / 32];
      times = kind == AccessKind::Atomic ? std::max<std::uint64_t>(times, places.count(addresses[lane])) : 1;
      lines.insert(addresses[lane] / 128);
    }
  out[format::kLanes] = out[format::kSharedLanes] = places.size();
  out[format::kDistinctBytes] = bytes * std::set(places.begin(), places.end()).size();
  for (const auto &[sector, times] : sectors)
    out[format::kSectors] += times;
  out[format::kLines] = lines.size();
  for (const std::uint64_t place : places)
    out[format::kSerialLanes] = std::max<std::uint64_t>(out[format::kSerialLanes], places.count(place));
  for (unsigned half = 0; half < 2; ++half)
    if (const auto lanes = static_cast<std::uint32_t>(mask >> 32 * half)) {
      kperf::host::AccessCounts::Counts counts{};
      kperf::host::AccessCounts(lanes, addresses.data() + 32 * half, bytes)
          .addShared(counts, kind == AccessKind::Atomic ? kind : AccessKind::Store);
      out[format::kWavefronts] += counts[format::kWavefronts];
      out[format::kMinWavefronts] += counts[format::kMinWavefronts];
    }
  return out;
}

TEST(WaveCounts, AnyAddresses) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t bytes = 1u << random() % 5;
    const std::uint64_t range = 1u << random() % 12, stride = random() % 5;
    std::uint64_t mask = round % 4 == 0 ? ~std::uint64_t{0} : random();
    if (round % 4 == 2)
      mask &= random() & random();
    mask |= std::uint64_t{1} << random() % 64;
    std::vector<std::uint64_t> addresses(kLanes);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      addresses[lane] = (1u << 20) + (round % 2 ? random() % range : lane * stride) * bytes;
    const AccessKind kind = round / 4 % 2 ? AccessKind::Atomic : AccessKind::Load; // AMD GPUs do not merge loads
    const Counts expected = onPaper(mask, addresses, bytes, kind);
    const std::vector<Counts> found = countedBy(mask, addresses, bytes, kind);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (const unsigned counter : {format::kLanes, format::kDistinctBytes, format::kSectors, format::kLines, format::kSerialLanes,
                                     format::kSharedLanes, format::kWavefronts, format::kMinWavefronts})
        if (mask >> lane & 1) {
          ASSERT_EQ(found[lane][counter], expected[counter])
              << "round " << round << " counter " << counter << " lane " << lane << " mask " << std::hex << mask << " bytes " << bytes;
        }
  }
}

} // namespace
