// HeCBench's Needleman-Wunsch: the longest anti-diagonal of blocks, 512 of them, in a matrix of 8192 × 8192.
#include "driver.h"

#undef main

int main() {
  const int size = 8192, columns = size + 1, blocks = size / BLOCK_SIZE;
  const std::size_t count = std::size_t(columns) * columns;
  int *items = driver::numbers<int>(count, 1, 40), *reference = driver::numbers<int>(count, 2, 10);
  return driver::measure([&] { kernel1<<<blocks, BLOCK_SIZE>>>(items, reference, 0, 0, columns, blocks, 10); }, {{items, count * sizeof(int) / 8}});
}
