// Functions that load and store by themselves, each by its name, and arguments: read where they are given by value, and where a reference to them
// is taken, not here.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - -- -std=c++17 | FileCheck %t/check.txt

//--- in.cu
#include <cstring>
#include <cuda_pipeline.h>
__device__ void mine(int &);
__device__ void some(int, ...);
template <class... T> __device__ int total(T... values) { return (values + ... + 0); }
template <class... T> __device__ void all(T &...values) {}
__device__ int sum(const int (&numbers)[2]);
__device__ int sum(int number);
struct Reads { __device__ explicit Reads(const int &from) : value(from) {} int value; };
struct Keeps { __device__ explicit Keeps(int &at) : at(at) {} int &at; };
struct Takes { __device__ explicit Takes(int value) : value(value) {} int value; };
__global__ void intrinsics(int *a, const int *b, unsigned *c, int n) {
  __stcg(a, __ldcg(b)); __stwb(a + 1, __ldcs(b + 1)); __stcs(a, 1); __stwt(a, __ldcv(b));
  atomicAdd_block(a, 1); atomicMax_system(a, 2); atomicInc(c, 3); atomicCAS(a, 1, 2);
  __builtin_nontemporal_store(__builtin_nontemporal_load(b), a);
  memcpy(a, b, 16); memmove(a, b, 8);
  int own; __builtin_memcpy(&own, b + 2, 4); __builtin_memmove(a + 3, &own, 4);
  memset(a + 4, 0, 16); __builtin_memset(a + 5, own, 8); memset(&own, 0, 4);
  __shared__ int stage[32];
  __pipeline_memcpy_async(stage, b, 4);
}
__global__ void arguments(int *a, const int *b, int n) {
  a[0] = max(a[1], a[2]) + abs(a[3]);
  mine(a[4]);
  some(1, a[5]);
  a[6] = total(a[7], 1);
  all(a[8]);
  a[9] = sum(a[10]);
  Reads reads(a[11]);
  Keeps keeps(a[12]);
  Takes takes(a[13]);
  a[14] = __shfl_sync(~0u, a[15], 0);
}
//--- check.txt
CHECK: struct Reads
CHECK: __global__ void intrinsics(
CHECK-NEXT: {{^ +}}__stcg(::kperf::storeAt(0x{{[0-9a-f]+}}u, a), __ldcg(::kperf::loadAt(0x{{[0-9a-f]+}}u, b))); __stwb(::kperf::storeAt(0x{{[0-9a-f]+}}u, a + 1), __ldcs(::kperf::loadAt(0x{{[0-9a-f]+}}u, b + 1))); __stcs(::kperf::storeAt(0x{{[0-9a-f]+}}u, a), 1); __stwt(::kperf::storeAt(0x{{[0-9a-f]+}}u, a), __ldcv(::kperf::loadAt(0x{{[0-9a-f]+}}u, b)));
CHECK-NEXT: {{^ +}}atomicAdd_block(::kperf::atomicAt(0x{{[0-9a-f]+}}u, a), 1); atomicMax_system(::kperf::atomicAt(0x{{[0-9a-f]+}}u, a), 2); atomicInc(::kperf::atomicAt(0x{{[0-9a-f]+}}u, c), 3); atomicCAS(::kperf::atomicAt(0x{{[0-9a-f]+}}u, a), 1, 2);
CHECK-NEXT: {{^ +}}__builtin_nontemporal_store(__builtin_nontemporal_load(::kperf::loadAt(0x{{[0-9a-f]+}}u, b)), ::kperf::storeAt(0x{{[0-9a-f]+}}u, a));
CHECK-NEXT: {{^ +}}memcpy(a, b, 16); memmove(a, b, 8);
CHECK-NEXT: {{^ +}}int own; __builtin_memcpy(&own, b + 2, 4); __builtin_memmove(a + 3, &own, 4);
CHECK-NEXT: {{^ +}}memset(a + 4, 0, 16); __builtin_memset(a + 5, own, 8); memset(&own, 0, 4);
CHECK-NEXT: {{^ +}}__shared__ int stage[32];
CHECK-NEXT: {{^ +}}__pipeline_memcpy_async(::kperf::storeBytesAt<4>(0x{{[0-9a-f]+}}u, stage), ::kperf::loadBytesAt<4>(0x{{[0-9a-f]+}}u, b), 4);
CHECK: __global__ void arguments(
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, a[0]) = max(::kperf::load(0x{{[0-9a-f]+}}u, a[1]), ::kperf::load(0x{{[0-9a-f]+}}u, a[2])) + abs(::kperf::load(0x{{[0-9a-f]+}}u, a[3]));
CHECK-NEXT: {{^ +}}mine(a[4]);
CHECK-NEXT: {{^ +}}some(1, ::kperf::load(0x{{[0-9a-f]+}}u, a[5]));
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, a[6]) = total(::kperf::load(0x{{[0-9a-f]+}}u, a[7]), 1);
CHECK-NEXT: {{^ +}}all(a[8]);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, a[9]) = sum(::kperf::load(0x{{[0-9a-f]+}}u, a[10]));
CHECK-NEXT: {{^ +}}Reads reads(a[11]);
CHECK-NEXT: {{^ +}}Keeps keeps(a[12]);
CHECK-NEXT: {{^ +}}Takes takes(::kperf::load(0x{{[0-9a-f]+}}u, a[13]));
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, a[14]) = __shfl_sync(~0u, ::kperf::load(0x{{[0-9a-f]+}}u, a[15]), 0);
CHECK: "Reads::Reads", {{.*}}"from", "a reference may be bound to an automatic variable",
CHECK: "intrinsics", {{.*}}"a", "which instructions copy it is not known here",
CHECK: "intrinsics", {{.*}}"b", "which instructions copy it is not known here",
CHECK: "intrinsics", {{.*}}"a", "which instructions copy it is not known here",
CHECK: "intrinsics", {{.*}}"b", "which instructions copy it is not known here",
CHECK: "intrinsics", {{.*}}"b + 2", "which instructions copy it is not known here",
CHECK: "intrinsics", {{.*}}"a + 3", "which instructions copy it is not known here",
CHECK: "intrinsics", {{.*}}"a + 4", "which instructions set it is not known here",
CHECK: "intrinsics", {{.*}}"a + 5", "which instructions set it is not known here",
CHECK-NOT: own
