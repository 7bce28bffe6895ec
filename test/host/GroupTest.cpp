// Cooperative groups: ranks, collectives of tiles and coalesced threads, the grid of a cooperative launch.
#include "Launching.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
using kperf::host::launch;
using kperf::test::DeviceArray;

namespace {

template <unsigned Lanes> __global__ void sumTiles(int *out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Lanes>(block);
  int value = static_cast<int>(block.thread_rank());
  for (unsigned d = tile.size() / 2; d > 0; d /= 2)
    value += tile.shfl_down(value, d);
  block.sync();
  const int sum = tile.shfl(value, 0);
  const int reduced = cg::reduce(tile, static_cast<int>(block.thread_rank()), cg::plus<int>());
  out[block.thread_rank()] =
      sum == reduced && tile.meta_group_rank() == block.thread_rank() / Lanes && tile.thread_rank() == block.thread_rank() % Lanes ? sum
                                                                                                                                   : -1;
}

template <unsigned Lanes> void expectTileSums() {
  DeviceArray<int> out(64);
  launch(sumTiles<Lanes>, 1, dim3(16, 4))(out);
  const std::vector<int> values = out.toHost();
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned first = i / Lanes * Lanes;
    ASSERT_EQ(values[i], static_cast<int>(Lanes * first + Lanes * (Lanes - 1) / 2)) << Lanes << " lanes, thread " << i;
  }
}

TEST(Groups, TilesOfABlock) {
  expectTileSums<1>();
  expectTileSums<4>();
  expectTileSums<16>();
  expectTileSums<32>();
}

__global__ void forgetParents(unsigned *out) {
  __shared__ cg::block_tile_memory<64> room;
  const cg::thread_block block = cg::this_thread_block(room);
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  out[block.thread_rank()] = 100 * warp.meta_group_rank() + 10 * tile.meta_group_rank() + tile.thread_rank();
}

TEST(Groups, TilesForgetTheirParent) {
  DeviceArray<unsigned> out(64);
  launch(forgetParents, 1, 64)(out);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(out.toHost()[i], 100 * (i / 32) + 10 * (i % 32 / 8) + i % 8);
}

__device__ unsigned sumOf(cg::thread_group group, unsigned *room, unsigned value) {
  const unsigned rank = static_cast<unsigned>(group.thread_rank());
  for (unsigned half = static_cast<unsigned>(group.size()) / 2; half > 0; half /= 2) {
    room[rank] = value;
    group.sync();
    value += rank < half ? room[rank + half] : 0;
    group.sync();
  }
  return value;
}

__global__ void sumAnyGroup(unsigned *out) {
  __shared__ unsigned room[64];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned own = block.thread_rank() + 1, all = sumOf(block, room, own);
  const cg::thread_group tile = cg::tiled_partition(block, 16);
  const unsigned part = sumOf(tile, room + own - 1 - tile.thread_rank(), own);
  const cg::thread_group pair = cg::tiled_partition(tile, 2);
  const unsigned two = sumOf(pair, room + own - 1 - pair.thread_rank(), own);
  out[own - 1] = own == 1 ? all : tile.thread_rank() == 0 ? part : pair.thread_rank() == 0 ? two : 0;
}

TEST(Groups, AnyGroupIsOneOfTheOthers) {
  DeviceArray<unsigned> out(64);
  launch(sumAnyGroup, 1, 64)(out);
  const std::vector<unsigned> values = out.toHost();
  EXPECT_EQ(values[0], 64u * 65 / 2) << "the block";
  EXPECT_EQ(values[16], 16u * 16 + 136) << "a tile";
  EXPECT_EQ(values[34], 35u + 36) << "a part of a tile";
}

__global__ void splitCoalesced(unsigned *out) {
  if (threadIdx.x % 2 == 0)
    return;
  const cg::coalesced_group odd = cg::coalesced_threads();
  const cg::coalesced_group four = cg::tiled_partition(odd, 4);
  out[threadIdx.x] = four.shfl(threadIdx.x, 0);
}

TEST(Groups, PartsOfCoalescedThreads) {
  DeviceArray<unsigned> out(32);
  launch(splitCoalesced, 1, 32)(out);
  for (unsigned i = 1; i < 32; i += 2)
    EXPECT_EQ(out.toHost()[i], i / 8 * 8 + 1);
}

__global__ void nestedTiles(unsigned *out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quarter = cg::tiled_partition<8>(warp);
  const unsigned votes = quarter.ballot(quarter.thread_rank() == quarter.meta_group_rank());
  const int same = quarter.all(1) && quarter.any(quarter.thread_rank() == 3);
  out[threadIdx.x] = same ? votes : 0;
}

