// FlashAttention-3's backward kernel with the two that prepare and convert: bf16, head dimension 128, 2 × 16 heads, 4096 × 4096.
// dQ is summed by atomics, in no fixed order, so that dK and dV alone are compared.
#include "flash_bwd_launch_template.h"

#include "driver.h"

using T = cutlass::bfloat16_t;

int main() {
  const int batch = 2, length = 4096, heads = 16, width = 128, rounded = (length + 79) / 80 * 80;
  const std::size_t count = std::size_t(batch) * length * heads * width, rows = std::size_t(batch) * heads * rounded;
  T *dk = driver::zeros<T>(count), *dv = driver::zeros<T>(count);
  Flash_bwd_params p{};
  p.q_ptr = driver::numbers<T>(count, 1);
  p.k_ptr = driver::numbers<T>(count, 2);
  p.v_ptr = driver::numbers<T>(count, 3);
  p.o_ptr = driver::numbers<T>(count, 4);
  p.do_ptr = driver::numbers<T>(count, 5);
  p.dq_ptr = driver::zeros<T>(count);
  p.dk_ptr = dk;
  p.dv_ptr = dv;
  p.dq_accum_ptr = driver::zeros<float>(rows * width);
  p.softmax_lse_ptr = driver::numbers<float>(rows, 6, 0.1F, 9);
  p.softmax_lse_log2_ptr = driver::zeros<float>(rows);
  p.dsoftmax_sum = driver::zeros<float>(rows);
  p.dq_semaphore = driver::zeros<int>(rows);
  p.q_row_stride = p.k_row_stride = p.v_row_stride = p.o_row_stride = std::int64_t(heads) * width;
  p.do_row_stride = p.dq_row_stride = p.dk_row_stride = p.dv_row_stride = p.q_row_stride;
  p.q_head_stride = p.k_head_stride = p.v_head_stride = p.o_head_stride = width;
  p.do_head_stride = p.dq_head_stride = p.dk_head_stride = p.dv_head_stride = width;
  p.q_batch_stride = p.k_batch_stride = p.v_batch_stride = p.o_batch_stride = std::int64_t(length) * heads * width;
  p.do_batch_stride = p.dq_batch_stride = p.dk_batch_stride = p.dv_batch_stride = p.q_batch_stride;
  p.v_dim_stride = 1;
  p.h = p.h_k = heads;
  p.b = p.b_k = batch;
  p.seqlen_q = p.seqlen_k = length;
  p.seqlen_q_rounded = rounded;
  p.seqlen_k_rounded = length;
  p.total_q = p.total_k = batch * length;
  p.d = p.dv = p.d_rounded = p.dv_rounded = width;
  p.scale_softmax = 0.08838834764F;
  p.window_size_left = p.window_size_right = -1;
  p.is_bf16 = true;
  p.arch = 90;
  cudaDeviceGetAttribute(&p.num_sm, cudaDevAttrMultiProcessorCount, 0);
  auto launch = [&] { run_flash_bwd<90, 128, 80, 128, T, false, false, false, false, false, false, 2, 2, true, false, true, 2, 1, 2, 1, false>(p, nullptr); };
  return driver::measure(launch, {{dk, count * sizeof(T)}, {dv, count * sizeof(T)}});
}
