// HIP: addresses in AMD's inline assembly are operands, numbered or named, and the instruction says how much it moves and where; what
// can't be counted is listed with its reason. Waits in builtins, assembly and HIP's cooperative groups are found as CUDA's are.
// REQUIRES: rocm
// RUN: split-file %s %t
// RUN: kperf-rewrite --probes=memory,sync %t/in.hip -o - | FileCheck %t/check.txt

//--- in.hip
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;
typedef unsigned Descriptor __attribute__((ext_vector_type(4)));
__global__ void kernel(float4 *a, unsigned local, Descriptor d, double *sum) {
  float x; float4 v; double old;
  int i = threadIdx.x;
  __shared__ float tile[64];
  asm volatile("ds_read_b32 %0, %1 offset:16" : "=v"(x) : "v"(local + 4 * i));
  asm volatile("ds_write_b128 %0, %1" :: "v"(local), "v"(v));
  asm volatile("ds_write2_b32 %0, %1, %1 offset1:8" :: "v"(local), "v"(x));
  asm volatile("ds_add_f32 %0, %1\n\ts_waitcnt lgkmcnt(0)" :: "v"(local), "v"(x));
  asm volatile("global_load_dwordx4 %[to], %[from], off offset:32 glc" : [to] "=v"(v) : [from] "v"(a + i));
  asm volatile("global_store_dword %0, %1, off" :: "v"(&a[i].x), "v"(x) : "memory");
  asm volatile("global_load_dword %0, %1, %2" : "=v"(x) : "v"(4 * i), "s"(a));
  asm volatile("flat_load_dword %0, %1\n\ts_waitcnt vmcnt(0)" : "=v"(x) : "v"(a));
  asm volatile("global_atomic_add_f64 %0, %1, off" :: "v"(sum), "v"(old));
  asm volatile("buffer_load_dword %0, %1, %2, 0 offen" : "=v"(x) : "v"(i), "s"(d));
  asm volatile("ds_bpermute_b32 %0, %1, %2" : "=v"(i) : "v"(i), "v"(i));
  asm volatile("s_load_dword %0, %1, 0x0" : "=s"(i) : "s"(a));
  __builtin_nontemporal_store(x, &a[i].y);
  unsafeAtomicAdd(sum, 1.0);
  __hip_atomic_fetch_add(sum + 1, 2.0, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  asm volatile("s_barrier");
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  cg::this_thread_block().sync();
  auto t = cg::tiled_partition<16>(cg::this_thread_block());
  t.sync();
  cg::this_grid().sync();
  a[i].z = x;
}

//--- check.txt
CHECK:      "ds_read_b32 %0, %1 offset:16" : "=v"(x) : "v"(::kperf::asmSharedAddress<4>(0x{{[0-9a-f]+}}u, local + 4 * i)));
CHECK-NEXT: "ds_write_b128 %0, %1" :: "v"(::kperf::asmSharedAddress<16>(0x{{[0-9a-f]+}}u, local)), "v"(v));
CHECK-NEXT: "ds_write2_b32 %0, %1, %1 offset1:8" :: "v"(local), "v"(x));
CHECK-NEXT: kperf::ConvergentWait {{.*}} :: "v"(::kperf::asmAtomicSharedAddress<4>(0x{{[0-9a-f]+}}u, local)), "v"(x)); }
CHECK-NEXT: [to] "=v"(v) : [from] "v"(::kperf::asmAddress<16>(0x{{[0-9a-f]+}}u, a + i)));
CHECK-NEXT: "global_store_dword %0, %1, off" :: "v"(::kperf::asmAddress<4>(0x{{[0-9a-f]+}}u, &a[i].x)), "v"(x) : "memory");
CHECK-NEXT: "global_load_dword %0, %1, %2" : "=v"(x) : "v"(4 * i), "s"(a));
CHECK-NEXT: kperf::ConvergentWait {{.*}} : "=v"(x) : "v"(::kperf::asmAddress<4>(0x{{[0-9a-f]+}}u, a))); }
CHECK-NEXT: "global_atomic_add_f64 %0, %1, off" :: "v"(::kperf::asmAtomicAddress<8>(0x{{[0-9a-f]+}}u, sum)), "v"(old));
CHECK-NEXT: "buffer_load_dword %0, %1, %2, 0 offen" : "=v"(x) : "v"(i), "s"(d));
CHECK-NEXT: "ds_bpermute_b32 %0, %1, %2" : "=v"(i) : "v"(i), "v"(i));
CHECK-NEXT: "s_load_dword %0, %1, 0x0" : "=s"(i) : "s"(a));
CHECK-NEXT: __builtin_nontemporal_store(x, ::kperf::storeAt(0x{{[0-9a-f]+}}u, &a[i].y));
CHECK-NEXT: unsafeAtomicAdd(::kperf::atomicAt(0x{{[0-9a-f]+}}u, sum), 1.0);
CHECK-NEXT: __hip_atomic_fetch_add(::kperf::atomicAt(0x{{[0-9a-f]+}}u, sum + 1), 2.0
CHECK-NEXT: kperf::ConvergentWait {{.*}}; asm volatile("s_barrier"); kperf_kernel.settle(); }
CHECK-NEXT: kperf::ConvergentWait {{.*}}; __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); }
CHECK-NEXT: kperf::ConvergentWait {{.*}}; __builtin_amdgcn_s_barrier(); kperf_kernel.settle(); }
CHECK-NEXT: kperf::ConvergentWait {{.*}}; cg::this_thread_block().sync(); kperf_kernel.settle(); }
CHECK-NEXT: tiled_partition
CHECK-NEXT: kperf::ConvergentWait {{.*}}; t.sync(); kperf_kernel.settle(); }
CHECK-NEXT: kperf::ConvergentWait {{.*}}; cg::this_grid().sync(); kperf_kernel.settle(); }

