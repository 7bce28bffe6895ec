// CUDA's own pipelines, of a thread and of a block, whose warps all do the same or each have a role, and arrivals at another block's
// barrier: `kperf overlap` knows what each wait was for.
#include "check.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <kperf/annotate.h>

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace {

constexpr int kTiles = 24, kThreads = 128, kBlocks = 16;

/// Two tiles on their way; each thread waits for its own copies.
__global__ void ofThread(int *to, const int *from) {
  __shared__ int tile[2][kThreads];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int i = 0; i <= kTiles; ++i) {
    if (i < kTiles) {
      cuda::memcpy_async(&tile[i % 2][threadIdx.x], from + i * kThreads + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (i > 0) {
      pipe.consumer_wait();
      sum = sum * 3 + tile[(i - 1) % 2][threadIdx.x];
      pipe.consumer_release();
    }
  }
  to[blockIdx.x * kThreads + threadIdx.x] = sum;
}

/// The same by all threads together: each reads what another copied.
__global__ void ofBlock(int *to, const int *from) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int tile[2][kThreads];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0; i <= kTiles; ++i) {
    if (i < kTiles) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % 2][threadIdx.x], from + i * kThreads + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (i > 0) {
      pipe.consumer_wait();
      sum = sum * 5 + tile[(i - 1) % 2][kThreads - 1 - threadIdx.x];
      pipe.consumer_release();
    }
  }
  to[blockIdx.x * kThreads + threadIdx.x] = sum;
}

/// Warp 0 copies, the others add up, of which warp 2 takes its time: for each tile but the first kStages, warp 0 waits until that one is
/// done with an earlier one.
template <int kStages> __global__ void byRoles(int *to, const int *from) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int tile[kStages][32];
  auto block = cooperative_groups::this_thread_block();
  const bool isProducer = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, isProducer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int i = 0; i < kTiles; ++i) {
    if (isProducer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % kStages][threadIdx.x], from + i * kThreads + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      if (threadIdx.x / 32 == 2) {
        KPERF_SCOPE("slow");
        for (int pause = 0; pause < 5; ++pause)
          __nanosleep(1000);
      }
      sum = sum * 7 + tile[i % kStages][threadIdx.x % 32];
      pipe.consumer_release();
    }
  }
  to[blockIdx.x * kThreads + threadIdx.x] = sum;
}

__device__ bool isOver(unsigned bar) {
  unsigned done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(bar) : "memory");
  return done != 0;
}

__device__ void arriveAt(unsigned bar, unsigned block) {
  asm volatile("{.reg .b32 far; mapa.shared::cluster.u32 far, %0, %1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [far];}" ::"r"(bar), "r"(block) : "memory");
}

/// The first block of each pair waits until the second one comes, long after.
__global__ void __cluster_dims__(2) pairs(int *to) {
  __shared__ unsigned long long place;
  auto cluster = cooperative_groups::this_cluster();
  const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&place));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(bar) : "memory");
  cluster.sync();
  if (cluster.block_rank() == 0) {
    while (!isOver(bar)) {
    }
    to[blockIdx.x * kThreads + threadIdx.x] = 1;
  } else if (threadIdx.x == 0) {
    for (int i = 0; i < 20; ++i)
      __nanosleep(1000);
    arriveAt(bar, 0);
  }
  cluster.sync();
}

} // namespace

int main() {
  int *from, *to;
  CHECK(cudaMallocManaged(&from, kTiles * kThreads * sizeof(int)));
  CHECK(cudaMallocManaged(&to, 5 * kBlocks * kThreads * sizeof(int)));
  for (int i = 0; i < kTiles * kThreads; ++i)
    from[i] = i * 7 + 1;
  ofThread<<<kBlocks, kThreads>>>(to, from);
  ofBlock<<<kBlocks, kThreads>>>(to + kBlocks * kThreads, from);
  pairs<<<kBlocks, kThreads>>>(to + 2 * kBlocks * kThreads);
  byRoles<2><<<kBlocks, kThreads>>>(to + 3 * kBlocks * kThreads, from);
  byRoles<3><<<kBlocks, kThreads>>>(to + 4 * kBlocks * kThreads, from);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  unsigned sum = 0;
  for (int i = 0; i < 5 * kBlocks * kThreads; ++i)
    sum = sum * 31 + static_cast<unsigned>(to[i]);
  std::printf("checksum 0x%08x\n", sum);
}
