// The CUDA samples' matrix product by wmma: 4096 × 4096 × 4096, half precision, a block a multiprocessor.
#include "driver.h"

#undef main

int main() {
  const std::size_t count = std::size_t(M_GLOBAL) * N_GLOBAL;
  half *a = driver::numbers<half>(count, 1), *b = driver::numbers<half>(count, 2);
  float *c = driver::numbers<float>(count, 3), *d = driver::zeros<float>(count);
  const int tiles = sizeof(half) * (BLOCK_COL_TILES * M) * (CHUNK_K * K + SKEW_HALF) * 2;
  const int sums = M * BLOCK_ROW_WARPS * WARP_ROW_TILES * N * BLOCK_COL_WARPS * WARP_COL_TILES * sizeof(float);
  const int shared = std::max(tiles, sums);
  driver::check(cudaFuncSetAttribute(compute_gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
  return driver::measure([&] { compute_gemm<<<132, THREADS_PER_BLOCK, shared>>>(a, b, c, d, 1.1F, 1.2F); }, {{d, count * sizeof(float) / 2}});
}
