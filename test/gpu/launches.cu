// One kernel, launched in every way there is, on each GPU, from several threads into several streams. Prints how many warps each way
// had ("expect WAY WARPS"), which run.py compares with what was recorded, and on stderr what a launch took of the host's time.
#include "check.h"

#include <kperf/annotate.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 64, kBlocks = 24, kWarps = kBlocks * kThreads / 32;
constexpr int kHostThreads = 4, kStreams = 8, kLaunches = 40, kReplays = 30;

enum Way { Chevrons, Pointer, Cluster, Cooperative, Graph, Idle };
constexpr const char *kNames[] = {"Chevrons", "Pointer", "Cluster", "Cooperative", "Graph", "Idle"};

template <int Way> __global__ void work(unsigned *sum) {
  KPERF_SCOPE("work");
  if constexpr (Way == Cooperative)
    cooperative_groups::this_grid().sync();
  if constexpr (Way == Cluster)
    cooperative_groups::this_cluster().sync();
  if (threadIdx.x == 0)
    atomicAdd(sum, blockIdx.x + 1);
}

struct Device {
  int ordinal;
  unsigned *sums = nullptr; ///< one for each way
};

cudaLaunchConfig_t configuration(cudaStream_t stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.stream = stream;
  return config;
}

void launchAll(Device &device, cudaStream_t stream) {
  unsigned *sum = device.sums;
  work<Chevrons><<<kBlocks, kThreads, 0, stream>>>(sum + Chevrons);
  unsigned *place = sum + Pointer;
  void *arguments[] = {&place};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(&work<Pointer>), kBlocks, kThreads, arguments, 0, stream));
  cudaLaunchConfig_t config = configuration(stream);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {2, 1, 1};
  config.attrs = &cluster;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, work<Cluster>, sum + Cluster));
  place = sum + Cooperative;
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(&work<Cooperative>), kBlocks, kThreads, arguments, 0, stream));
}

/// Two kernels in a graph, replayed.
void replay(Device &device, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work<Graph><<<kBlocks, kThreads, 0, stream>>>(device.sums + Graph);
  work<Graph><<<kBlocks, kThreads, 0, stream>>>(device.sums + Graph);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < kReplays; ++i)
    CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

void drive(Device &device) {
  CHECK(cudaSetDevice(device.ordinal));
  CHECK(cudaMalloc(&device.sums, (Idle + 1) * sizeof(unsigned)));
  CHECK(cudaMemset(device.sums, 0, (Idle + 1) * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kHostThreads; ++thread)
    threads.emplace_back([&device] {
      CHECK(cudaSetDevice(device.ordinal));
      cudaStream_t streams[kStreams / kHostThreads];
      for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      for (int launch = 0; launch < kLaunches; ++launch)
        launchAll(device, streams[launch % (kStreams / kHostThreads)]);
      for (cudaStream_t &stream : streams) {
        replay(device, stream);
        CHECK(cudaStreamDestroy(stream));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(cudaDeviceSynchronize());
}

/// Nanoseconds that a launch takes of the calling thread.
double launchCost(unsigned *sum) {
  constexpr int kCount = 2000;
  work<Idle><<<1, 32>>>(sum);
  CHECK(cudaDeviceSynchronize());
  double best = 1e30;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCount / 5; ++i) // fewer than the queue has room for
      work<Idle><<<1, 32>>>(sum);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / (kCount / 5));
    CHECK(cudaDeviceSynchronize());
  }
  return best;
}

} // namespace

int main() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  std::vector<Device> devices(count);
  std::vector<std::thread> threads;
  for (int ordinal = 0; ordinal < count; ++ordinal)
    threads.emplace_back([&devices, ordinal] { drive(devices[ordinal] = {ordinal}); });
  for (std::thread &thread : threads)
    thread.join();
  for (const Device &device : devices) {
    CHECK(cudaSetDevice(device.ordinal));
    unsigned sums[Idle + 1];
    CHECK(cudaMemcpy(sums, device.sums, sizeof(sums), cudaMemcpyDeviceToHost));
    for (int way = Chevrons; way <= Graph; ++way)
      std::printf("sum %d %s %u\n", device.ordinal, kNames[way], sums[way]);
  }
  for (int way = Chevrons; way < Graph; ++way)
    std::printf("expect %d %d\n", way, count * kHostThreads * kLaunches * kWarps);
  std::printf("expect %d %d\n", Graph, count * kStreams * kReplays * 2 * kWarps);
  std::printf("expect %d %d\n", Idle, 2001);
  CHECK(cudaSetDevice(0));
  std::fprintf(stderr, "%.0f ns a launch\n", launchCost(devices[0].sums + Idle));
  return 0;
}
