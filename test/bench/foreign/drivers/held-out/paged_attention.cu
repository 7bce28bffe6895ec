// vLLM's paged attention (v1), in the copy of mistral.rs, which needs no PyTorch: 64 sequences of 2048, 32 heads, 8 of K and V, dimension 128.
#include "mistralrs-paged-attn/src/cuda/pagedattention.cuh"

#include "driver.h"

int main() {
  const int sequences = 64, heads = 32, kv_heads = 8, dim = 128, block = 16, length = 2048, pages = length / block;
  const std::size_t cache = std::size_t(sequences) * pages * kv_heads * dim * block;
  half *q = driver::numbers<half>(sequences * heads * dim, 1), *k = driver::numbers<half>(cache, 2), *v = driver::numbers<half>(cache, 3);
  uint16_t *out = driver::zeros<uint16_t>(sequences * heads * dim);
  std::vector<uint32_t> tables(sequences * pages), lengths(sequences);
  for (std::size_t i = 0; i < tables.size(); ++i)
    tables[i] = (i * 4099) % tables.size();
  for (int i = 0; i < sequences; ++i)
    lengths[i] = length - 16 * (i % 13) - i % 3;
  const uint32_t *table = driver::copied(tables), *context = driver::copied(lengths);
  auto kernel = vllm::paged_attention_v1_kernel<uint16_t, uint16_t, vllm::Fp8KVCacheDataType::kAuto, dim, block, 128>;
  const int shared = std::max<int>(length * sizeof(float), 2 * dim * sizeof(float));
  auto launch = [&] {
    kernel<<<dim3(heads, sequences, 1), 128, shared>>>(out, reinterpret_cast<uint16_t *>(q), reinterpret_cast<uint16_t *>(k), reinterpret_cast<uint16_t *>(v),
                                                       kv_heads, 0.088F, 1.0F, table, context, pages, nullptr, heads * dim, kv_heads * dim * block, dim * block,
                                                       nullptr, nullptr, nullptr);
  };
  return driver::measure(launch, {{out, sequences * heads * dim * 2}});
}
