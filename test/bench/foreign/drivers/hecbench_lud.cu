// HeCBench's LU decomposition: the row and the column of blocks beside the first diagonal block of a matrix of 8192 × 8192.
#include "driver.h"

#undef main

int main() {
  const std::size_t size = 8192;
  float *matrix = driver::numbers<float>(size * size, 1, 0.05F, 1);
  return driver::measure([&] { lud_perimeter<<<size / BLOCK_SIZE - 1, 2 * BLOCK_SIZE>>>(matrix, size, 0); }, {{matrix, size * 16 * sizeof(float)}});
}
