// ggml's RMS normalisation with a factor: 2048 rows of 4096, 1024 threads a row.
#include "driver.h"

#undef main

int main() {
  const int rows = 2048, columns = 4096;
  const std::size_t count = std::size_t(rows) * columns;
  float *in = driver::numbers<float>(count, 1), *factors = driver::numbers<float>(columns, 2), *out = driver::zeros<float>(count);
  const uint3 wide = init_fastdiv_values(columns), one = init_fastdiv_values(1);
  auto launch = [&] {
    rms_norm_f32<1024, true><<<rows, 1024, 32 * sizeof(float)>>>(in, out, columns, columns, 0, 0, 1e-5F, factors, 0, 0, 0, wide, one, one, one);
  };
  return driver::measure(launch, {{out, count * sizeof(float)}});
}
