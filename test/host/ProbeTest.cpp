// What the probes write into the arena: slots, headers, records of lanes that come to a probe together, rings, losses.
#include "Arena.h"

#include <gtest/gtest.h>
#include <set>

using kperf::host::launch;
using kperf::test::Arena;
using kperf::test::idOf;
using kperf::test::kindOf;
using kperf::test::RecordedWarp;
using namespace kperf::format;

namespace {

constexpr std::uint32_t kKernelId = 0xabc001, kScopeId = 0xabc002, kRangeId = 0xabc003, kMarkId = 0xabc004;

__global__ void scopes(int rounds) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  for (int i = 0; i < rounds; ++i) {
    const ::kperf::Scope kperf_scope_0(kScopeId);
    if (threadIdx.x % 32 >= 16 && i == 1)
      return; // an exit in the middle still ends the region
  }
}

TEST(Probes, OneSlotForEachWarpAndOneRecordForEachExecution) {
  Arena arena(1 << 16, 8);
  launch(scopes, dim3(2, 3, 1), dim3(40, 1, 1))(3);
  const std::vector<RecordedWarp> warps = arena.warps();
  ASSERT_EQ(warps.size(), 12u);
  EXPECT_EQ(arena.part.used_bytes, 12 * (96 + 8 * 16u));
  EXPECT_EQ(arena.part.warps_refused, 0u);
  std::set<std::pair<std::uint64_t, int>> seen;
  for (const RecordedWarp &warp : warps) {
    const WarpHeader &header = warp.header;
    seen.insert({header.block, header.warp});
    EXPECT_EQ(header.kernel, kKernelId);
    EXPECT_EQ(header.nameAddress, 0u);
    EXPECT_EQ(header.capacity, 8u);
    EXPECT_EQ(header.produced, 3u);
    EXPECT_EQ(header.flags, kWarpFinished | kWarpReserved);
    EXPECT_EQ(header.slotBytes, 96 + 8 * 16u);
    EXPECT_EQ(header.gridX * 10000 + header.gridY * 100 + header.gridZ, 20301u);
    EXPECT_EQ(header.blockX * 100 + header.blockY * 10 + header.blockZ, 4011);
    EXPECT_GT(header.gridId, 0u);
    EXPECT_LE(header.startCycles, header.endCycles);
    EXPECT_EQ(header.startNs, header.startCycles);
    const std::uint32_t all = header.warp == 0 ? 0xffffffff : 0x000000ff;
    for (std::size_t i = 0; i < 3; ++i) {
      const Record &record = warp.records[i];
      EXPECT_EQ(record.tag, kScopeId | 1u << kKindShift);
      EXPECT_EQ(record.lanes, i < 2 ? all : all & 0xffff);
      EXPECT_LE(static_cast<std::uint32_t>(record.first - static_cast<std::uint32_t>(header.startCycles)),
                static_cast<std::uint32_t>(record.second - static_cast<std::uint32_t>(header.startCycles)));
    }
    EXPECT_EQ(warp.records[3].tag, 0u);
  }
  EXPECT_EQ(seen.size(), 12u);
}

template <typename T> __global__ void named(T) { ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId, __PRETTY_FUNCTION__); }

TEST(Probes, GridIdsAscendAndInstantiationsHaveNames) {
  Arena arena(1 << 16, 8);
  launch(named<int>, 1, 1)(1);
  launch(named<double>, 1, 1)(1);
  const std::vector<RecordedWarp> warps = arena.warps();
  ASSERT_EQ(warps.size(), 2u);
  EXPECT_EQ(warps[1].header.gridId, warps[0].header.gridId + 1);
  const auto nameOf = [&](std::size_t i) { return std::string(reinterpret_cast<const char *>(warps[i].header.nameAddress)); };
  EXPECT_NE(nameOf(0).find("int"), std::string::npos);
  EXPECT_NE(nameOf(1).find("double"), std::string::npos);
}

__global__ void marks(int rounds) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  for (int i = 0; i < rounds; ++i)
    ::kperf::mark(kMarkId, 100 * i + static_cast<int>(threadIdx.x));
}

TEST(Probes, FirstRecordsAreKept) {
  Arena arena(1 << 16, 4);
  launch(marks, 1, 32)(70);
  const RecordedWarp warp = arena.warps().at(0);
  EXPECT_EQ(warp.header.produced, 70u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(warp.records[i].tag, kMarkId | 4u << kKindShift);
    EXPECT_EQ(warp.records[i].second, 100 * i) << "the payload of the lowest lane";
    EXPECT_EQ(warp.records[i].lanes, 0xffffffffu);
  }
}

