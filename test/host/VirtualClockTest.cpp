// The virtual clock: time is what the kernel does, and two runs are the same to the byte.
#include "Arena.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

using kperf::host::launch;
using kperf::test::Arena;
using kperf::test::RecordedWarp;
using namespace kperf::format;
namespace ticks = kperf::host::ticks;

namespace {

// Before anything reads the settings.
const int kConfigured = setenv("KPERF_HOST_CLOCK", "virtual", 1) + unsetenv("KPERF_HOST_SMS") + setenv("KPERF_HOST_THREADS", "2", 1);

constexpr std::uint32_t kKernelId = 0x100, kOuterId = 0x101, kInnerId = 0x102;

__global__ void knownWork(unsigned each) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  const ::kperf::Scope kperf_scope_0(kOuterId);
  kperf::host::work(100);
  {
    const ::kperf::Scope kperf_scope_1(kInnerId);
    kperf::host::work(each * (threadIdx.x + 1));
  }
  __syncthreads();
}

TEST(VirtualClock, SpansTakeWhatTheirWorkTakes) {
  ASSERT_EQ(kConfigured, 0);
  Arena arena(1 << 16, 4);
  launch(knownWork, 1, 64)(10);
  const std::vector<RecordedWarp> warps = arena.warps();
  ASSERT_EQ(warps.size(), 2u);
  for (std::uint32_t w = 0; w < 2; ++w) {
    const Record outer = warps[w].records[0], inner = warps[w].records[1];
    const auto start = static_cast<std::uint32_t>(warps[w].header.startCycles);
    EXPECT_EQ(outer.first - start, ticks::kClock);
    EXPECT_EQ(inner.first - outer.first, 100 + ticks::kClock);
    EXPECT_EQ(inner.second - inner.first, 10 * (w + 1) * 32 + ticks::kClock) << "the slowest lane";
    // The barrier opens when the slowest thread of the block has come: it has read the clock four times by then.
    EXPECT_EQ(outer.second - start, 4 * ticks::kClock + 100 + 640 + ticks::kBarrier);
    EXPECT_EQ(warps[w].header.endCycles - warps[w].header.startCycles, outer.second - start + ticks::kClock);
  }
}

TEST(VirtualClock, CalibrationFindsWhatAProbeTakes) {
  Arena arena(1 << 16, 128);
  ASSERT_EQ(kperf::host::calibrate(nullptr), 0);
  const RecordedWarp warp = arena.warps().at(0);
  EXPECT_EQ(warp.header.kernel, kCalibrationKernel);
  ASSERT_EQ(warp.header.produced, kCalibrationPasses * (kCalibrationRegions + 1));
  for (std::uint32_t i = 0; i < warp.header.produced; ++i) {
    const Record &record = warp.records[i];
    const bool isEmpty = kperf::test::idOf(record) == kCalibrationSharedEmpty;
    EXPECT_EQ(record.second - record.first, ticks::kClock * (isEmpty ? 1 : 1 + 2 * kCalibrationRegions));
  }
}

TEST(VirtualClock, CalibrationTakesNoTimeOfTheProgram) {
  Arena arena(1 << 16, 128);
  ASSERT_EQ(kperf::host::calibrate(nullptr), 0);
  launch(knownWork, 4, 32)(10); // a block for each multiprocessor
  const std::vector<RecordedWarp> warps = arena.warps();
  ASSERT_EQ(warps.size(), 5u);
  for (std::size_t w = 2; w < warps.size(); ++w)
    EXPECT_EQ(warps[w].header.startCycles, warps[1].header.startCycles) << "of multiprocessor " << w - 1;
}

__global__ void readCosts(long long *out) {
  int n = 0;
  const auto note = [&] { out[n++] = clock64(); };
  note();
  note();
  __syncthreads();
  note();
  __shfl_xor_sync(0xffffffff, 1, 1);
  note();
  __ballot_sync(0xffffffff, 1);
  note();
  __syncwarp();
  note();
  static __device__ int counter;
  atomicAdd(&counter, 1);
  note();
  __nanosleep(500);
  note();
  kperf::host::work(77);
  note();
}

TEST(VirtualClock, EveryOperationTakesItsTicks) {
  long long *out = nullptr;
  cudaMallocManaged(&out, 9 * sizeof(*out));
  launch(readCosts, 1, 1)(out);
  const std::uint64_t expected[] = {0, ticks::kBarrier, ticks::kMeeting, ticks::kMeeting, ticks::kMeeting, ticks::kAtomic, 500, 77};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(static_cast<std::uint64_t>(out[i + 1] - out[i]), expected[i] + ticks::kClock) << i;
  cudaFree(out);
}

__global__ void groupCosts(long long *out) {
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(threadIdx.x);
  const cg::coalesced_group part = cg::binary_partition(warp, lane < 5);
  int n = 0;
  const auto note = [&] {
    warp.sync();
    const long long now = clock64();
    if (lane == 0)
      out[n++] = now;
  };
  note();
  cg::inclusive_scan(warp, lane);
  note();
  cg::exclusive_scan(warp, lane);
  note();
  cg::exclusive_scan(warp, lane, cg::greater<int>());
  note();
  cg::reduce(warp, lane, cg::plus<int>());
  note();
  if (lane < 5)
    cg::inclusive_scan(part, lane);
  note();
  if (lane < 5)
    cg::reduce(part, lane, cg::plus<int>());
  note();
}

TEST(VirtualClock, GroupsTakeTheShufflesOfCudas) {
  long long *out = nullptr;
  cudaMallocManaged(&out, 7 * sizeof(*out));
  launch(groupCosts, 1, 32)(out);
  const std::uint64_t expected[] = {5, 5, 6, 5, 3, 4};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(static_cast<std::uint64_t>(out[i + 1] - out[i]), (expected[i] + 1) * ticks::kMeeting + ticks::kClock) << i;
  cudaFree(out);
}

