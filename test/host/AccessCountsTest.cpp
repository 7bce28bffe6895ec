// What the GPU's probe computes with warp votes (kperf/gpu/memory/AccessCounts.h) against the plain statement of the same
// rules.
#include "Launching.h"

#include <kperf/cuda/memory/PatternCounts.h>
#include <kperf/rules/AccessCounts.h>

#include <random>
#include <set>
#include <tuple>

using kperf::detail::AccessKind;
using kperf::host::AccessCounts;
using kperf::host::launch;
using kperf::test::DeviceArray;
namespace format = kperf::format;

namespace {

constexpr AccessKind kKinds[] = {AccessKind::Store, AccessKind::Load, AccessKind::Atomic};
constexpr unsigned kShared = format::kSharedAccesses, kEnd = format::kOtherAccesses;

/// Each lane of `mask` writes what it computed of every counter; lanes must agree.
__global__ void count(std::uint32_t mask, const std::uint64_t *addresses, std::uint32_t bytes, AccessKind kind, std::uint32_t *out) {
  const unsigned lane = threadIdx.x;
  if (!(mask >> lane & 1))
    return;
  const kperf::detail::AccessingLanes who(mask, lane);
  const kperf::detail::GlobalCounts global(who, addresses[lane], bytes, kind);
  const kperf::detail::SharedCounts shared(who, addresses[lane], bytes, kind);
  for (unsigned counter = 0; counter < kEnd; ++counter)
    out[counter * 32 + lane] = counter < kShared ? global[counter] : shared[counter];
}

void compare(std::uint32_t mask, const std::vector<std::uint64_t> &addresses, std::uint32_t bytes, AccessKind kind) {
  DeviceArray<std::uint64_t> in(32);
  DeviceArray<std::uint32_t> out(kEnd * 32);
  cudaMemcpy(in, addresses.data(), 32 * sizeof(std::uint64_t), cudaMemcpyHostToDevice);
  launch(count, 1, 32)(mask, in, bytes, kind, out);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  AccessCounts::Counts expected{};
  AccessCounts(mask, addresses.data(), bytes).addGlobal(expected, kind);
  AccessCounts(mask, addresses.data(), bytes).addShared(expected, kind);
  const std::vector<std::uint32_t> found = out.toHost();
  for (unsigned counter = 0; counter < kEnd; ++counter)
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) {
        ASSERT_EQ(found[counter * 32 + lane], expected[counter])
            << "counter " << counter << " lane " << lane << " mask " << std::hex << mask << " bytes " << bytes;
      }
}

/// What the GPU keeps of an access in place of its counters, from each lane.
__global__ void findPattern(std::uint32_t mask, const std::uint64_t *addresses, std::uint32_t bytes, bool isGlobal, AccessKind kind,
                            std::uint64_t *out) {
  const unsigned lane = threadIdx.x;
  if (mask >> lane & 1)
    out[lane] = kperf::detail::patternOf(kperf::detail::AccessingLanes(mask, lane), addresses[lane], isGlobal, !isGlobal, bytes, kind);
}

/// A pattern stands for the counters of the access; true if there is one.
bool comparePattern(std::uint32_t mask, const std::vector<std::uint64_t> &addresses, std::uint32_t bytes, bool isGlobal, AccessKind kind) {
  DeviceArray<std::uint64_t> in(32), out(32);
  cudaMemcpy(in, addresses.data(), 32 * sizeof(std::uint64_t), cudaMemcpyHostToDevice);
  launch(findPattern, 1, 32)(mask, in, bytes, isGlobal, kind, out);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::uint64_t> found = out.toHost();
  const std::uint64_t key = found[static_cast<unsigned>(__builtin_ctz(mask))];
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      EXPECT_EQ(found[lane], key);
    }
  if (key == 0)
    return false;
  AccessCounts::Counts expected{};
  if (isGlobal)
    AccessCounts(mask, addresses.data(), bytes).addGlobal(expected, kind);
  else
    AccessCounts(mask, addresses.data(), bytes).addShared(expected, kind);
  EXPECT_EQ(kperf::host::countsOf(kperf::detail::AccessPattern::of(key)), expected)
      << "mask " << std::hex << mask << " bytes " << bytes << (isGlobal ? " global" : " shared");
  return true;
}

