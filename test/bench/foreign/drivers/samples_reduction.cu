// The CUDA samples' reduction by shuffles: 2^25 numbers, 512 blocks.
#include "driver.h"

#undef main

int main() {
  const unsigned count = 1U << 25, blocks = 512;
  float *in = driver::numbers<float>(count, 1), *out = driver::zeros<float>(blocks);
  return driver::measure([&] { reduce7<float, 256, true><<<blocks, 256, 8 * sizeof(float)>>>(in, out, count); }, {{out, blocks * sizeof(float)}});
}
