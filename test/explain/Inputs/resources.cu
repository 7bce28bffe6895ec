// Kernels that need more of a multiprocessor than their work does, so that few of their warps fit into it, or more registers than they
// have; FIXED they do not. For GPUs: the host target has no registers, and its memory takes no time.
#include "case.h"

namespace {

constexpr int kThreads = 128;

__device__ unsigned threadNumber() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Reads `steps` elements, each where the one before says (all are 0), so that a warp waits for one at a time. `pitch`: of a step.
__device__ float walk(const float *in, int steps, unsigned pitch) {
  unsigned at = threadNumber();
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    const float mine = in[at];
    sum += mine;
    at += pitch + static_cast<unsigned>(mine);
  }
  return sum;
}

/// Runs a kernel that walks, of blocks enough for `warps` resident ones on each multiprocessor a few times.
void launchWalk(void (*kernel)(float *, const float *, int), Sizes &sizes, int threads, size_t sharedBytes) {
  const int blocks = sizes.sms * sizes.between(3, 5) * 2048 / threads, steps = sizes.between(24, 40);
  const size_t count = size_t(blocks) * threads;
  if (sharedBytes > 48 << 10)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedBytes));
  kernel<<<blocks, threads, sharedBytes>>>(deviceArray<float>(count), deviceArray<float>(count * steps), steps);
}

} // namespace

/// A block has shared memory of which it uses a word.
__global__ void sharedHog(float *out, const float *in, int steps) {
  extern __shared__ float tile[];
  tile[threadIdx.x % 32] = 0;
  out[threadNumber()] = walk(in, steps, gridDim.x * blockDim.x);
}
void runSharedHog(Sizes sizes) {
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  launchWalk(sharedHog, sizes, kThreads, isFixed ? 128 : size_t(most) / sizes.between(1, 2) / 128 * 128);
}

/// Values that are there from the beginning to the end, and not needed in between. The clock's value is new each time, so that none can be
/// computed again at the end.
template <int live> __device__ void holdAcrossWalk(float *out, const float *in, int steps) {
  unsigned held[live];
  for (int i = 0; i < live; ++i)
    asm volatile("mov.u32 %0, %%clock;" : "=r"(held[i]));
  float sum = walk(in, steps, gridDim.x * blockDim.x);
  for (int i = 0; i < live; ++i) {
    asm volatile("" : "+r"(held[i]));
    sum += static_cast<float>(held[i] & 1);
  }
  out[threadNumber()] = sum;
}
__global__ void registerHog(float *out, const float *in, int steps) { holdAcrossWalk<isFixed ? 4 : 208>(out, in, steps); }
void runRegisterHog(Sizes sizes) { launchWalk(registerHog, sizes, kThreads, 0); }

/// The same, nearly all registers that a thread can have.
__global__ void everyRegister(float *out, const float *in, int steps) { holdAcrossWalk<isFixed ? 4 : 250>(out, in, steps); }
void runEveryRegister(Sizes sizes) { launchWalk(everyRegister, sizes, 64, 0); }

/// Sums of a thread that are all updated in each step.
template <int sums> __device__ void manySums(float *out, const float *in, int steps) {
  float sum[sums] = {};
  for (int step = 0; step < steps; ++step) {
    const float mine = in[(step * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x];
    for (int i = 0; i < sums; ++i)
      sum[i] = sum[i] * mine + sum[(i + 7) % sums];
  }
  float all = 0;
  for (int i = 0; i < sums; ++i)
    all += sum[i];
  out[threadNumber()] = all;
}
/// The bound leaves room for every warp that a multiprocessor can hold, and a thread 32 registers for 44 sums.
__global__ void __launch_bounds__(kThreads, isFixed ? 1 : 16) spilledSums(float *out, const float *in, int steps) {
  manySums<44>(out, in, steps);
}
void runSpilledSums(Sizes sizes) { launchWalk(spilledSums, sizes, kThreads, 0); }

/// An array of a thread's own, indexed by what it reads.
__global__ void indexedArray(float *out, const float *in, int steps) {
  constexpr int kBins = 32;
  float bins[kBins] = {};
  for (int step = 0; step < steps; ++step) {
    const float mine = in[(step * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x];
    const int bin = (static_cast<int>(mine) + step) % kBins;
    if (isFixed) { // registers cannot be indexed: each is asked
      for (int i = 0; i < kBins; ++i)
        bins[i] += bin == i ? mine + 1 : 0;
    } else {
      bins[bin] += mine + 1;
    }
  }
  float all = 0;
  for (int i = 0; i < kBins; ++i)
    all += bins[i] * static_cast<float>(i);
  out[threadNumber()] = all;
}
void runIndexedArray(Sizes sizes) { launchWalk(indexedArray, sizes, kThreads, 0); }

/// Clean: few warps fit, and they compute all the time.
__global__ void cleanCompute(float *out, const float *in, int steps) {
  extern __shared__ float tile[];
  tile[threadIdx.x % 32] = 0;
  float sum[8] = {};
  for (int step = 0; step < steps; ++step) {
    const float mine = in[threadNumber()] + static_cast<float>(step);
    for (int round = 0; round < 128; ++round)
      for (float &each : sum)
        each = each * mine + 1;
  }
  out[threadNumber()] = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}
void runCleanCompute(Sizes sizes) { launchWalk(cleanCompute, sizes, 256, 64 << 10); }

int main(int argc, char **argv) {
  const Case cases[] = {{"shared:low-occupancy", runSharedHog},         {"registers:low-occupancy", runRegisterHog},
                        {"all-registers:low-occupancy", runEveryRegister}, {"spill:local-memory", runSpilledSums},
                        {"array:local-memory", runIndexedArray},        {"compute:clean", runCleanCompute}};
  return runCase(argc, argv, cases, sizeof cases / sizeof *cases);
}
