// leimao's GEMM 07, wmma and two buffers: 4096 × 4096 × 4096 in half precision.
#include "driver.h"

#undef main

void check_cuda_last(const char *, int) { driver::check(cudaGetLastError(), "launch"); }

int main() {
  const std::size_t size = 4096;
  half *a = driver::numbers<half>(size * size, 1, 0.1F), *b = driver::numbers<half>(size * size, 2, 0.1F), *c = driver::zeros<half>(size * size);
  const half one = __float2half(1), zero = __float2half(0);
  return driver::measure([&] { launch_gemm_kernel_v07_vectorized_double_buffered<half>(size, size, size, &one, a, size, b, size, &zero, c, size, nullptr); },
                         {{c, size * size * 2}}, 16);
}
