// ggml's attention of one token over 8192 others: 32 heads of 128, half precision, 8 blocks a head.
#include "src/ggml-cuda/fattn-vec.cuh"

#include "driver.h"

int main() {
  const int heads = 32, width = 128, tokens = 8192, parts = 8;
  const std::size_t count = std::size_t(heads) * tokens * width;
  auto *q = reinterpret_cast<char *>(driver::numbers<float>(heads * width, 1));
  auto *k = reinterpret_cast<char *>(driver::numbers<half>(count, 2)), *v = reinterpret_cast<char *>(driver::numbers<half>(count, 3));
  float *out = driver::zeros<float>(std::size_t(heads) * width * parts);
  auto *meta = driver::zeros<float2>(heads * parts);
  const int row = width * 2, head = tokens * row;
  auto launch = [&] {
    flash_attn_ext_vec<128, 1, GGML_TYPE_F16, GGML_TYPE_F16, false><<<dim3(1, parts, heads), dim3(32, 4)>>>(
        q, k, v, nullptr, nullptr, nullptr, out, meta, 0.088F, 0, 1, 1, 1, 0, width, init_fastdiv_values(1), heads, 1, width * 4 * heads, width * 4,
        width * 4 * heads, width, tokens, heads, 1, row, head, std::int64_t(head) * heads, row, head, std::int64_t(head) * heads, 1, 1, 1, 0, 0, 0);
  };
  return driver::measure(launch, {{out, std::size_t(heads) * width * parts * sizeof(float)}, {meta, heads * parts * sizeof(float2)}});
}