TEST(AccessPattern, ConstantStrides) {
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
    for (const std::int64_t elements : {0l, 1l, 2l, 3l, 16l, 31l, 32l, 33l, 64l, -1l, -2l, -33l, 1l << 26, -(1l << 26), 1l << 40})
      for (const std::uint32_t mask : {~0u, 0xffffu, 0x1u, 0x55555555u, 0x80000001u, 0x10u, 0xfffffffeu})
        for (const std::uint64_t base : {0u, 32u, 64u + bytes, 96u, 127 / bytes * bytes})
          for (const bool isGlobal : {false, true}) {
            std::vector<std::uint64_t> addresses(32);
            for (int lane = 0; lane < 32; ++lane)
              addresses[lane] = (std::uint64_t{1} << 48) + base + static_cast<std::uint64_t>(lane * elements * bytes);
            const unsigned first = static_cast<unsigned>(__builtin_ctz(mask)), others = mask & (mask - 1);
            const std::int64_t stride =
                others ? static_cast<std::int64_t>(addresses[static_cast<unsigned>(__builtin_ctz(others))] - addresses[first]) : 0;
            EXPECT_EQ(comparePattern(mask, addresses, bytes, isGlobal, kKinds[static_cast<std::size_t>(std::abs(elements)) % 3]),
                      stride == static_cast<std::int32_t>(stride) && (isGlobal || (mask & (mask + 1)) == 0))
                << mask << " " << elements;
          }
}

TEST(AccessPattern, NoneForUnevenLanes) {
  std::mt19937 random(5);
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t bytes = 1u << random() % 5, mask = round % 2 ? ~0u : random() | 7u;
    const std::uint64_t aside = round % 3 ? static_cast<unsigned>(31 - __builtin_clz(mask)) : 32; // one lane, or none
    std::vector<std::uint64_t> addresses(32);
    std::uint64_t rank = 0;
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      addresses[lane] = (1u << 20) + (lane == aside ? 64 : mask >> lane & 1 ? rank++ : 1000) * bytes;
    EXPECT_EQ(comparePattern(mask, addresses, bytes, true, kKinds[round % 3]), aside == 32) << round;
  }
}

/// Rows of 2 to 16 lanes, near and far, one upon the other, backwards: a pattern each, of the counters of its addresses.
TEST(AccessPattern, Tiles) {
  std::mt19937 random(11);
  unsigned tiles = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t bytes = 1u << random() % 5, width = 2u << random() % 4;
    const auto strideElements =
        static_cast<std::int64_t>(random() % 6 == 0 ? random() % 512 : random() % 3) - (random() % 6 == 0 ? 256 : 0);
    const std::int64_t rows[] = {0, 1, 2, 16, 33, 128, 1000, 4096, -1, -64}, stride = std::min<std::int64_t>(strideElements, 255) * bytes;
    const std::int64_t rowStride = rows[random() % std::size(rows)] * bytes;
    const std::uint64_t base = (std::uint64_t{1} << 48) + random() % 8 * 16 / bytes * bytes;
    std::vector<std::uint64_t> addresses(32);
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = base + static_cast<std::uint64_t>(stride * (lane % width) + rowStride * (lane / width));
    for (const bool isGlobal : {false, true})
      for (const AccessKind kind : kKinds)
        EXPECT_TRUE(comparePattern(~0u, addresses, bytes, isGlobal, kind)) << width << " lanes " << stride << " apart, rows " << rowStride;
    tiles += rowStride != stride * width;
    addresses[random() % 31 + 1] += bytes * 1009; // one lane elsewhere
    EXPECT_FALSE(comparePattern(~0u, addresses, bytes, true, AccessKind::Load));
  }
  EXPECT_GT(tiles, 3000u);
}

/// A stride of more elements than a key holds, and rows of three lanes, are no tile.
TEST(AccessPattern, NoneForOtherTiles) {
  for (const auto &[width, stride] : {std::pair{8u, 256u * 4}, {3u, 4u}, {12u, 4u}}) {
    std::vector<std::uint64_t> addresses(32);
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = (std::uint64_t{1} << 48) + stride * (lane % width) + 100000 * (lane / width);
    EXPECT_FALSE(comparePattern(~0u, addresses, 4, true, AccessKind::Load)) << width;
  }
}

/// The misalignments of one access, of which there may be 32, seldom share a place.
TEST(AccessPattern, PlacesAreUsed) {
  std::array<int, 32> used{};
  for (unsigned offset = 0; offset < 128; offset += 4)
    ++used.at(kperf::detail::AccessPattern::placeOf(kperf::detail::AccessPattern{4, offset, 32, 4, false, AccessKind::Load}.key()));
  EXPECT_LE(std::count(used.begin(), used.end(), 0), 12); // as many as if thrown at random: 32 / e
}