TEST(Probes, LastRecordsAreKeptInARing) {
  Arena arena(1 << 20, 8, true);
  launch(marks, 1, 32)(10003);
  const RecordedWarp warp = arena.warps().at(0);
  EXPECT_EQ(warp.header.produced, 10003u);
  for (std::uint32_t index = 10003 - 8; index < 10003; ++index) {
    const Record &record = warp.records[index % 8];
    EXPECT_EQ(record.second, 100 * index);
    EXPECT_EQ(record.lanes, 0xffffffffu);
    EXPECT_EQ(kperf::test::generationOf(record), index / 8 % 16);
  }
}

__global__ void ranges() {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  kperf_kernel.begin(kRangeId); // regions of the kernel's own body go by it, others not: here it is all the same
  kperf_kernel.mark(kMarkId, 1.5);
  if (threadIdx.x != 9)
    ::kperf::end(kRangeId);
  ::kperf::begin(kRangeId);
  kperf_kernel.end(kRangeId);
}

TEST(Probes, LanesThatSkippedSomethingWaitForTheOthers) {
  Arena arena(1 << 16, 16);
  launch(ranges, 1, 32)();
  const RecordedWarp warp = arena.warps().at(0);
  ASSERT_EQ(warp.header.produced, 5u);
  const struct {
    RecordKind kind;
    std::uint32_t lanes;
  } expected[] = {
      {RecordKind::Begin, ~0u}, {RecordKind::Mark, ~0u}, {RecordKind::End, ~(1u << 9)}, {RecordKind::Begin, ~0u}, {RecordKind::End, ~0u}};
  std::uint32_t previous = static_cast<std::uint32_t>(warp.header.startCycles);
  for (std::size_t i = 0; i < 5; ++i) {
    const Record &record = warp.records[i];
    EXPECT_EQ(kindOf(record), expected[i].kind) << i;
    EXPECT_EQ(record.lanes, expected[i].lanes) << i;
    EXPECT_EQ(record.second, kindOf(record) == RecordKind::Mark ? 1u : 0u);
    EXPECT_GE(static_cast<std::int32_t>(record.first - previous), 0) << "records are in the order of their clocks";
    previous = record.first;
  }
}

/// Lanes that go different ways and come back together, several times.
__global__ void diverging(int rounds) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  for (int i = 0; i < rounds; ++i) {
    const ::kperf::Scope kperf_scope_0(kScopeId);
    if (threadIdx.x >= 20) {
      const ::kperf::Scope kperf_scope_1(kRangeId);
      if (threadIdx.x == 21)
        continue; // leaves both
    }
    ::kperf::mark(kMarkId, threadIdx.x);
  }
}

TEST(Probes, LanesReconvergeAsOnAGpu) {
  constexpr int kRounds = 6;
  Arena arena(1 << 16, 32);
  launch(diverging, 1, 32)(kRounds);
  const RecordedWarp warp = arena.warps().at(0);
  ASSERT_EQ(warp.header.produced, kRounds * 3u) << "lanes that fell behind would make records of their own";
  for (std::size_t i = 0; i < kRounds * 3; i += 3) {
    const Record outer = warp.records[i], inner = warp.records[i + 1], mark = warp.records[i + 2];
    EXPECT_EQ(idOf(outer), kScopeId);
    EXPECT_EQ(outer.lanes, ~0u);
    EXPECT_EQ(idOf(inner), kRangeId);
    EXPECT_EQ(inner.lanes, ~0u << 20);
    EXPECT_EQ(idOf(mark), kMarkId);
    EXPECT_EQ(mark.lanes, ~(1u << 21));
    EXPECT_EQ(mark.second, 0u);
    const auto since = [&](std::uint32_t clock) { return static_cast<std::int32_t>(clock - outer.first); };
    EXPECT_LE(0, since(inner.first));
    EXPECT_LE(since(inner.first), since(inner.second));
    EXPECT_LE(since(inner.second), since(mark.first));
    EXPECT_LE(since(mark.first), since(outer.second)) << "regions are nested in time";
    EXPECT_LE(i > 0 ? since(warp.records[i - 3].second) : 0, 0) << "and follow each other";
  }
}

__global__ void takeTurns(volatile int *turn) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  for (bool done = false; !done;) {
    const ::kperf::Scope kperf_scope_0(kScopeId);
    if (atomicAdd(const_cast<int *>(turn), 0) == static_cast<int>(threadIdx.x)) {
      const ::kperf::Scope kperf_scope_1(kRangeId);
      *turn = *turn + 1;
      done = true;
    }
  }
}

TEST(Probes, LanesThatSpinForEachOtherGoOn) {
  Arena arena(1 << 18, 1024);
  int *turn = nullptr;
  cudaMallocManaged(&turn, sizeof(int));
  *turn = 0;
  launch(takeTurns, 1, 48)(turn);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*turn, 48);
  for (const RecordedWarp &warp : arena.warps())
    EXPECT_EQ(warp.header.flags, kWarpFinished | kWarpReserved);
  cudaFree(turn);
}

