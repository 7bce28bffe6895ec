// The CUDA samples' tiled matrix product: 1024 × 1024, tiles of 32 × 32.
#include "driver.h"

#undef main

int main() {
  const int size = 1024;
  float *a = driver::numbers<float>(size * size, 1), *b = driver::numbers<float>(size * size, 2), *c = driver::zeros<float>(size * size);
  return driver::measure([&] { MatrixMulCUDA<32><<<dim3(size / 32, size / 32), dim3(32, 32)>>>(c, a, b, size, size); }, {{c, size * size * sizeof(float)}});
}
