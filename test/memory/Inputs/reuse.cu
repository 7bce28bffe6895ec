// A kernel that comes back to its memory as reuse.py says: one warp gathers from an array, by indices that the host made.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void gather(const float *values, const uint32_t *indices, float *sums, int steps) {
  float sum = 0;
  for (int step = 0; step < steps; ++step)
    sum += values[indices[step * 32 + threadIdx.x]];
  sums[threadIdx.x] += sum;
}

/// reuse STEPS HOT COLD: each third index is one of COLD values, the others are of HOT.
int main(int, char **arguments) {
  const int steps = atoi(arguments[1]);
  const uint32_t hot = strtoul(arguments[2], nullptr, 10), cold = strtoul(arguments[3], nullptr, 10);
  const size_t count = size_t(steps) * 32;
  uint32_t *chosen = new uint32_t[count], state = 1;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    chosen[i] = uint64_t(state) * (i % 3 == 0 ? cold : hot) >> 32;
  }
  float *values, *sums;
  uint32_t *indices;
  cudaMalloc(&values, cold * sizeof(float));
  cudaMalloc(&sums, 32 * sizeof(float));
  cudaMalloc(&indices, count * sizeof(uint32_t));
  cudaMemset(values, 0, cold * sizeof(float));
  cudaMemset(sums, 0, 32 * sizeof(float));
  cudaMemcpy(indices, chosen, count * sizeof(uint32_t), cudaMemcpyHostToDevice);
  gather<<<1, 32>>>(values, indices, sums, steps);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  std::printf("%llu %llu %llu\n", (unsigned long long)values, (unsigned long long)indices, (unsigned long long)sums);
}
