// Rodinia's pathfinder: 8 million columns, twenty rows a launch.
#include "driver.h"

#undef main

int main() {
  const int columns = 1 << 23, height = 20, inner = BLOCK_SIZE - 2 * HALO * height, blocks = (columns + inner - 1) / inner;
  int *wall = driver::numbers<int>(std::size_t(columns) * (height + 1), 1, 100), *from = driver::numbers<int>(columns, 2, 100);
  int *to = driver::zeros<int>(columns);
  auto launch = [&] { dynproc_kernel<<<blocks, BLOCK_SIZE>>>(height, wall, from, to, columns, height + 1, 0, HALO * height); };
  return driver::measure(launch, {{to, std::size_t(columns) * 4}});
}
