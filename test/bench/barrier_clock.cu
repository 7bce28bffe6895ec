// Whether a clock read behind __syncthreads() waits for the barrier: the reason for kperf::detail::settle().
//
// Warp 0 arrives 5000 cycles late; the others print how long the barrier seemed to take them, by what stands between the
// barrier and the clock read. Build with nvcc for the GPU at hand and run.
#include <cstdio>

#include <cuda_runtime.h>

namespace {

constexpr unsigned kLateCycles = 5000;

enum class Between { Nothing, SyncWarp, Vote, Fence };

__device__ __forceinline__ unsigned clock32() {
  unsigned cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

template <Between What> __global__ void wait(unsigned *cycles) {
  for (int round = 0; round < 2; ++round) { // the first one warms the instruction cache
    __syncthreads();
    if (threadIdx.x / 32 == 0)
      for (const unsigned start = clock32(); clock32() - start < kLateCycles;)
        ;
    __syncwarp();
    const unsigned start = clock32();
    __syncthreads();
    if constexpr (What == Between::SyncWarp)
      __syncwarp();
    if constexpr (What == Between::Vote)
      asm volatile("{ .reg .b32 lanes; activemask.b32 lanes; }" ::: "memory");
    if constexpr (What == Between::Fence)
      __threadfence_block();
    const unsigned stop = clock32();
    if (threadIdx.x % 32 == 0)
      cycles[threadIdx.x / 32] = stop - start;
  }
}

template <Between What> void print(const char *name) {
  unsigned *cycles;
  cudaMallocManaged(&cycles, 2 * sizeof(unsigned));
  wait<What><<<1, 64>>>(cycles);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%-12s late warp %5u, early warp %5u cycles (%s)\n", name, cycles[0], cycles[1], cudaGetErrorString(status));
  cudaFree(cycles);
}

} // namespace

int main() {
  print<Between::Nothing>("nothing");
  print<Between::SyncWarp>("__syncwarp");
  print<Between::Vote>("activemask");
  print<Between::Fence>("fence");
}