CHECK:      0u, 0x{{[0-9a-f]+}}u, 4u, "kernel", {{.*}}"local + 4 * i", "",
CHECK:      1u, 0x{{[0-9a-f]+}}u, 16u, "kernel", {{.*}}"local", "",
CHECK:      4u, 0x{{[0-9a-f]+}}u, 4u, "kernel", {{.*}}"local", "it writes two places", 11u
CHECK:      3u, 0x{{[0-9a-f]+}}u, 4u, "kernel", {{.*}}"local", "",
CHECK:      0u, 0x{{[0-9a-f]+}}u, 16u, "kernel", {{.*}}"a + i", "",
CHECK:      1u, 0x{{[0-9a-f]+}}u, 4u, "kernel", {{.*}}"&a[i].x", "",
CHECK:      4u, 0x{{[0-9a-f]+}}u, 4u, "kernel", {{.*}}"a", "its address is the sum of two operands", 15u
CHECK:      0u, 0x{{[0-9a-f]+}}u, 4u, "kernel", {{.*}}"a", "",
CHECK:      3u, 0x{{[0-9a-f]+}}u, 8u, "kernel", {{.*}}"sum", "",
CHECK:      4u, 0x{{[0-9a-f]+}}u, 0u, "kernel", {{.*}}"d", "a buffer's descriptor says where it is", 18u
CHECK:      4u, 0x{{[0-9a-f]+}}u, 4u, "kernel", {{.*}}"a", "a scalar load is made once for the whole wave", 20u

The kinds of waits: of the block's barrier, of some lanes, of the grid.
CHECK:      "s_waitcnt", "kernel", {{.*}}, 2u}
CHECK:      "s_barrier", "kernel", {{.*}}, 513u}
CHECK:      "__builtin_amdgcn_fence", "kernel", {{.*}}, 2u}
CHECK:      "__builtin_amdgcn_s_barrier", "kernel", {{.*}}, 513u}
CHECK:      "sync", "kernel", {{.*}}this_thread_block{{.*}}, 513u}
CHECK:      "sync", "kernel", {{.*}}t.sync{{.*}}, 257u}
CHECK:      "sync", "kernel", {{.*}}this_grid{{.*}}, 1025u}
