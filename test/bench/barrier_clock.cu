// Whether a clock read behind a barrier waits for it: the reason for kperf::detail::settledClock() and divergentClock().
//
// Warp 0 arrives 5000 cycles late; the other one prints how long the barrier seemed to take it, by barrier and by what stands
// between it and the clock read. Build with nvcc for sm_90 and run.
#include <cstdint>
#include <cstdio>

#include <cuda_runtime.h>

namespace {

constexpr unsigned kLateCycles = 5000;

enum class Barrier { Block, Named, Cluster, Mbarrier };
enum class Between { Nothing, SyncWarp, SyncLanes, Vote, ReadByVote, Event, Fence };

__device__ __forceinline__ unsigned clock32() {
  unsigned cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

/// Where the lanes that are here say that there are any.
__device__ __forceinline__ unsigned clockByVote() {
  unsigned cycles;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "activemask.b32 %0;\n\t"
               "setp.ne.u32 p, %0, 0;\n\t"
               "@p mov.u32 %0, %%clock;\n\t"
               "}"
               : "=r"(cycles)::"memory");
  return cycles;
}

template <Barrier Kind> __device__ __forceinline__ void arriveAndWait(uint32_t barrier, unsigned parity) {
  if constexpr (Kind == Barrier::Block)
    __syncthreads();
  if constexpr (Kind == Barrier::Named)
    asm volatile("bar.sync 3, 64;" ::: "memory");
  if constexpr (Kind == Barrier::Cluster)
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  if constexpr (Kind == Barrier::Mbarrier)
    asm volatile("{\n\t"
                 ".reg .b64 state;\n\t"
                 ".reg .pred done;\n\t"
                 "mbarrier.arrive.shared::cta.b64 state, [%0];\n\t"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra again;\n\t"
                 "}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

template <Between What> __device__ __forceinline__ void settle() {
  if constexpr (What == Between::SyncWarp)
    __syncwarp();
  if constexpr (What == Between::SyncLanes)
    __syncwarp(__activemask());
  if constexpr (What == Between::Vote)
    asm volatile("{ .reg .b32 lanes; activemask.b32 lanes; }" ::: "memory");
  if constexpr (What == Between::Event)
    asm volatile("pmevent 0;" ::: "memory");
  if constexpr (What == Between::Fence)
    __threadfence_block();
}

template <Barrier Kind, Between What> __global__ void wait(unsigned *cycles) {
  __shared__ uint64_t state;
  const auto barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&state));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(barrier) : "memory");
  for (unsigned round = 0; round < 2; ++round) { // the first one warms the instruction cache
    __syncthreads();
    __syncwarp();
    if (threadIdx.x / 32 == 0)
      for (const unsigned start = clock32(); clock32() - start < kLateCycles;)
        ;
    __syncwarp();
    const unsigned start = clock32();
    arriveAndWait<Kind>(barrier, round & 1);
    settle<What>();
    const unsigned stop = What == Between::ReadByVote ? clockByVote() : clock32();
    if (threadIdx.x % 32 == 0)
      cycles[threadIdx.x / 32] = stop - start;
  }
}

template <Barrier Kind, Between What> void print(const char *name) {
  unsigned *cycles;
  cudaMallocManaged(&cycles, 2 * sizeof(unsigned));
  wait<Kind, What><<<1, 64>>>(cycles);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%-36s late warp %5u, early warp %5u cycles (%s)\n", name, cycles[0], cycles[1], cudaGetErrorString(status));
  cudaFree(cycles);
}

} // namespace

int main() {
  print<Barrier::Block, Between::Nothing>("__syncthreads");
  print<Barrier::Block, Between::SyncWarp>("__syncthreads, __syncwarp");
  print<Barrier::Block, Between::SyncLanes>("__syncthreads, __syncwarp of a mask");
  print<Barrier::Block, Between::Vote>("__syncthreads, activemask");
  print<Barrier::Block, Between::ReadByVote>("__syncthreads, read by activemask");
  print<Barrier::Block, Between::Event>("__syncthreads, pmevent");
  print<Barrier::Block, Between::Fence>("__syncthreads, fence");
  print<Barrier::Named, Between::Nothing>("named");
  print<Barrier::Named, Between::SyncWarp>("named, __syncwarp");
  print<Barrier::Named, Between::ReadByVote>("named, read by activemask");
  print<Barrier::Named, Between::Event>("named, pmevent");
  print<Barrier::Cluster, Between::Nothing>("cluster");
  print<Barrier::Cluster, Between::SyncWarp>("cluster, __syncwarp");
  print<Barrier::Cluster, Between::ReadByVote>("cluster, read by activemask");
  print<Barrier::Cluster, Between::Event>("cluster, pmevent");
  print<Barrier::Mbarrier, Between::Nothing>("mbarrier");
}
