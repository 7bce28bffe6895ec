// HeCBench's stencil of radius 7 in one dimension: 2^21 numbers.
#define main project_main
#include "src/stencil1d-cuda/stencil_1d.cu"
#undef main

#include "driver.h"

int main() {
  const int count = 1 << 21;
  int *in = driver::numbers<int>(count + BLOCK_SIZE, 1, 1000), *out = driver::zeros<int>(count);
  return driver::measure([&] { stencil_1d<<<count / BLOCK_SIZE, BLOCK_SIZE>>>(in, out); }, {{out, count * sizeof(int)}});
}
