// Bulk copies, and accesses in assembly under a predicate, whose traffic is known on paper; run.py has the numbers. Prints a
// checksum of what they wrote.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

namespace ptx = cuda::ptx;

constexpr int kBytes = 1 << 16;

__device__ inline void copyIn(void *to, const void *from, uint32_t bytes, uint64_t *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(bytes), "r"(static_cast<uint32_t>(__cvta_generic_to_shared(barrier)))
               : "memory");
}

__device__ void awaitCopies(uint64_t *barrier) {
  while (!ptx::mbarrier_try_wait_parity(barrier, 0u))
    ;
}

__device__ void awaitStores() {
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// One thread copies 1024 bytes that begin 16 behind a line, and writes them back to where a line begins, by the library's calls.
__global__ void byOne(const unsigned char *in, unsigned char *out) {
  __shared__ alignas(128) unsigned char tile[1024];
  __shared__ uint64_t barrier;
  if (threadIdx.x != 0)
    return;
  ptx::mbarrier_init(&barrier, 1);
  ptx::fence_proxy_async();
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof(tile));
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 16, sizeof(tile), &barrier);
  awaitCopies(&barrier);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof(tile));
  awaitStores();
}

// Each lane copies a row of as many bytes as it is told, 16 times its number and 16, by PTX; then the first adds what they are.
__global__ void byEach(const unsigned char *in, unsigned char *out) {
  __shared__ alignas(128) unsigned char tile[32][512];
  __shared__ uint64_t barrier;
  const uint32_t lane = threadIdx.x, bytes = 16 * lane + 16;
  if (lane == 0) {
    ptx::mbarrier_init(&barrier, 32);
    ptx::fence_proxy_async();
  }
  __syncwarp();
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, bytes);
  copyIn(tile[lane], in + 512 * lane, bytes, &barrier);
  awaitCopies(&barrier);
  if (lane == 31) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 512;" ::"l"(out),
                 "r"(static_cast<uint32_t>(__cvta_generic_to_shared(tile[lane])))
                 : "memory");
    awaitStores();
  }
  __syncwarp();
  out[1024 + lane] = tile[lane][16 * lane + 15]; // lanes are together again
}

// Assembly reads in as many lanes as it is told; then each adds two halves at once.
__global__ void byCondition(const unsigned *words, __half2 *sums) {
  const unsigned lane = threadIdx.x;
  unsigned word = 0x3c003c00; // 1 and 1
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p ld.global.u32 %0, [%1];\n\t}"
               : "+r"(word)
               : "l"(words + lane), "r"(static_cast<unsigned>(lane < 11)));
  atomicAdd(sums + lane, __half2half2(__float2half(static_cast<float>(word % 32))));
}

int main() {
  std::vector<unsigned char> bytes(kBytes);
  for (int i = 0; i < kBytes; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<unsigned char>(i % 251);
  unsigned char *in = nullptr, *out = nullptr;
  cudaMalloc(&in, kBytes);
  cudaMalloc(&out, kBytes);
  cudaMemcpy(in, bytes.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, kBytes);
  byOne<<<2, 32>>>(in, out);
  byEach<<<1, 32>>>(in, out);
  byCondition<<<1, 32>>>(reinterpret_cast<unsigned *>(in), reinterpret_cast<__half2 *>(out + 4096));
  cudaMemcpy(bytes.data(), out, kBytes, cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (int i = 0; i < kBytes; ++i)
    sum += bytes[static_cast<std::size_t>(i)] * static_cast<unsigned long long>(i % 97 + 1);
  std::printf("%s, checksum %llu\n", cudaGetErrorString(cudaDeviceSynchronize()), sum);
}
