// ThunderKittens' matrix product: bf16, 4096 × 4096 × 4096, tiles of 128 × 256.
#include "driver.h"

#undef main

int main() {
  using Product = matmul_template<2, 4, 8>;
  const std::size_t size = 4096, count = size * size;
  bf16 *a = driver::numbers<bf16>(count, 1), *b = driver::numbers<bf16>(count, 2), *c = driver::zeros<bf16>(count);
  using Layout = typename Product::layout::global_layout;
  const typename Product::layout::globals globals{Layout{a, nullptr, nullptr, size, size}, Layout{b, nullptr, nullptr, size, size}, Layout{c, nullptr, nullptr, size, size}};
  const int shared = MAX_SHARED_MEMORY - 1024;
  driver::check(cudaFuncSetAttribute(prototype::lcf::kernel<Product>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
  const dim3 blocks = Product::grid(size, size, size), threads = kittens::prototype::detail::NUM_THREADS_v<Product>;
  return driver::measure([&] { prototype::lcf::kernel<Product><<<blocks, threads, shared>>>(globals); }, {{c, count * sizeof(bf16)}});
}