TEST(Groups, TilesOfATile) {
  DeviceArray<unsigned> out(32);
  launch(nestedTiles, 1, 32)(out);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out.toHost()[i], 1u << i / 8);
}

__global__ void aggregate(int *counter, int *out) {
  out[threadIdx.x] = -1;
  if (threadIdx.x % 3 != 0)
    return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0)
    first = atomicAdd(counter, static_cast<int>(active.size()));
  out[threadIdx.x] = active.shfl(first, 0) + static_cast<int>(active.thread_rank());
}

TEST(Groups, CoalescedThreadsAggregateAnAtomic) {
  DeviceArray<int> counter(1), out(64);
  launch(aggregate, 1, 64)(counter, out);
  EXPECT_EQ(counter.toHost()[0], 22);
  std::vector<int> seen(22, 0);
  for (const int place : out.toHost())
    if (place >= 0)
      ++seen.at(static_cast<std::size_t>(place));
  EXPECT_EQ(seen, std::vector<int>(22, 1));
}

__global__ void scanAndPartition(int *out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(warp.thread_rank());
  out[lane] = cg::inclusive_scan(warp, lane, cg::plus<int>());
  out[32 + lane] = cg::exclusive_scan(warp, 1, cg::plus<int>());
  const cg::coalesced_group part = cg::binary_partition(warp, lane < 5);
  out[64 + lane] = cg::reduce(part, lane, cg::plus<int>());
  const cg::coalesced_group third = cg::labeled_partition(warp, lane % 3);
  out[96 + lane] = cg::reduce(third, lane, cg::greater<int>());
  out[128 + lane] = cg::inclusive_scan(third, lane);
  out[160 + lane] = cg::exclusive_scan(third, lane + 1, cg::greater<int>());
}

TEST(Groups, ScansAndPartitions) {
  DeviceArray<int> out(192);
  launch(scanAndPartition, 1, 32)(out);
  const std::vector<int> values = out.toHost();
  for (int lane = 0; lane < 32; ++lane) {
    const auto at = [&](int row) { return values[static_cast<std::size_t>(row * 32 + lane)]; };
    EXPECT_EQ(at(0), lane * (lane + 1) / 2);
    EXPECT_EQ(at(1), lane);
    EXPECT_EQ(at(2), lane < 5 ? 10 : 486);
    EXPECT_EQ(at(3), lane % 3 == 0 ? 30 : lane % 3 == 1 ? 31 : 29);
    const int rank = lane / 3;
    EXPECT_EQ(at(4), (lane % 3) * (rank + 1) + 3 * rank * (rank + 1) / 2);
    EXPECT_EQ(at(5), rank == 0 ? 0 : lane - 2);
  }
}

__global__ void passAround(int *data, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long me = grid.thread_rank(), all = grid.size();
  for (int i = 0; i < rounds; ++i) {
    const int next = data[(me + 1) % all];
    grid.sync();
    data[me] = next;
    grid.sync();
  }
}

TEST(Groups, BlocksOfACooperativeLaunchWaitForOneAnother) {
  constexpr int kThreads = 12 * 40;
  std::vector<int> numbers(kThreads);
  for (int i = 0; i < kThreads; ++i)
    numbers[static_cast<std::size_t>(i)] = i;
  DeviceArray<int> array(kThreads);
  cudaMemcpy(array, numbers.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice);
  int *data = array, rounds = 50;
  void *arguments[] = {&data, &rounds};
  ASSERT_EQ(cudaLaunchCooperativeKernel(passAround, dim3(12), dim3(40), arguments, 0, nullptr), cudaSuccess);
  for (int i = 0; i < kThreads; ++i)
    ASSERT_EQ(array.toHost()[static_cast<std::size_t>(i)], (i + rounds) % kThreads);
}

TEST(Groups, CooperativeLaunchesAreLimitedToWhatIsResident) {
  int perMultiprocessor = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, passAround, 1024, 0);
  EXPECT_EQ(perMultiprocessor, 2);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int *data = nullptr, rounds = 0;
  void *arguments[] = {&data, &rounds};
  const dim3 tooMany(static_cast<unsigned>(perMultiprocessor * device.multiProcessorCount + 1));
  EXPECT_EQ(cudaLaunchCooperativeKernel(passAround, tooMany, dim3(1024), arguments, 0, nullptr), cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
}

__global__ void copyAsync(const int *in, int *out) {
  __shared__ int buffer[100];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in, sizeof(buffer));
  cg::wait(block);
  out[block.thread_rank()] = buffer[99 - block.thread_rank()];
}

TEST(Groups, AsynchronousCopiesAreDoneAfterWait) {
  DeviceArray<int> in(100, 6), out(32);
  launch(copyAsync, 1, 32)(in, out);
  EXPECT_EQ(out.toHost(), std::vector<int>(32, 6));
}

} // namespace
