// ggml's product of a quantised matrix (Q4_0) and a vector: 14336 × 4096.
#include "src/ggml-cuda/mmvq.cu"

#include "driver.h"

int main() {
  const unsigned rows = 14336, columns = 4096, blocks = columns / 32;
  auto *matrix = driver::numbers<half>(std::size_t(rows) * blocks * sizeof(block_q4_0) / 2, 1);
  auto *vector = driver::numbers<half>(blocks * sizeof(block_q8_1) / 2, 2);
  float *out = driver::zeros<float>(rows);
  const uint3 one = init_fastdiv_values(1);
  const dim3 threads(32, calc_nwarps(GGML_TYPE_Q4_0, 1, MMVQ_PARAMETERS_GENERIC));
  auto launch = [&] {
    mul_mat_vec_q<GGML_TYPE_Q4_0, 1, false><<<rows, threads>>>(matrix, vector, nullptr, {}, out, columns, one, blocks, blocks, rows, one, 0, 0, 0, one, 0, 0, 0, 0);
  };
  return driver::measure(launch, {{out, rows * sizeof(float)}});
}
