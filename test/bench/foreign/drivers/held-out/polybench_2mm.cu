// PolyBench's 2mm, the first product: 1024 × 1024 × 1024, accumulated in global memory.
#include "driver.h"

#undef main

int main() {
  const std::size_t count = std::size_t(NI) * NJ;
  float *a = driver::numbers<float>(count, 1), *b = driver::numbers<float>(count, 2), *c = driver::zeros<float>(count);
  auto launch = [&] {
    mm2_kernel1<<<dim3(NJ / DIM_THREAD_BLOCK_X, NI / DIM_THREAD_BLOCK_Y), dim3(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y)>>>(NI, NJ, NK, NL, 1.5F, 1.2F, c, a, b);
  };
  return driver::measure(launch, {{c, count * 4}}, 16);
}
