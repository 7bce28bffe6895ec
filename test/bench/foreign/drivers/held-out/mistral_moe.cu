// mistral.rs' grouped GEMM for a mixture of experts by wmma: 2048 tokens, 4 of 16 experts each, 1024 × 2048.
#include "driver.h"

#undef main

int main() {
  const int experts = 16, topk = 4, tokens = 2048, rows = tokens * topk, n = 1024, k = 2048;
  half *in = driver::numbers<half>(std::size_t(tokens) * k, 1), *weights = driver::numbers<half>(std::size_t(experts) * n * k, 2, 0.05F);
  half *out = driver::zeros<half>(std::size_t(rows) * n);
  std::vector<int32_t> offsets(experts + 1), ids(rows);
  int next = 0;
  for (int expert = 0; expert < experts; ++expert) {
    for (int i = 0; i < rows; ++i)
      if ((i * 7 + i / 64) % experts == expert)
        ids[next++] = i;
    offsets[expert + 1] = next;
  }
  const int32_t *d_ids = driver::copied(ids), *d_offsets = driver::copied(offsets);
  auto launch = [&] {
    moe_gemm_grouped_kernel<half><<<dim3(experts, n / N_BLK), BLOCK_THREADS, 6144>>>(in, weights, d_ids, d_offsets, nullptr, out, experts, topk, rows, n, k);
  };
  return driver::measure(launch, {{out, std::size_t(rows) * n * 2}});
}
