// FlashAttention-2's forward kernel: bf16, head dimension 128, 4 × 16 heads, 2048 × 2048.
#include <cstdint>

#include "flash.h"
#include "flash_fwd_kernel.h"

#include "driver.h"

using T = cutlass::bfloat16_t;
using Traits = Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, T>;

__global__ void attention(const __grid_constant__ FLASH_NAMESPACE::Flash_fwd_params params) {
  FLASH_NAMESPACE::compute_attn<Traits, false, false, false, false, true, true, false, false>(params);
}

int main() {
  const int batch = 4, length = 2048, heads = 16, width = 128;
  const std::size_t count = std::size_t(batch) * length * heads * width;
  T *out = driver::zeros<T>(count);
  FLASH_NAMESPACE::Flash_fwd_params p{};
  p.q_ptr = driver::numbers<T>(count, 1);
  p.k_ptr = driver::numbers<T>(count, 2);
  p.v_ptr = driver::numbers<T>(count, 3);
  p.o_ptr = out;
  p.softmax_lse_ptr = driver::zeros<float>(std::size_t(batch) * heads * length);
  p.q_row_stride = p.k_row_stride = p.v_row_stride = p.o_row_stride = std::int64_t(heads) * width;
  p.q_head_stride = p.k_head_stride = p.v_head_stride = p.o_head_stride = width;
  p.q_batch_stride = p.k_batch_stride = p.v_batch_stride = p.o_batch_stride = std::int64_t(length) * heads * width;
  p.h = p.h_k = heads;
  p.h_h_k_ratio = 1;
  p.b = batch;
  p.seqlen_q = p.seqlen_k = p.seqlen_q_rounded = p.seqlen_k_rounded = length;
  p.total_q = batch * length;
  p.d = p.d_rounded = width;
  p.scale_softmax = 0.08838834764F;
  p.scale_softmax_log2 = p.scale_softmax * 1.44269504F;
  p.p_dropout = p.rp_dropout = 1;
  p.p_dropout_in_uint8_t = 255;
  p.window_size_left = p.window_size_right = -1;
  p.is_bf16 = true;
  driver::check(cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, Traits::kSmemSize), "shared memory");
  return driver::measure([&] { attention<<<dim3(length / 128, batch, heads), Traits::kNThreads, Traits::kSmemSize>>>(p); },
                         {{out, count * sizeof(T)}});
}