__global__ void stuck() {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  const ::kperf::Scope kperf_scope_0(kScopeId);
  if (threadIdx.x == 0)
    __trap();
}

__global__ void adding(unsigned *sum) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 100; ++k)
      atomicAdd(sum, 1u);
    ::kperf::mark(kMarkId);
  }
}

TEST(Probes, AtomicOperationsDoNotPartLanes) {
  Arena arena(1 << 16, 64);
  unsigned sum = 0;
  launch(adding, 1, 64)(&sum);
  EXPECT_EQ(sum, 64 * 8 * 100u);
  for (const RecordedWarp &warp : arena.warps()) {
    EXPECT_EQ(warp.header.produced, 8u);
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(warp.records[i].lanes, ~0u) << i;
  }
}

TEST(Probes, WarpsThatTrapStayUnfinished) {
  Arena arena(1 << 16, 4);
  testing::internal::CaptureStderr();
  launch(stuck, 1, 32)();
  testing::internal::GetCapturedStderr();
  cudaDeviceReset();
  const RecordedWarp warp = arena.warps().at(0);
  EXPECT_EQ(warp.header.flags, kWarpReserved);
  EXPECT_EQ(warp.header.capacity, 4u);
  EXPECT_EQ(kindOf(warp.records[0]), RecordKind::Empty);
  EXPECT_EQ(idOf(warp.records[0]), kScopeId) << "the region that never ended";
}

TEST(Probes, WarpsBeyondTheArenaAreCounted) {
  Arena arena(3 * (96 + 4 * 16) + 100, 4);
  launch(scopes, 5, 32)(1);
  EXPECT_EQ(arena.warps().size(), 3u);
  EXPECT_EQ(arena.part.warps_refused, 2u);
}

TEST(Probes, WithoutAnArenaNothingHappens) {
  launch(scopes, 5, 32)(1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

__global__ void few() {
  ::kperf::Kernel<::kperf::MaxConvergent<1>, ::kperf::MaxShared<1>> kperf_kernel(kKernelId);
  const ::kperf::ConvergentScope kperf_scope_0(kperf_kernel, kScopeId);
}

TEST(Probes, KernelsThatProduceLittleTakeLittleRoom) {
  Arena arena(1 << 16, 1024);
  launch(few, 1, 64)();
  EXPECT_EQ(arena.part.used_bytes, 2 * (96 + 2 * 2 * 16u)); // begin and end of a range are a record each here
  EXPECT_EQ(arena.warps().at(1).header.produced, 1u);
}

TEST(Probes, LaunchesAreAnnounced) {
  kperf::test::announced.clear();
  launch(few, dim3(2, 3), dim3(4, 5, 6), 128)();
  launch(few, 1, 2000)(); // refused: it is no launch
  cudaGetLastError();
  ASSERT_EQ(kperf::test::announced.size(), 1u);
  const kperf_launch &seen = kperf::test::announced[0];
  EXPECT_EQ(seen.grid[0] * 100 + seen.grid[1] * 10 + seen.grid[2], 231u);
  EXPECT_EQ(seen.block[0] * 100 + seen.block[1] * 10 + seen.block[2], 456u);
  EXPECT_EQ(seen.dynamic_shared_bytes, 128u);
}

TEST(Probes, GpuApi) {
  const kperf_gpu_api &api = *kperf::detail::moduleGpuApi();
  EXPECT_EQ(api.target, static_cast<std::uint32_t>(Target::Host));
  int device = -1;
  EXPECT_EQ(api.device(&device), 0);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(api.select(0), 0);
  EXPECT_NE(api.select(1), 0);
  kperf_device_info info;
  ASSERT_EQ(api.info(0, &info), 0);
  EXPECT_STREQ(info.architecture, "host");
  EXPECT_EQ(info.warp_lanes, 32u);
  EXPECT_EQ(info.clock_khz, 1000000u);
  void *memory = nullptr;
  ASSERT_EQ(api.allocate(&memory, 64), 0);
  std::uint64_t words[2] = {1, 1};
  EXPECT_EQ(api.copy_back(words, reinterpret_cast<std::uint64_t>(memory), 16), 0);
  EXPECT_EQ(words[0] + words[1], 0u) << "it is zeroed";
  std::memset(memory, 5, 64);
  EXPECT_EQ(api.clear(reinterpret_cast<std::uint64_t>(memory), 64), 0);
  EXPECT_EQ(static_cast<char *>(memory)[63], 0);
  EXPECT_EQ(api.synchronize(), 0);
  EXPECT_EQ(api.release(memory), 0);
  EXPECT_STREQ(api.error_text(2), "out of memory");
}

} // namespace
