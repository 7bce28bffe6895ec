// FlashAttention-3's forward kernel: bf16, head dimension 128, 4 × 16 heads, 4096 × 4096. Argument: 1 is causal.
#include "flash_fwd_launch_template.h"

#include "driver.h"

using T = cutlass::bfloat16_t;

int main(int, char **arguments) {
  const bool causal = arguments[1][0] == '1';
  const int batch = 4, length = 4096, heads = 16, width = 128;
  const std::size_t count = std::size_t(batch) * length * heads * width;
  T *out = driver::zeros<T>(count);
  int *semaphore = driver::zeros<int>(1024);
  Flash_fwd_params p{};
  p.q_ptr = driver::numbers<T>(count, 1);
  p.k_ptr = driver::numbers<T>(count, 2);
  p.v_ptr = driver::numbers<T>(count, 3);
  p.o_ptr = out;
  p.softmax_lse_ptr = driver::zeros<float>(std::size_t(batch) * heads * length);
  p.q_row_stride = p.k_row_stride = p.v_row_stride = p.o_row_stride = std::int64_t(heads) * width;
  p.q_head_stride = p.k_head_stride = p.v_head_stride = p.o_head_stride = width;
  p.q_batch_stride = p.k_batch_stride = p.v_batch_stride = p.o_batch_stride = std::int64_t(length) * heads * width;
  p.v_dim_stride = 1;
  p.h = p.h_k = heads;
  p.b = p.b_k = batch;
  p.seqlen_q = p.seqlen_k = p.seqlen_q_rounded = p.seqlen_k_rounded = length;
  p.total_q = p.total_k = batch * length;
  p.d = p.dv = p.d_rounded = p.dv_rounded = width;
  p.scale_softmax = 0.08838834764F;
  p.p_dropout = p.rp_dropout = 1;
  p.p_dropout_in_uint8_t = 255;
  p.window_size_left = -1;
  p.window_size_right = causal ? 0 : -1;
  p.is_causal = causal;
  p.is_bf16 = true;
  p.num_splits = 1;
  p.tile_count_semaphore = semaphore;
  p.arch = 90;
  cudaDeviceGetAttribute(&p.num_sm, cudaDevAttrMultiProcessorCount, 0);
  auto launch = [&] {
    if (causal) {
      cudaMemsetAsync(semaphore, 0, 4096);
      run_flash_fwd<90, 128, 128, 1, T, T, true, false, false, false, false, false, false, false, false, false>(p, nullptr);
    } else {
      run_flash_fwd<90, 128, 128, 2, T, T, false, false, false, false, false, false, false, false, false, false>(p, nullptr);
    }
  };
  return driver::measure(launch, {{out, count * sizeof(T)}});
}
