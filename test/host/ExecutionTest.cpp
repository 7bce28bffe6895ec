// Launches, index variables, shared memory, barriers of the block, and what CUDA refuses.
#undef NDEBUG // assert is one of the things tested
#include "Launching.h"

#include <numeric>
#include <set>
#include <sstream>

using kperf::host::launch;
using kperf::test::DeviceArray;

namespace {

__global__ void writeIndices(unsigned *out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

TEST(Execution, EveryThreadOfEveryBlockRunsOnce) {
  const dim3 grid(3, 2, 2), block(5, 3, 2);
  DeviceArray<unsigned> out(12 * 30, ~0u);
  launch(writeIndices, grid, block)(out);
  const std::vector<unsigned> values = out.toHost();
  for (unsigned i = 0; i < values.size(); ++i)
    ASSERT_EQ(values[i], i / 30 * 1000 + i % 30);
}

struct Pair {
  int a;
  double b;
};

__global__ void changeParameters(Pair pair, int *out, double scale) {
  pair.a += static_cast<int>(threadIdx.x); // a copy of its own for each thread
  out[threadIdx.x] = static_cast<int>(pair.a * scale + pair.b);
}

TEST(Execution, ArgumentsAreConvertedOnceAndCopiedForEachThread) {
  DeviceArray<int> out(64);
  launch(changeParameters, 1, 64)({10, 0.5}, out, 2); // a braced list, and int to double
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(out.toHost()[static_cast<std::size_t>(i)], (10 + i) * 2);
}

template <typename T, int N> __global__ void fillWith(T *out, T value) { out[threadIdx.x] = value * N; }
template <typename T> __global__ void fillDeduced(T *out, T value) { out[threadIdx.x] = value; }

TEST(Execution, TemplatesWithGivenAndWithDeducedArguments) {
  DeviceArray<float> out(8);
  launch(fillWith<float, 3>, 1, 8)(out, 2);
  EXPECT_EQ(out.toHost(), std::vector<float>(8, 6.0f));
  float *data = out;
  launch([](auto &&...kperf_a) { fillDeduced(static_cast<decltype(kperf_a)>(kperf_a)...); }, 1, 8)(data, 7.0f);
  EXPECT_EQ(out.toHost(), std::vector<float>(8, 7.0f));
}

__global__ void reverse(const int *in, int *out) {
  auto &buffer = *reinterpret_cast<int (*)[]>(::kperf::host::dynamicShared());
  __shared__ int last;
  buffer[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (threadIdx.x == 0)
    last = static_cast<int>(blockDim.x) - 1;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = buffer[last - static_cast<int>(threadIdx.x)];
}

TEST(Execution, SharedMemoryBelongsToTheBlock) {
  constexpr int kBlocks = 50, kThreads = 96;
  std::vector<int> numbers(kBlocks * kThreads);
  std::iota(numbers.begin(), numbers.end(), 0);
  DeviceArray<int> in(numbers.size()), out(numbers.size());
  cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  launch(reverse, kBlocks, kThreads, kThreads * sizeof(int))(in, out);
  const std::vector<int> result = out.toHost();
  for (int i = 0; i < kBlocks * kThreads; ++i)
    ASSERT_EQ(result[static_cast<std::size_t>(i)], i / kThreads * kThreads + kThreads - 1 - i % kThreads);
}

__global__ void dynamicAddress(std::uintptr_t *out) {
  out[threadIdx.x] = reinterpret_cast<std::uintptr_t>(::kperf::host::dynamicShared());
  if (threadIdx.x == 0)
    std::memset(::kperf::host::dynamicShared(), 1, 100000);
}

TEST(Execution, DynamicSharedMemoryIsAlignedAndAsLargeAsAsked) {
  DeviceArray<std::uintptr_t> out(2);
  cudaFuncSetAttribute(dynamicAddress, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  launch(dynamicAddress, 1, 2, 100000)(out);
  EXPECT_EQ(kperf::test::takeError(), cudaSuccess);
  EXPECT_EQ(out.toHost()[0] % 1024, 0u);
  EXPECT_EQ(out.toHost()[0], out.toHost()[1]);
}

__global__ void countBarriers(int *out) {
  const int t = static_cast<int>(threadIdx.x);
  if (t == 3)
    return; // a thread that has left is not waited for
  for (int i = 0; i < 5; ++i) {
    const int count = __syncthreads_count(t % 2 == 0), all = __syncthreads_and(t >= i), any = __syncthreads_or(t == 70 + i);
    out[t * 5 + i] = count * 100 + all * 10 + any;
  }
}

TEST(Execution, BarriersCountAndCombinePredicates) {
  DeviceArray<int> out(73 * 5, -1);
  launch(countBarriers, 1, 73)(out);
  ASSERT_EQ(kperf::test::takeError(), cudaSuccess);
  const std::vector<int> values = out.toHost();
  for (int t = 0; t < 73; ++t)
    for (int i = 0; i < 5; ++i)
      ASSERT_EQ(values[static_cast<std::size_t>(t * 5 + i)], t == 3 ? -1 : 3700 + (i == 0 ? 10 : 0) + (i < 3 ? 1 : 0));
}

__global__ void pingPong(int *data, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const int next = data[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    data[threadIdx.x] = next;
    __syncthreads();
  }
}

TEST(Execution, ManyRoundsWithManyThreads) {
  std::vector<int> numbers(1024);
  std::iota(numbers.begin(), numbers.end(), 0);
  DeviceArray<int> data(1024);
  cudaMemcpy(data, numbers.data(), 4096, cudaMemcpyHostToDevice);
  launch(pingPong, 1, 1024)(data, 100);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(data.toHost()[static_cast<std::size_t>(i)], (i + 100) % 1024);
}

__global__ void spinForNeighbour(volatile int *flags, int *out) {
  flags[threadIdx.x] = 1;
  while (atomicAdd(const_cast<int *>(&flags[blockDim.x - 1 - threadIdx.x]), 0) == 0) {
  }
  out[threadIdx.x] = 1;
}

TEST(Execution, ThreadsThatSpinOnAtomicsLetOthersRun) {
  DeviceArray<int> flags(128), out(128);
  launch(spinForNeighbour, 1, 128)(flags, out);
  EXPECT_EQ(out.toHost(), std::vector<int>(128, 1));
}

__global__ void useDeepStack(int *out) {
  volatile char local[40000];
  for (int i = 0; i < 40000; i += 64)
    local[i] = static_cast<char>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = local[39936];
}

TEST(Execution, EachThreadHasAStackOfItsOwn) {
  DeviceArray<int> out(64);
  launch(useDeepStack, 2, 64)(out);
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(out.toHost()[static_cast<std::size_t>(i)], i);
}

__global__ void nothing() {}

TEST(Execution, RefusesWhatCudaRefuses) {
  const struct {
    dim3 grid, block;
    std::size_t sharedBytes;
    cudaError_t expected;
  } cases[] = {
      {{1}, {1025}, 0, cudaErrorInvalidConfiguration},
      {{1}, {64, 32}, 0, cudaErrorInvalidConfiguration},
      {{1}, {1, 1, 65}, 0, cudaErrorInvalidConfiguration},
      {{0}, {32}, 0, cudaErrorInvalidConfiguration},
      {{1, 65536}, {32}, 0, cudaErrorInvalidConfiguration},
      {{1}, {0}, 0, cudaErrorInvalidConfiguration},
      {{1}, {32}, 49153, cudaErrorInvalidValue},
      {{1}, {32}, 49152, cudaSuccess},
      {{1}, {1, 1, 64}, 0, cudaSuccess},
  };
  for (const auto &each : cases) {
    launch(nothing, each.grid, each.block, each.sharedBytes)();
    EXPECT_EQ(cudaGetLastError(), each.expected) << each.grid.x << " " << each.block.x << " " << each.sharedBytes;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "it is not sticky";
  }
  EXPECT_EQ(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Execution, LaunchesByPointer) {
  DeviceArray<int> out(4);
  int *data = out;
  int value = 5;
  void *arguments[] = {&data, &value};
  EXPECT_EQ(cudaLaunchKernel(fillWith<int, 2>, dim3(1), dim3(4), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(out.toHost(), std::vector<int>(4, 10));
  cudaLaunchConfig_t config;
  config.gridDim = 1;
  config.blockDim = 4;
  EXPECT_EQ(cudaLaunchKernelEx(&config, fillWith<int, 3>, data, 5), cudaSuccess);
  EXPECT_EQ(out.toHost(), std::vector<int>(4, 15));
  EXPECT_EQ(cudaLaunchKernelExC(&config, fillWith<int, 4>, arguments), cudaSuccess);
  EXPECT_EQ(out.toHost(), std::vector<int>(4, 20));
  cudaLaunchAttribute cluster{cudaLaunchAttributeClusterDimension, {}};
  cluster.val.clusterDim = {2, 1, 1};
  config.attrs = &cluster;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelExC(&config, fillWith<int, 4>, arguments), cudaErrorNotSupported);
  cudaGetLastError();
}

__global__ void printAndAssert(int value) {
  assert(value == 4);
  printf("thread %u of %u: %d\n", threadIdx.x, blockDim.x, value);
}

TEST(Execution, KernelsPrint) {
  testing::internal::CaptureStdout();
  launch(printAndAssert, 1, 2)(4);
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0 of 2: 4\nthread 1 of 2: 4\n");
}

TEST(ExecutionDeathTest, AssertInAKernelEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(launch(printAndAssert, 1, 2)(5), "value == 4");
}

__global__ void noteThread(int *out, const int *in) {
  __shared__ int fromBlock;
  if (threadIdx.x == 0)
    fromBlock = in[blockIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = fromBlock;
}

TEST(Execution, HostThreadsMayLaunchAtTheSameTime) {
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  DeviceArray<int> in(64);
  cudaMemcpy(in, numbers.data(), 256, cudaMemcpyHostToDevice);
  std::vector<std::thread> hosts;
  std::atomic<int> wrong{0};
  for (int h = 0; h < 4; ++h)
    hosts.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        DeviceArray<int> out(64 * 33);
        launch(noteThread, 64, 33)(out, in);
        const std::vector<int> values = out.toHost();
        for (int i = 0; i < 64 * 33; ++i)
          wrong += values[static_cast<std::size_t>(i)] != i / 33;
      }
    });
  for (std::thread &host : hosts)
    host.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
