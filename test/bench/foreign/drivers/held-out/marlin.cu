// Marlin: 16 rows times a 4-bit matrix of 8192 × 8192, groups of 128. On an H200 it ends with an illegal instruction, without probes too.
#include "driver.h"

#undef main

int main() {
  const int m = 16, n = 8192, k = 8192;
  half *a = driver::numbers<half>(std::size_t(m) * k, 1), *scales = driver::numbers<half>(std::size_t(k / 128) * n, 2, 0.01F), *c = driver::zeros<half>(std::size_t(m) * n);
  int *b = driver::numbers<int>(std::size_t(k) * n / 8, 3, 2e9F), *locks = driver::zeros<int>(n);
  return driver::measure([&] { marlin_cuda(a, b, c, scales, m, n, k, locks, 128); }, {{c, std::size_t(m) * n * 2}});
}
