// SHOC's scan, its last kernel: 32 million floats, 1024 blocks of 256.
#include "src/cuda/level1/scan/scan_kernel.h"

#include "driver.h"

int main() {
  const int count = 1 << 25, blocks = 1024, threads = 256;
  float *in = driver::numbers<float>(count, 1), *out = driver::zeros<float>(count), *sums = driver::numbers<float>(blocks, 2);
  return driver::measure([&] { bottom_scan<float, float4, threads><<<blocks, threads, 2 * threads * sizeof(float)>>>(in, out, sums, count); },
                         {{out, std::size_t(count) * 4}});
}
