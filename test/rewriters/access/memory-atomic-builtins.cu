// Atomics that Clang's builtins and HIP's functions make: loads and stores are what they are, all others atomics. What only sounds like one, and a
// user's own function of a name of the library's, is seen where it does something.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - -- -std=c++17 | FileCheck %t/check.txt

//--- in.cu
enum { Relaxed = __ATOMIC_RELAXED, Device = __MEMORY_SCOPE_DEVICE };
__device__ float unsafeAtomicAdd(float *at, float value);
__device__ double safeAtomicMax(double *at, double value);
__device__ float unsafeAtomicFlush(float *at);
__device__ void __nv_atomic_thread_fence(int, int);
namespace own { __device__ void memcpy_async_tx(int *to, const int *from, int bytes); }
__global__ void clangs(int *a, int n) {
  int value = __atomic_load_n(a, Relaxed);
  __atomic_store_n(a + 1, value, Relaxed);
  __atomic_fetch_add(a + 2, 1, Relaxed);
  value = __scoped_atomic_load_n(a + 3, Relaxed, Device);
  __scoped_atomic_store_n(a + 4, value, Relaxed, Device);
  value = __scoped_atomic_exchange_n(a + 5, 1, Relaxed, Device);
  __atomic_load(a + 6, &value, Relaxed);
  __atomic_store(a + 7, &value, Relaxed);
  __scoped_atomic_load(a + 8, &value, Relaxed, Device);
  __scoped_atomic_store(a + 9, &value, Relaxed, Device);
}
__global__ void others(float *a, double *b, int *c) {
  unsafeAtomicAdd(a, 1);
  safeAtomicMax(b, 2);
  unsafeAtomicFlush(a);
  __nv_atomic_thread_fence(0, 0);
  own::memcpy_async_tx(c, c + 1, 4);
}
//--- check.txt
CHECK-LABEL: __global__ void clangs(
CHECK-NEXT: {{^}}  int value = __atomic_load_n(::kperf::loadAt(0x{{[0-9a-f]+}}u, a), Relaxed);
CHECK-NEXT: {{^}}  __atomic_store_n(::kperf::storeAt(0x{{[0-9a-f]+}}u, a + 1), value, Relaxed);
CHECK-NEXT: {{^}}  __atomic_fetch_add(::kperf::atomicAt(0x{{[0-9a-f]+}}u, a + 2), 1, Relaxed);
CHECK-NEXT: {{^}}  value = __scoped_atomic_load_n(::kperf::loadAt(0x{{[0-9a-f]+}}u, a + 3), Relaxed, Device);
CHECK-NEXT: {{^}}  __scoped_atomic_store_n(::kperf::storeAt(0x{{[0-9a-f]+}}u, a + 4), value, Relaxed, Device);
CHECK-NEXT: {{^}}  value = __scoped_atomic_exchange_n(::kperf::atomicAt(0x{{[0-9a-f]+}}u, a + 5), 1, Relaxed, Device);
CHECK-NEXT: {{^}}  __atomic_load(::kperf::loadAt(0x{{[0-9a-f]+}}u, a + 6), &value, Relaxed);
CHECK-NEXT: {{^}}  __atomic_store(::kperf::storeAt(0x{{[0-9a-f]+}}u, a + 7), &value, Relaxed);
CHECK-NEXT: {{^}}  __scoped_atomic_load(::kperf::loadAt(0x{{[0-9a-f]+}}u, a + 8), &value, Relaxed, Device);
CHECK-NEXT: {{^}}  __scoped_atomic_store(::kperf::storeAt(0x{{[0-9a-f]+}}u, a + 9), &value, Relaxed, Device);
CHECK-LABEL: __global__ void others(
CHECK-NEXT: {{^}}  unsafeAtomicAdd(::kperf::atomicAt(0x{{[0-9a-f]+}}u, a), 1);
CHECK-NEXT: {{^}}  safeAtomicMax(::kperf::atomicAt(0x{{[0-9a-f]+}}u, b), 2);
CHECK-NEXT: {{^}}  unsafeAtomicFlush(a);
CHECK-NEXT: {{^}}  __nv_atomic_thread_fence(0, 0);
CHECK-NEXT: {{^}}  own::memcpy_async_tx(c, c + 1, 4);
