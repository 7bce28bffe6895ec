// FlashInfer's attention of one token over 32768 others: half precision, 32 heads of 128, 8 of keys and values, 32 blocks each.
#include <cuda/cmath>
#include <cuda/version>

#if CCCL_VERSION < 3001000 // CUDA 13.0 lacks what FlashInfer's headers divide by; nothing here does
namespace cuda {
template <class T> struct fast_mod_div {
  __host__ __device__ explicit fast_mod_div(T by) : divisor(by) {}
  friend __host__ __device__ T operator/(T number, const fast_mod_div &by) { return number / by.divisor; }
  T divisor;
};
} // namespace cuda
#endif

#include "flashinfer/attention/decode.cuh"
#include "flashinfer/attention/default_decode_params.cuh"
#include "flashinfer/attention/variants.cuh"

#include "driver.h"

using namespace flashinfer;
using Params = SingleDecodeParams<half, half, half>;
using Variant = DefaultAttention<false, false, false, false>;

int main() {
  constexpr unsigned stages = 2, width = 128, vector = 8, x = width / vector, y = 4, z = 2, heads = 32, groups = heads / y, length = 32768, parts = 32;
  const std::size_t keys = std::size_t(length) * groups * width, count = std::size_t(parts) * heads * width;
  half *q = driver::numbers<half>(heads * width, 1), *k = driver::numbers<half>(keys, 2), *v = driver::numbers<half>(keys, 3), *out = driver::zeros<half>(count);
  Params params(q, k, v, out, nullptr, length, heads, groups, QKVLayout::kNHD, width, -1, 0, 0.088F, 1, 10000);
  params.lse = driver::zeros<float>(parts * heads);
  params.kv_chunk_size = length / parts;
  auto kernel = SingleDecodeWithKVCacheKernel<PosEncodingMode::kNone, stages, 1, vector, x, y, z, Variant, Params>;
  const int shared = 2 * stages * y * z * width * sizeof(half) + 2 * y * z * sizeof(float);
  return driver::measure([&] { kernel<<<dim3(parts, groups), dim3(x, y, z), shared>>>(params); },
                         {{out, count * sizeof(half)}, {params.lse, parts * heads * sizeof(float)}});
}
