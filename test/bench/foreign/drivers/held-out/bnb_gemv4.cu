// bitsandbytes' 4-bit GEMV for one row: 14336 × 4096, NF4, blocks of 64.
#include "driver.h"

#undef main

int main() {
  const int n = 14336, k = 4096, blocks = n * (k / 64);
  half *a = driver::numbers<half>(k, 1), *c = driver::zeros<half>(n);
  uint8_t *b = reinterpret_cast<uint8_t *>(driver::numbers<int>(std::size_t(n) * k / 8, 2, 2e9F));
  float *absmax = driver::numbers<float>(blocks, 3, 0.01F, 0.02F);
  auto launch = [&] { launch_gemm_4bit_simt<half>(a, b, absmax, nullptr, nullptr, nullptr, c, nullptr, 1, n, k, 64, 2, nullptr); };
  return driver::measure(launch, {{c, n * 2}});
}
