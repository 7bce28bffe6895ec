// What the GPU's probe computes with warp votes (kperf/cuda/AccessCounts.h) against the plain statement of the same
// rules.
#include "Launching.h"

#include <kperf/cuda/AccessCounts.h>
#include <kperf/host/AccessCounts.h>

#include <random>
#include <tuple>

using kperf::host::AccessCounts;
using kperf::host::launch;
using kperf::test::DeviceArray;
namespace format = kperf::format;

namespace {

constexpr unsigned kShared = format::kSharedAccesses, kEnd = format::kOtherAccesses;

/// Each lane of `mask` writes what it computed of every counter; lanes must agree.
__global__ void count(std::uint32_t mask, const std::uint64_t *addresses, std::uint32_t bytes, bool isLoad,
                      std::uint32_t *out) {
  const unsigned lane = threadIdx.x;
  if (!(mask >> lane & 1))
    return;
  const kperf::detail::AccessingLanes who(mask, lane);
  const kperf::detail::GlobalCounts global(who, addresses[lane], bytes);
  const kperf::detail::SharedCounts shared(who, addresses[lane], bytes, isLoad);
  for (unsigned counter = 0; counter < kEnd; ++counter)
    out[counter * 32 + lane] = counter < kShared ? global[counter] : shared[counter];
}

void compare(std::uint32_t mask, const std::vector<std::uint64_t> &addresses, std::uint32_t bytes, bool isLoad) {
  DeviceArray<std::uint64_t> in(32);
  DeviceArray<std::uint32_t> out(kEnd * 32);
  cudaMemcpy(in, addresses.data(), 32 * sizeof(std::uint64_t), cudaMemcpyHostToDevice);
  launch(count, 1, 32)(mask, in, bytes, isLoad, out);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  AccessCounts::Counts expected{};
  AccessCounts(mask, addresses.data(), bytes).addGlobal(expected);
  AccessCounts(mask, addresses.data(), bytes).addShared(expected, isLoad);
  const std::vector<std::uint32_t> found = out.toHost();
  for (unsigned counter = 0; counter < kEnd; ++counter)
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) {
        ASSERT_EQ(found[counter * 32 + lane], expected[counter])
            << "counter " << counter << " lane " << lane << " mask " << std::hex << mask << " bytes " << bytes;
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
          compare(mask, addresses, bytes, elements % 2 == 0);
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
    compare(mask | 1u << random() % 32, addresses, bytes, round % 2);
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
    for (const auto &[mask, bytes, isLoad, wavefronts] :
         {std::tuple{~0u, 8u, true, row.load8}, {~0u, 16u, true, row.load16}, {0xffffu, 8u, true, row.low8},
          {0xffffu, 16u, true, row.low16}, {~0u, 8u, false, row.store8}, {~0u, 16u, false, row.store16}}) {
      std::uint64_t addresses[32];
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses[lane] = std::uint64_t{bytes} * row.element(lane);
      AccessCounts::Counts counts{};
      AccessCounts(mask, addresses, bytes).addShared(counts, isLoad);
      if (wavefronts == kOther)
        continue;
      EXPECT_EQ(counts[format::kWavefronts], wavefronts)
          << "row " << &row - rows << " mask " << mask << " bytes " << bytes << (isLoad ? " load" : " store");
    }
}

} // namespace
