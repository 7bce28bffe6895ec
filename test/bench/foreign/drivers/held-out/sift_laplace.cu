// CudaSift's Laplace filters: 7 scales of an image of 3840 × 2160.
#include "driver.h"

#undef main

int main() {
  const int width = 3840, height = 2160;
  const std::size_t count = std::size_t(width) * height;
  float *image = driver::numbers<float>(count, 1, 128, 128), *out = driver::zeros<float>(count * (LAPLACE_S - 1));
  std::vector<float> filters(8 * 12 * 16);
  for (std::size_t i = 0; i < filters.size(); ++i)
    filters[i] = 0.3F / float(1 + i % 16) + float(i / 16 % 12) * 0.001F;
  driver::check(cudaMemcpyToSymbol(d_LaplaceKernel, filters.data(), filters.size() * 4), "cudaMemcpyToSymbol");
  auto launch = [&] {
    LaplaceMultiMem<<<dim3((width + LAPLACE_W - 1) / LAPLACE_W, height), LAPLACE_W + 2 * LAPLACE_R>>>(image, out, width, width, height, 5);
  };
  return driver::measure(launch, {{out, count * (LAPLACE_S - 1) * 4}});
}
