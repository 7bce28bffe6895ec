// LeetCUDA's attention by mma, K and V in one buffer: 4 × 32 heads, 2048 rows, head dimension 64.
#include "driver.h"

#undef main

int main() {
  const long batch = 4, heads = 32, rows = 2048, dim = 64;
  const std::size_t count = batch * heads * rows * dim;
  auto tensor = [&](half *data) { return torch::Tensor{data, {batch, heads, rows, dim}, {}}; };
  torch::Tensor q = tensor(driver::numbers<half>(count, 1)), k = tensor(driver::numbers<half>(count, 2)), v = tensor(driver::numbers<half>(count, 3));
  torch::Tensor o = tensor(driver::zeros<half>(count));
  return driver::measure([&] { launch_flash_attn_mma_stages_split_q_shared_kv<64, 2>(q, k, v, o); }, {{o.data, count * 2}});
}
