// The CUDA samples' separable convolution, its rows: 4096 × 4096, 17 taps.
#include "driver.h"

#undef main

int main() {
  const int size = 4096;
  const std::size_t count = std::size_t(size) * size;
  float taps[KERNEL_LENGTH];
  for (int i = 0; i < KERNEL_LENGTH; ++i)
    taps[i] = 1.0F / float(i + 1);
  setConvolutionKernel(taps);
  float *in = driver::numbers<float>(count, 1), *out = driver::zeros<float>(count);
  const dim3 blocks(size / (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X), size / ROWS_BLOCKDIM_Y);
  return driver::measure([&] { convolutionRowsKernel<<<blocks, dim3(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y)>>>(out, in, size, size, size); },
                         {{out, count * sizeof(float) / 2}});
}
