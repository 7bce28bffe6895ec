// HeCBench's stencil of radius 7 in one dimension: 2^21 numbers.
#include "driver.h"

#undef main

int main() {
  const int count = 1 << 21;
  int *in = driver::numbers<int>(count + BLOCK_SIZE, 1, 1000), *out = driver::zeros<int>(count);
  return driver::measure([&] { stencil_1d<<<count / BLOCK_SIZE, BLOCK_SIZE>>>(in, out); }, {{out, count * sizeof(int)}});
}
