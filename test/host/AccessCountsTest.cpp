// What the GPU's probe computes with warp votes (kperf/cuda/AccessCounts.h) against the plain statement of the same
// rules.
#include "Launching.h"

#include <kperf/cuda/AccessCounts.h>
#include <kperf/host/AccessCounts.h>

#include <random>

using kperf::host::AccessCounts;
using kperf::host::launch;
using kperf::test::DeviceArray;
namespace format = kperf::format;

namespace {

constexpr unsigned kShared = format::kSharedAccesses, kEnd = format::kOtherAccesses;

/// Each lane of `mask` writes what it computed of every counter; lanes must agree.
__global__ void count(std::uint32_t mask, const std::uint64_t *addresses, std::uint32_t bytes, std::uint32_t *out) {
  const unsigned lane = threadIdx.x;
  if (!(mask >> lane & 1))
    return;
  const kperf::detail::AccessingLanes who(mask, lane);
  const kperf::detail::GlobalCounts global(who, addresses[lane], bytes);
  const kperf::detail::SharedCounts shared(who, addresses[lane], bytes);
  for (unsigned counter = 0; counter < kEnd; ++counter)
    out[counter * 32 + lane] = counter < kShared ? global[counter] : shared[counter];
}

void compare(std::uint32_t mask, const std::vector<std::uint64_t> &addresses, std::uint32_t bytes) {
  DeviceArray<std::uint64_t> in(32);
  DeviceArray<std::uint32_t> out(kEnd * 32);
  cudaMemcpy(in, addresses.data(), 32 * sizeof(std::uint64_t), cudaMemcpyHostToDevice);
  launch(count, 1, 32)(mask, in, bytes, out);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  AccessCounts::Counts expected{};
  AccessCounts(mask, addresses.data(), bytes).addGlobal(expected);
  AccessCounts(mask, addresses.data(), bytes).addShared(expected);
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
          compare(mask, addresses, bytes);
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
    compare(mask | 1u << random() % 32, addresses, bytes);
  }
}

} // namespace
