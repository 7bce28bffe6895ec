// FlashInfer's RMS normalisation: 4096 rows of 4096, half precision.
#include "flashinfer/norm.cuh"

#include "driver.h"

int main() {
  const unsigned rows = 4096, columns = 4096;
  const std::size_t count = std::size_t(rows) * columns;
  half *in = driver::numbers<half>(count, 1), *weight = driver::numbers<half>(columns, 2), *out = driver::zeros<half>(count);
  auto launch = [&] { flashinfer::norm::RMSNormKernel<8><<<rows, dim3(32, 16), 16 * sizeof(float)>>>(in, weight, out, columns, columns, columns, 0.0F, 1e-5F); };
  return driver::measure(launch, {{out, count * sizeof(half)}});
}
