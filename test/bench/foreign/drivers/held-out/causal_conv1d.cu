// causal-conv1d's forward kernel: batch 8, 2048 channels, 4096 steps, width 4, with SiLU.
#include "driver.h"

#undef main

int main() {
  const int batch = 8, dim = 2048, length = 4096, width = 4;
  using T = at::BFloat16;
  const std::size_t count = std::size_t(batch) * dim * length;
  ConvParamsBase p{};
  p.batch = batch, p.dim = dim, p.seqlen = length, p.width = width, p.silu_activation = true;
  p.x_batch_stride = p.out_batch_stride = dim * length, p.x_c_stride = p.out_c_stride = length, p.x_l_stride = p.out_l_stride = 1;
  p.weight_c_stride = width, p.weight_width_stride = 1;
  p.x_ptr = driver::numbers<T>(count, 1), p.weight_ptr = driver::numbers<float>(dim * width, 2), p.bias_ptr = driver::numbers<float>(dim, 3);
  p.out_ptr = driver::zeros<T>(count);
  return driver::measure([&] { causal_conv1d_fwd_launch<128, 4, T, float>(p, nullptr); }, {{p.out_ptr, count * 2}});
}
