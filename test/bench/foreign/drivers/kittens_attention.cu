// ThunderKittens' attention: bf16, head dimension 128, 4 × 16 heads, 3072 × 3072.
#include "driver.h"

#undef main

int main() {
  const unsigned batch = 4, heads = 16, length = 3072, width = 128;
  const std::size_t count = std::size_t(batch) * heads * length * width, rows = std::size_t(batch) * heads * length;
  bf16 *q = driver::numbers<bf16>(count, 1), *k = driver::numbers<bf16>(count, 2), *v = driver::numbers<bf16>(count, 3), *out = driver::zeros<bf16>(count);
  float *lse = driver::zeros<float>(rows);
  using Globals = fwd_globals<width>;
  const Globals globals{typename Globals::q_gl{q, batch, heads, length, width}, typename Globals::k_gl{k, batch, heads, length, width},
                        typename Globals::v_gl{v, batch, heads, length, width}, typename Globals::l_gl{lse, batch, heads, 1U, length},
                        typename Globals::o_gl{out, batch, heads, length, width}, int(length), 1};
  const int shared = kittens::MAX_SHARED_MEMORY - 1024;
  driver::check(cudaFuncSetAttribute(fwd_attend_ker<width, false>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
  const dim3 blocks(length / (CONSUMER_WARPGROUPS * 64), heads, batch);
  return driver::measure([&] { fwd_attend_ker<width, false><<<blocks, 32 * NUM_WORKERS, shared>>>(globals); },
                         {{out, count * sizeof(bf16)}, {lse, rows * sizeof(float)}});
}
