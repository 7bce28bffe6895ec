// bitsandbytes' 4-bit GEMM by mma: 512 × 8192 × 4096, NF4, blocks of 64.
#include "driver.h"

#undef main

int main() {
  const int m = 512, n = 8192, k = 4096;
  half *a = driver::numbers<half>(std::size_t(m) * k, 1), *c = driver::zeros<half>(std::size_t(m) * n);
  uint8_t *b = reinterpret_cast<uint8_t *>(driver::numbers<int>(std::size_t(n) * k / 8, 2, 2e9F));
  float *absmax = driver::numbers<float>(std::size_t(n) * (k / 64), 3, 0.01F, 0.02F);
  auto kernel = gemm_4bit_sm80_m16n8k16<half, 128, 128, 64>;
  const int shared = 2 * (128 + 128) * (64 + 8) * 2;
  driver::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "attribute");
  auto launch = [&] { kernel<<<dim3(m / 128, n / 128), CTA_SIZE, shared>>>(a, b, absmax, nullptr, nullptr, nullptr, c, nullptr, m, n, k, 64, 2); };
  return driver::measure(launch, {{c, std::size_t(m) * n * 2}});
}