/// A bulk copy's counters against the bytes it touches, one by one.
TEST(BulkCounts, RangesByteByByte) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t first = (std::uint64_t{1} << 40) + random() % 300;
    const auto bytes = static_cast<std::uint32_t>(round % 50 ? random() % 700 : 0);
    std::set<std::uint64_t> sectors, lines;
    for (std::uint64_t at = first; at < first + bytes; ++at) {
      sectors.insert(at / 32);
      lines.insert(at / 128);
    }
    const kperf::detail::BulkCounts counts = {first, bytes};
    EXPECT_EQ(counts[format::kSectors], sectors.size()) << first << " " << bytes;
    EXPECT_EQ(counts[format::kLines], lines.size()) << first << " " << bytes;
    EXPECT_EQ(counts[format::kMinSectors], bytes / 32 + (bytes % 32 != 0));
    EXPECT_EQ(counts[format::kMinLines], bytes / 128 + (bytes % 128 != 0));
    EXPECT_EQ(counts[format::kBytes], bytes);
    EXPECT_EQ(counts[format::kDistinctBytes], bytes);
    EXPECT_EQ(counts[format::kMisaligned], first % 32 != 0 && sectors.size() > counts[format::kMinSectors]);
    for (const unsigned one : {format::kAccesses, format::kLanes, format::kUnit, format::kSerialLanes})
      EXPECT_EQ(counts[one], 1u);
    for (const unsigned none : {format::kBroadcast, format::kStrided, format::kIrregular, format::kStrideBytes})
      EXPECT_EQ(counts[none], 0u);
  }
}

TEST(AccessCounts, ConstantStrides) {
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
    for (const int elements : {0, 1, 2, 3, 4, 8, 16, 31, 32, 33, 64, -1, -2, -33})
      for (const std::uint32_t mask : {~0u, 0xffffu, 0x55555555u, 0x80000001u, 0x10u, 0xfffffffeu})
        for (const std::uint64_t base : {std::uint64_t{1} << 20, (std::uint64_t{1} << 20) + bytes}) {
          std::vector<std::uint64_t> addresses(32);
          for (int lane = 0; lane < 32; ++lane)
            addresses[lane] = base + static_cast<std::uint64_t>(std::int64_t{lane} * elements * bytes);
          for (const AccessKind kind : kKinds)
            compare(mask, addresses, bytes, kind);
        }
}

TEST(AccessCounts, AnyAddresses) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t bytes = 1u << random() % 5;
    const std::uint32_t range = 1u << random() % 12;
    std::uint32_t mask = random();
    for (int thinner = round % 4; thinner > 0; --thinner)
      mask &= random();
    std::vector<std::uint64_t> addresses(32);
    for (std::uint64_t &address : addresses)
      address = (1u << 20) + random() % range * bytes;
    if (round % 3) // pairs that agree, most of them
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses[lane] = random() % 64 == 0 ? addresses[lane] : addresses[lane & ~static_cast<unsigned>(round % 3)];
    compare(mask | 1u << random() % 32, addresses, bytes, kKinds[round / 4 % 3]);
  }
}

/// Wavefronts of one instruction by an H200's own counter (sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld and _st,
/// Nsight Compute 2025.3): a load of 8 bytes by a whole warp, of 16 bytes by a whole warp, of 8 and of 16 bytes by the lower
/// half, a store of 8 and of 16 bytes by a whole warp. Of 16-byte loads by a part of a warp the rule is an approximation: the
/// lower half takes 1 where it is said to take 2 for elements i % 8 and i % 4, which are left out here, and every other lane
/// took 1 more or 1 less for some.
TEST(AccessCounts, WavefrontsAreThoseOfTheHardware) {
  using Element = unsigned (*)(unsigned lane);
  constexpr unsigned kOther = 0;
  struct Row {
    Element element;
    unsigned load8, load16, low8, low16, store8, store16;
  };
  const Row rows[] = {
      {[](unsigned i) { return i; }, 2, 4, 1, 2, 2, 4},
      {[](unsigned) { return 0u; }, 1, 2, 1, 1, 2, 4},
      {[](unsigned i) { return i / 2; }, 1, 2, 1, 1, 2, 4},
      {[](unsigned i) { return (i & 1) | i / 4 * 2; }, 1, 2, 1, 1, 2, 4},
      {[](unsigned i) { return i < 16 ? i / 2 : i; }, 2, 3, 1, 1, 2, 4},
      {[](unsigned i) { return i < 16 ? i / 2 : (i & 1) | i / 4 * 2; }, 2, 2, 1, 1, 2, 4},
      {[](unsigned i) { return i % 8; }, 2, 4, 1, kOther, 2, 4},
      {[](unsigned i) { return i / 8; }, 1, 2, 1, 1, 2, 4},
      {[](unsigned i) { return i / 4; }, 1, 2, 1, 1, 2, 4},
      {[](unsigned i) { return i % 4; }, 2, 4, 1, kOther, 2, 4},
      {[](unsigned i) { return i / 16; }, 1, 2, 1, 1, 2, 4},
      {[](unsigned i) { return i / 2 * 8; }, 8, 16, 4, 8, 8, 16},
      {[](unsigned i) { return i * 8; }, 16, 32, 8, 16, 16, 32},
  };
  for (const Row &row : rows)
    for (const auto &[mask, bytes, kind, wavefronts] : {std::tuple{~0u, 8u, AccessKind::Load, row.load8},
                                                        {~0u, 16u, AccessKind::Load, row.load16},
                                                        {0xffffu, 8u, AccessKind::Load, row.low8},
                                                        {0xffffu, 16u, AccessKind::Load, row.low16},
                                                        {~0u, 8u, AccessKind::Store, row.store8},
                                                        {~0u, 16u, AccessKind::Store, row.store16}}) {
      std::uint64_t addresses[32];
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses[lane] = std::uint64_t{bytes} * row.element(lane);
      AccessCounts::Counts counts{};
      AccessCounts(mask, addresses, bytes).addShared(counts, kind);
      if (wavefronts == kOther)
        continue;
      EXPECT_EQ(counts[format::kWavefronts], wavefronts)
          << "row " << &row - rows << " mask " << mask << " bytes " << bytes << (kind == AccessKind::Load ? " load" : " store");
    }
}

