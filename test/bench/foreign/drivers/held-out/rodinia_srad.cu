// Rodinia's srad_v2, its first kernel: an image of 4096 × 4096.
#include "driver.h"

#undef main

int main() {
  const int size = 4096, blocks = size / BLOCK_SIZE;
  const std::size_t count = std::size_t(size) * size;
  // The kernel reads a row before and behind the image, and drops what it read.
  float *image = driver::numbers<float>(count + 4 * size, 1, 0.5F, 1) + 2 * size;
  float *out[5];
  for (float *&one : out)
    one = driver::zeros<float>(count);
  auto launch = [&] {
    srad_cuda_1<<<dim3(blocks, blocks), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(out[0], out[1], out[2], out[3], image, out[4], size, size, 0.05F);
  };
  return driver::measure(launch, {{out[0], count * 4}, {out[3], count * 4}, {out[4], count * 4}});
}