__global__ void workByBlock() {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  kperf::host::work(1000 * (blockIdx.x + 1));
}

TEST(VirtualClock, BlocksFollowOneAnotherOnTheirMultiprocessor) {
  Arena arena(1 << 16, 4);
  launch(workByBlock, 10, 1)();
  const std::vector<RecordedWarp> warps = arena.warps();
  ASSERT_EQ(warps.size(), 10u);
  std::uint64_t free[4]; // other tests' launches may have left the multiprocessors free at different times
  for (std::size_t sm = 0; sm < 4; ++sm)
    free[sm] = warps[sm].header.startCycles;
  for (std::size_t block = 0; block < 10; ++block) {
    const WarpHeader &header = warps[block].header;
    EXPECT_EQ(header.block, block);
    EXPECT_EQ(header.sm, block % 4);
    EXPECT_EQ(header.startCycles, free[block % 4]);
    EXPECT_EQ(header.endCycles, header.startCycles + 1000 * (block + 1) + ticks::kClock);
    free[block % 4] = header.endCycles + ticks::kClock; // the probe at the exit reads once more than it records
  }
}

TEST(VirtualClock, StreamsOverlapAndEventsJoinThem) {
  cudaStream_t a = nullptr, b = nullptr;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEvent_t start = nullptr, afterA = nullptr, afterB = nullptr, joined = nullptr;
  for (cudaEvent_t *event : {&start, &afterA, &afterB, &joined})
    cudaEventCreate(event);
  cudaDeviceSynchronize();
  cudaEventRecord(start, a);
  launch(workByBlock, 1, 1, 0, a)();
  launch(workByBlock, 1, 1, 0, a)();
  cudaEventRecord(afterA, a);
  cudaEventRecord(afterB, b);
  cudaStreamWaitEvent(b, afterA);
  cudaEventRecord(joined, b);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, afterA);
  EXPECT_FLOAT_EQ(ms, 0.002f) << "launches in one stream follow each other";
  cudaEventElapsedTime(&ms, start, afterB);
  EXPECT_FLOAT_EQ(ms, 0.0f);
  cudaEventElapsedTime(&ms, afterA, joined);
  EXPECT_FLOAT_EQ(ms, 0.0f);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

__global__ void racy(int *queue, int *out) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  for (int i = 0; i < 5; ++i) {
    const ::kperf::Scope kperf_scope_0(kOuterId);
    const int ticket = atomicAdd(queue, 1); // depends on the order of the blocks
    kperf::host::work(static_cast<std::uint64_t>(ticket) % 97);
    if (threadIdx.x % 3 == 0)
      ::kperf::mark(kInnerId, ticket);
    __syncthreads();
    out[ticket] = static_cast<int>(blockIdx.x * 1000 + threadIdx.x);
  }
}

__global__ void racyGrid(int *queue) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kKernelId);
  for (int i = 0; i < 3; ++i) {
    kperf::host::work(static_cast<std::uint64_t>(atomicAdd(queue, 1)) % 31);
    cooperative_groups::this_grid().sync();
    ::kperf::mark(kInnerId, i);
  }
}

/// Everything that two runs have to agree on, in a process of its own with this many threads.
std::vector<std::uint64_t> runWith(const char *threads) {
  int ends[2];
  if (pipe(ends) != 0)
    return {};
  const pid_t child = fork();
  if (child == 0) {
    setenv("KPERF_HOST_THREADS", threads, 1);
    Arena arena(1 << 20, 16);
    int *queue = nullptr, *out = nullptr;
    cudaMallocManaged(&queue, sizeof(int));
    cudaMallocManaged(&out, 16 * 48 * 5 * sizeof(int));
    *queue = 0;
    launch(racy, 16, 48)(queue, out);
    void *arguments[] = {&queue};
    cudaLaunchCooperativeKernel(racyGrid, dim3(8), dim3(40), arguments);
    std::vector<std::uint64_t> bytes = arena.bytes();
    bytes.push_back(arena.part.used_bytes);
    for (int i = 0; i < 16 * 48 * 5; ++i)
      bytes.push_back(static_cast<std::uint64_t>(out[i]));
    bool ok = cudaDeviceSynchronize() == cudaSuccess;
    ok &= write(ends[1], bytes.data(), bytes.size() * 8) == static_cast<ssize_t>(bytes.size() * 8);
    _exit(ok ? 0 : 1);
  }
  close(ends[1]);
  std::vector<std::uint64_t> bytes;
  std::uint64_t buffer[512];
  std::size_t have = 0;
  for (ssize_t got; (got = read(ends[0], reinterpret_cast<char *>(buffer) + have, sizeof(buffer) - have)) > 0;) {
    have += static_cast<std::size_t>(got);
    bytes.insert(bytes.end(), buffer, buffer + have / 8);
    std::memmove(buffer, reinterpret_cast<char *>(buffer) + have / 8 * 8, have % 8);
    have %= 8;
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return bytes;
}

// Named so that it runs first: the settings must not have been read when it forks.
TEST(AVirtualClock, RunsAreTheSameWhateverTheThreads) {
  const std::vector<std::uint64_t> one = runWith("1"), two = runWith("2"), again = runWith("2");
  ASSERT_GT(one.size(), std::size_t{1} << 17);
  EXPECT_NE(one[1 << 10], 0u) << "something was recorded";
  EXPECT_EQ(one, two);
  EXPECT_EQ(two, again);
}

} // namespace
