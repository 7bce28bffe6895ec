// Mamba's selective scan: batch 4, 1536 channels, 4096 steps, 16 states, with a gate.
#include "csrc/selective_scan/selective_scan_fwd_kernel.cuh"

#include "driver.h"

int main() {
  const int batch = 4, dim = 1536, length = 4096, states = 16;
  using T = at::BFloat16;
  const std::size_t count = std::size_t(batch) * dim * length, small = std::size_t(batch) * states * length;
  SSMParamsBase p{};
  p.batch = batch, p.dim = dim, p.seqlen = length, p.dstate = states, p.n_groups = 1, p.n_chunks = (length + 2047) / 2048, p.dim_ngroups_ratio = dim;
  p.is_variable_B = p.is_variable_C = p.delta_softplus = true;
  p.A_d_stride = states, p.A_dstate_stride = 1;
  p.B_batch_stride = p.C_batch_stride = p.B_group_stride = p.C_group_stride = states * length;
  p.B_dstate_stride = p.C_dstate_stride = length;
  p.u_batch_stride = p.delta_batch_stride = p.z_batch_stride = p.out_batch_stride = p.out_z_batch_stride = dim * length;
  p.u_d_stride = p.delta_d_stride = p.z_d_stride = p.out_d_stride = p.out_z_d_stride = length;
  p.A_ptr = driver::numbers<float>(dim * states, 1, 0.5F, -0.6F);
  p.B_ptr = driver::numbers<T>(small, 2), p.C_ptr = driver::numbers<T>(small, 3), p.u_ptr = driver::numbers<T>(count, 4);
  p.delta_ptr = driver::numbers<T>(count, 5, 0.2F), p.z_ptr = driver::numbers<T>(count, 6), p.D_ptr = driver::numbers<float>(dim, 7);
  p.delta_bias_ptr = driver::numbers<float>(dim, 8, 0.1F);
  p.out_ptr = driver::zeros<T>(count), p.out_z_ptr = driver::zeros<T>(count), p.x_ptr = driver::zeros<float>(std::size_t(batch) * dim * p.n_chunks * states * 2);
  return driver::measure([&] { selective_scan_fwd_launch<128, 16, T, float>(p, nullptr); }, {{p.out_z_ptr, count * 2}, {p.out_ptr, count * 2}});
}
