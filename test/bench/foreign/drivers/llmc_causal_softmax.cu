// llm.c's causal softmax of attention scores, a warp a row: 32 heads of 1024 × 1024.
#include "driver.h"

#undef main

int main() {
  const int heads = 32, length = 1024;
  const std::size_t count = std::size_t(heads) * length * length;
  float *in = driver::numbers<float>(count, 1, 4), *out = driver::zeros<float>(count);
  return driver::measure([&] { softmax_forward_kernel5<<<heads * length / 8, 256>>>(out, 0.125F, in, heads, length); }, {{out, count * 4 / 8}});
}
