// The CUDA samples' finite differences in three dimensions: 384 × 384 × 64, radius 4.
#include "Samples/5_Domain_Specific/FDTD3d/inc/FDTD3dGPUKernel.cuh"

#include "driver.h"

int main() {
  const int x = 384, y = 384, z = 64;
  const std::size_t count = std::size_t(x + 2 * RADIUS) * (y + 2 * RADIUS) * (z + 2 * RADIUS + 2);
  const float weights[RADIUS + 1] = {0.5F, 0.1F, 0.05F, 0.02F, 0.01F};
  driver::check(cudaMemcpyToSymbol(stencil, weights, sizeof(weights)), "cudaMemcpyToSymbol");
  float *in = driver::numbers<float>(count, 1), *out = driver::zeros<float>(count);
  return driver::measure([&] { FiniteDifferencesKernel<<<dim3(x / 32, y / 16), dim3(32, 16)>>>(out, in, x, y, z); }, {{out, count * sizeof(float)}});
}
