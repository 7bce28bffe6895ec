// Aphrodite's (and vLLM's) gating for a mixture of experts: softmax and the 8 best of 128 for 65536 rows.
#include "driver.h"

#undef main

int main() {
  using namespace aphrodite::moe;
  const int rows = 65536, experts = 128, k = 8;
  float *in = driver::numbers<float>(std::size_t(rows) * experts, 1, 4), *out = driver::zeros<float>(rows * k);
  int *indices = driver::zeros<int>(rows * k), *sources = driver::zeros<int>(rows * k);
  auto kernel = topkGating<8, experts, 4, 16, 32, int, float, SCORING_SOFTMAX>;
  const int rows_per_block = 4 * 32 * 8 / experts;
  auto launch = [&] { kernel<<<rows / rows_per_block, dim3(32, 4)>>>(in, nullptr, out, rows, indices, sources, k, 0, experts, true, nullptr); };
  return driver::measure(launch, {{out, rows * k * 4}, {indices, rows * k * 4}});
}
