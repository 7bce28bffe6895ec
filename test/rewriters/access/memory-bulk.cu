// A bulk copy's probe has the address of its global side and asks for its size a second time; where that could be noticed, and the
// other side, it is listed. nvcc takes what comes of it.
// REQUIRES: long, nvcc
// RUN: kperf-rewrite --probes=memory %s -o - -- %sm90a -std=c++17 | FileCheck %s
// RUN: kperf-cc --strict --probes=memory nvcc %sm90a -std=c++17 -Werror all-warnings -cubin %s -o %t.cubin 2>&1 | count 0
// Kernels that say wg-mma have the probes inlined.
// RUN: sed s/wg-/wg/ %s > %t.cu
// RUN: kperf-cc --strict --sample --probes=memory nvcc %sm90a -std=c++17 -Werror all-warnings -cubin %t.cu -o %t.cubin 2>&1 | count 0
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

__global__ void assembly(const float *in, float *out, unsigned shared, int n) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared), "l"(in), "r"(n * 4), "r"(shared));
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], 64, %2;" ::"l"(out + 1), "r"(shared), "l"(0ull));
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(out + 2), "r"(shared), "r"(n));
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + 3), "r"(shared), "r"(n++));
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 64;" ::"l"(in + 4));
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(shared + 5), "r"(shared), "r"(shared));
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(shared + 6), "l"(in), "r"(n), "r"(shared));
}
// CHECK-LABEL: void assembly
// CHECK-NEXT: "l"(::kperf::bulkAddress({{0x[0-9a-f]+}}u, in, static_cast<unsigned>(n * 4))), "r"(n * 4)
// CHECK-NEXT: "l"(::kperf::bulkAddress({{0x[0-9a-f]+}}u, out + 1, 64u))
// CHECK-NEXT: "l"(::kperf::bulkAddress({{0x[0-9a-f]+}}u, out + 2, static_cast<unsigned>(n)))
// CHECK-NEXT: "l"(out + 3), "r"(shared), "r"(n++)
// CHECK-NEXT: "l"(in + 4)
// CHECK-NEXT: "r"(shared + 5), "r"(shared)
// CHECK-NEXT: "r"(shared + 6), "l"(in)

template <class T> __global__ void library(const T *in, T *out, int n) {
  __shared__ alignas(128) T tile[256];
  __shared__ uint64_t bar;
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, tile, in + n, n * sizeof(T), &bar);
  cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out, tile, 128u);
  cuda::ptx::cp_reduce_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, cuda::ptx::op_add, out, tile, 64u);
  cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(n * 16), barrier);
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(tile, in + 1, sizeof(T), pipe);
  memcpy(out + 1, in + 2, 4);
}
template __global__ void library(const int *, int *, int);
// CHECK-LABEL: void library
// CHECK:      tile, ::kperf::bulkAddress({{0x[0-9a-f]+}}u, in + n, static_cast<unsigned>(n * sizeof(T))), n * sizeof(T), &bar);
// CHECK-NEXT: ::kperf::bulkAddress({{0x[0-9a-f]+}}u, out, static_cast<unsigned>(128u)), tile, 128u);
// CHECK-NEXT: cuda::ptx::op_add, ::kperf::bulkAddress({{0x[0-9a-f]+}}u, out, static_cast<unsigned>(64u)), tile, 64u);
// CHECK-NEXT: (tile, ::kperf::bulkAddress({{0x[0-9a-f]+}}u, in, static_cast<unsigned>(cuda::aligned_size_t<16>(n * 16))), cuda::aligned_size_t<16>(n * 16), barrier);
// CHECK:      cuda::memcpy_async(tile, in + 1, sizeof(T), pipe);
// CHECK-NEXT: memcpy(out + 1, in + 2, 4);

// Kinds: 0 load, 1 store, 3 atomic, 4 not counted.
// CHECK:      4u, {{.*}} "assembly", {{.*}} "shared", "bulk copies have no bank conflicts: their global side is counted",
// CHECK-NEXT: 0u, {{.*}} 0u, "assembly", {{.*}} "in", "",
// CHECK-NEXT: 1u, {{.*}} 64u, "assembly", {{.*}} "out + 1", "",
// CHECK-NEXT: 4u, {{.*}} "assembly", {{.*}} "shared", "bulk
// CHECK-NEXT: 3u, {{.*}} 0u, "assembly", {{.*}} "out + 2", "",
// CHECK-NEXT: 4u, {{.*}} "assembly", {{.*}} "shared", "bulk
// CHECK-NEXT: 4u, {{.*}} "assembly", {{.*}} "out + 3", "a probe would evaluate its size a second time",
// CHECK-NEXT: 4u, {{.*}} "assembly", {{.*}} "shared", "bulk
// CHECK-NEXT: 4u, {{.*}} "assembly", {{.*}} "shared + 5", "bulk
// CHECK-NEXT: 4u, {{.*}} "assembly", {{.*}} "shared + 6", "a tensor map says what is copied",
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "tile", "bulk
// CHECK-NEXT: 0u, {{.*}} "library", {{.*}} "in + n", "",
// CHECK-NEXT: 1u, {{.*}} "library", {{.*}} "out", "",
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "tile", "bulk
// CHECK-NEXT: 3u, {{.*}} "library", {{.*}} "out", "",
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "tile", "bulk
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "tile", "bulk
// CHECK-NEXT: 0u, {{.*}} "library", {{.*}} "in", "",
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "tile", "which instructions copy it is not known here",
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "in + 1", "which instructions copy it is not known here",
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "out + 1", "which instructions copy it is not known here",
// CHECK-NEXT: 4u, {{.*}} "library", {{.*}} "in + 2", "which instructions copy it is not known here",