/// Sectors and wavefronts of one atomic instruction by an H100's own counters (l1tex__t_sectors_pipe_lsu_mem_global_op_red and _atom,
/// sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom; Nsight Compute 2025.3): sums, maxima, exchanges and compare-and-swaps
/// alike, with a result and without, of elements of 4 and 8 bytes in global memory and of integers of 4 in shared memory.
using Element = int (*)(int lane); // -1: the lane takes no part
struct AtomicRow {
  Element element;
  unsigned sectors4, sectors8, wavefronts;
};
const AtomicRow kAtomicRows[] = {
    {[](int i) { return i; }, 4, 8, 1},
    {[](int) { return 0; }, 32, 32, 32},
    {[](int i) { return i / 2; }, 4, 8, 2},
    {[](int i) { return i / 8; }, 8, 8, 8},
    {[](int i) { return i % 4; }, 8, 8, 8},
    {[](int i) { return i % 8; }, 4, 8, 4},
    {[](int i) { return i % 2; }, 16, 16, 16},
    {[](int i) { return i < 3 ? 0 : i; }, 6, 10, 3},
    {[](int i) { return i < 3   ? 0
                        : i < 5 ? 1
                                : i * 8; }, 30, 30, 9},
    {[](int i) { return i * 8; }, 32, 32, 8},
    {[](int i) { return i * 8 % 64; }, 32, 32, 8},
    {[](int i) { return i * 7 % 13; }, 6, 11, 3},
    {[](int i) { return i < 16 ? 0 : -1; }, 16, 16, 16},
    {[](int i) { return i % 16; }, 4, 8, 2},
    {[](int i) { return i == 31 ? 0 : i; }, 5, 9, 2},
    {[](int i) { return i + 5; }, 5, 9, 1},
    {[](int i) { return (i * i * 5 + 3 * i) % 11; }, 12, 18, 6},
    {[](int i) { return i < 20   ? 0
                        : i < 28 ? 32 + i % 2
                                 : 64 + i; }, 25, 25, 24},
    {[](int i) { return i * 32 % 512; }, 32, 32, 32},
    {[](int i) { return i / 2 * 32 % 512; }, 32, 32, 32},
};

TEST(AccessCounts, AtomicsAreThoseOfTheHardware) {
  for (const AtomicRow &row : kAtomicRows)
    for (const std::uint32_t bytes : {4u, 8u}) {
      std::uint64_t addresses[32] = {};
      std::uint32_t mask = 0;
      for (int lane = 0; lane < 32; ++lane)
        if (const int element = row.element(lane); element >= 0) {
          addresses[lane] = std::uint64_t{bytes} * static_cast<unsigned>(element);
          mask |= 1u << lane;
        }
      AccessCounts::Counts counts{};
      AccessCounts(mask, addresses, bytes).addGlobal(counts, AccessKind::Atomic);
      AccessCounts(mask, addresses, bytes).addShared(counts, AccessKind::Atomic);
      EXPECT_EQ(counts[format::kSectors], bytes == 4 ? row.sectors4 : row.sectors8) << "row " << &row - kAtomicRows;
      EXPECT_LE(counts[format::kMinSectors], counts[format::kSectors]) << "row " << &row - kAtomicRows;
      if (bytes == 4) {
        EXPECT_EQ(counts[format::kWavefronts], row.wavefronts) << "row " << &row - kAtomicRows;
      }
      EXPECT_LE(counts[format::kMinWavefronts], counts[format::kWavefronts]) << "row " << &row - kAtomicRows;
    }
}

} // namespace
