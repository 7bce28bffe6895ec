// BabelStream's dot product: 2^25 doubles, four blocks for each multiprocessor.
#include "driver.h"

#undef main

int main() {
  const std::size_t count = std::size_t(1) << 25;
  const int blocks = 132 * 4;
  double *a = driver::numbers<double>(count, 1), *b = driver::numbers<double>(count, 2), *sums = driver::zeros<double>(blocks);
  return driver::measure([&] { dot_kernel<double><<<blocks, TBSIZE_DOT>>>(a, b, sums, count); }, {{sums, blocks * sizeof(double)}});
}
