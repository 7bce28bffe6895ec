// Rodinia's hotspot: 4096 × 4096 cells, two steps a launch.
#include "driver.h"

#undef main

int main() {
  const int size = 4096, height = 2, inner = BLOCK_SIZE - 2 * height, blocks = (size + inner - 1) / inner;
  const std::size_t count = std::size_t(size) * size;
  float *power = driver::numbers<float>(count, 1, 0.001F, 0.001F), *from = driver::numbers<float>(count, 2, 10, 330), *to = driver::zeros<float>(count);
  auto launch = [&] {
    calculate_temp<<<dim3(blocks, blocks), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(height, power, from, to, size, size, height, height, 0.5F, 1.0F, 1.0F, 4.0F,
                                                                          0.01F, 0.001F);
  };
  return driver::measure(launch, {{to, count * 4}});
}
