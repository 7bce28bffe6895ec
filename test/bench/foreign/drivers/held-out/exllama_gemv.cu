// ExLlamaV2's quantised GEMM for one row, 4 bits: 14336 × 4096; blocks add to the result atomically, so sums are compared to three digits.
#include <cstdint>

#include <cuda_fp16.h>

#include "exllamav2/exllamav2_ext/cuda/q_gemm_kernel.cuh"

#include "driver.h"

__global__ void total(const half *from, int count, double *to) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(to, fabs(double(__half2float(from[i]))));
}

__global__ void rounded(const double *from, long long *to) { *to = llround(*from / pow(10.0, floor(log10(*from + 1e-300)) - 2)); }

int main() {
  const int n = 14336, k = 4096, group = 128, groups = k / group, block = 64;
  half *a = driver::numbers<half>(k, 1), *c = driver::zeros<half>(n), *largest = driver::numbers<half>(groups, 4, 0.0001F, 0.0002F);
  uint32_t *weights = reinterpret_cast<uint32_t *>(driver::numbers<int>(std::size_t(k) * n / 8, 2, 2e9F));
  uint32_t *scales = reinterpret_cast<uint32_t *>(driver::numbers<int>(groups * n / 8, 3, 2e9F));
  std::vector<uint16_t> map(2 * k), order(k);
  for (int i = 0; i < k; ++i)
    map[2 * i] = uint16_t(i / group), map[2 * i + 1] = uint16_t(group - i % group), order[i] = uint16_t((i * 1223) % k);
  const uint16_t *d_map = driver::copied(map), *d_order = driver::copied(order);
  double *sum = driver::zeros<double>(1);
  long long *result = driver::zeros<long long>(1);
  auto launch = [&] {
    cudaMemsetAsync(c, 0, n * 2);
    gemm_half_q_half_kernel<1, 0b00001000, false, false, block><<<dim3(n / (block * 4), 1, k / block), block>>>(
        a, weights, scales, largest, c, 1, n, k, groups, d_map, d_order, 0, 0, 0, k, k, k, false, nullptr, 0);
  };
  auto finish = [&] {
    total<<<64, 256>>>(c, n, sum);
    rounded<<<1, 1>>>(sum, result);
  };
  return driver::measure(launch, {{result, 8}}, 32, finish);
}
