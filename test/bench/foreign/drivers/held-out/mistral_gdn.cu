// mistral.rs' gated delta rule, step by step: 64 heads, 512 steps, 128 × 128 states.
#include "driver.h"

#undef main

int main() {
  const int heads = 64, steps = 512, dim = 128;
  const std::size_t count = std::size_t(heads) * steps * dim;
  float *q = driver::numbers<float>(count, 1, 0.1F), *k = driver::numbers<float>(count, 2, 0.1F), *v = driver::numbers<float>(count, 3);
  float *g = driver::numbers<float>(heads * steps, 4, 0.05F, -0.05F), *beta = driver::numbers<float>(heads * steps, 5, 0.4F, 0.5F);
  float *state = driver::numbers<float>(std::size_t(heads) * dim * dim, 6, 0.1F), *out = driver::zeros<float>(count);
  auto launch = [&] {
    gated_delta_rule_recurrence_kernel_tiled<dim, 64><<<dim3(dim / 64, heads), 64>>>(q, k, v, g, beta, state, out, steps, dim, nullptr, 1);
  };
  return driver::measure(launch, {{out, count * 4}, {state, std::size_t(heads) * dim * dim * 4}});
}
