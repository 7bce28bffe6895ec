// llm.c's matrix product with 8 × 8 results a thread: 4096 × 768 by 768 × 3072.
#include "driver.h"

#undef main

int main() {
  const int rows = 4096, inner = 768, columns = 3072;
  float *in = driver::numbers<float>(std::size_t(rows) * inner, 1), *weight = driver::numbers<float>(std::size_t(inner) * columns, 2);
  float *bias = driver::numbers<float>(columns, 3), *out = driver::zeros<float>(std::size_t(rows) * columns);
  return driver::measure([&] { matmul_forward_kernel4<<<dim3(rows / 128, columns / 128), dim3(16, 16)>>>(out, in, weight, bias, inner, columns); },
                         {{out, std::size_t(rows) * columns * 4}});
}
