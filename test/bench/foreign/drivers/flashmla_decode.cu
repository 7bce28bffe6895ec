// FlashMLA's dense decoding: bf16, 128 heads that share keys and values of 576, 66 sequences of 2048, none of them split.
#include "csrc/sm90/decode/dense/splitkv_mla.cuh"

#include "driver.h"

using T = cutlass::bfloat16_t;

int main() {
  const int batch = 66, heads = 128, length = 2048, page = 64, pages = length / page, width = 576, out_width = 512;
  const std::size_t keys = std::size_t(batch) * length * width, count = std::size_t(batch) * heads * out_width;
  std::vector<int> table(batch * pages), lengths(batch, length), splits(batch + 1);
  std::vector<DecodingSchedMeta> parts(batch);
  for (int i = 0; i < batch * pages; ++i)
    table[i] = i;
  for (int i = 0; i < batch; ++i) {
    parts[i] = {i, i, 0, pages, 0, 0, 0, {}};
    splits[i + 1] = i + 1;
  }
  T *out = driver::zeros<T>(count);
  float *lse = driver::zeros<float>(batch * heads);
  DenseAttnDecodeParams p{};
  p.b = p.num_sm_parts = batch;
  p.s_q = 1;
  p.q_seq_per_hk = p.q_head_per_hk = p.h_q = heads;
  p.d = width;
  p.d_v = out_width;
  p.h_k = 1;
  p.num_blocks = batch * pages;
  p.scale_softmax = 0.0416666F;
  p.scale_softmax_log2 = p.scale_softmax * 1.44269504F;
  p.q_ptr = driver::numbers<T>(std::size_t(batch) * heads * width, 1);
  p.k_ptr = driver::numbers<T>(keys, 2);
  p.o_ptr = out;
  p.softmax_lse_ptr = lse;
  p.q_batch_stride = std::int64_t(heads) * width;
  p.q_row_stride = p.q_head_stride = p.k_row_stride = p.k_head_stride = width;
  p.k_batch_stride = page * width;
  p.o_batch_stride = std::int64_t(heads) * out_width;
  p.o_row_stride = p.o_head_stride = out_width;
  p.block_table = driver::copied(table);
  p.block_table_batch_stride = pages;
  p.page_block_size = page;
  p.seqlens_k_ptr = driver::copied(lengths);
  p.tile_scheduler_metadata_ptr = driver::copied(parts);
  p.num_splits_ptr = driver::copied(splits);
  p.total_num_splits = batch;
  p.softmax_lseaccum_ptr = driver::zeros<float>(2 * batch * heads);
  p.oaccum_ptr = driver::zeros<float>(2 * count);
  return driver::measure([&] { sm90::run_flash_splitkv_mla_kernel<T>(p); }, {{out, count * sizeof(T)}, {lse, batch * heads * sizeof(float)}});
}
