// ggml's gated linear attention: 8 sequences of 256, 32 heads of 64.
#include "driver.h"

#undef main

int main() {
  const int batch = 8, tokens = 8 * 256, heads = 32, width = 64, columns = heads * width;
  const std::size_t count = std::size_t(tokens) * columns, states = std::size_t(batch) * columns * width;
  float *k = driver::numbers<float>(count, 1), *v = driver::numbers<float>(count, 2), *r = driver::numbers<float>(count, 3);
  float *decay = driver::numbers<float>(count, 4, 0.2F, 0.7F), *state = driver::numbers<float>(states, 5), *out = driver::zeros<float>(count + states);
  auto launch = [&] { gated_linear_attn_f32<64><<<batch * heads, width>>>(batch, tokens, columns, heads, 0.125F, k, v, r, decay, state, out); };
  return driver::measure(launch, {{out, (count + states) * sizeof(float)}});
}
