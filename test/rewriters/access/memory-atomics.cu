// Atomics of libcu++ are accesses to what they hold or refer to; nvcc takes what comes of them, in both copies of a kernel.
// REQUIRES: long, nvcc
// RUN: kperf-rewrite --probes=memory %s -o - -- %sm90a -std=c++17 | FileCheck %s
// RUN: kperf-cc --strict --probes=memory nvcc %sm90a -std=c++17 -Werror all-warnings -cubin %s -o %t.cubin 2>&1 | count 0
// RUN: kperf-cc --strict --sample --probes=memory nvcc %sm90a -std=c++17 -Werror all-warnings -cubin %s -o %t.cubin 2>&1 | count 0
#include <cuda/atomic>

__global__ void references(int *x) {
  cuda::atomic_ref<int, cuda::thread_scope_device> r(x[threadIdx.x]);
  r.fetch_add(1, cuda::memory_order_relaxed);
  int old = r.load();
  r.store(old + 1);
  r = 5;
  ++r;
  int expected = 0;
  r.compare_exchange_strong(expected, 5);
  cuda::std::atomic_ref<int>(x[1]).fetch_sub(int(r));
  r.is_lock_free();
}
// CHECK-LABEL: void references
// CHECK-NEXT:  r(x[threadIdx.x]);
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, r).fetch_add(1, cuda::memory_order_relaxed);
// CHECK-NEXT:  int old = ::kperf::loadOf({{0x[0-9a-f]+}}u, r).load();
// CHECK-NEXT:  ::kperf::storeOf({{0x[0-9a-f]+}}u, r).store(old + 1);
// CHECK-NEXT:  ::kperf::storeOf({{0x[0-9a-f]+}}u, r) = 5;
// CHECK-NEXT:  ++ ::kperf::atomicOf({{0x[0-9a-f]+}}u, r);
// CHECK-NEXT:  int expected = 0;
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, r).compare_exchange_strong(expected, 5);
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, cuda::std::atomic_ref<int>(x[1])).fetch_sub(int(::kperf::loadOf({{0x[0-9a-f]+}}u, r)));
// CHECK-NEXT:  r.is_lock_free();

__global__ void objects(cuda::atomic<unsigned, cuda::thread_scope_block> *p, int *out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> s;
  if (threadIdx.x == 0)
    s.store(0);
  __syncthreads();
  p->fetch_add(2);
  p[threadIdx.x] = 3;
  s.fetch_max(int(p->load()));
  cuda::atomic<int> local(3);
  local.fetch_add(1);
  __nv_atomic_fetch_add(out, s.load(), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  int seen = __nv_atomic_load_n(out, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(out, seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
// CHECK-LABEL: void objects
// CHECK:         ::kperf::storeOf({{0x[0-9a-f]+}}u, s).store(0);
// CHECK:       ::kperf::atomicOf({{0x[0-9a-f]+}}u, p)->fetch_add(2);
// CHECK-NEXT:  ::kperf::storeOf({{0x[0-9a-f]+}}u, p[threadIdx.x]) = 3;
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, s).fetch_max(int(::kperf::loadOf({{0x[0-9a-f]+}}u, p)->load()));
// CHECK-NEXT:  local(3);
// CHECK-NEXT:  {{^ +}}local.fetch_add(1);
// CHECK-NEXT:  __nv_atomic_fetch_add(::kperf::atomicAt({{0x[0-9a-f]+}}u, out), ::kperf::loadOf({{0x[0-9a-f]+}}u, s).load(), __NV_ATOMIC_RELAXED
// CHECK-NEXT:  __nv_atomic_load_n(::kperf::loadAt({{0x[0-9a-f]+}}u, out), __NV_ATOMIC_RELAXED
// CHECK-NEXT:  __nv_atomic_store_n(::kperf::storeAt({{0x[0-9a-f]+}}u, out), seen

struct Handle {
  cuda::atomic<int> *at;
  __device__ cuda::atomic<int> *operator->() const { return at; }
  __device__ cuda::atomic<int> &operator[](int i) const { return at[i]; }
};
struct Big {
  int words[3];
};
__device__ cuda::atomic<int> *find(int *x) { return reinterpret_cast<cuda::atomic<int> *>(x); }
__global__ void named(Handle handle, cuda::atomic<Big> *big, volatile cuda::atomic<int> *v, int *x) {
  handle->fetch_add(1);
  handle[2]++;
  big->store(Big{});
  find(x)->fetch_add(v->load());
  auto &r = *find(x);
  (threadIdx.x ? r : handle[0]).exchange(2);
}
// CHECK-LABEL: void named
// CHECK-NEXT:  {{^ +}}handle->fetch_add(1);
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, handle[2])++;
// CHECK-NEXT:  ::kperf::storeOf({{0x[0-9a-f]+}}u, big)->store(Big{});
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, find(x))->fetch_add(::kperf::loadOf({{0x[0-9a-f]+}}u, v)->load());
// CHECK-NEXT:  auto &r = *find(x);
// CHECK-NEXT:  (::kperf::atomicOf({{0x[0-9a-f]+}}u, threadIdx.x ? r : handle[0])).exchange(2);

template <class T> __global__ void dependent(T *x) {
  cuda::atomic_ref<T, cuda::thread_scope_device> r(x[threadIdx.x]);
  r.fetch_add(T(1));
  r = r.load();
  r += T(2);
  cuda::atomic_ref<T>(x[1]).store(T(3));
}
template __global__ void dependent<int>(int *);
// CHECK-LABEL: void dependent
// CHECK-NEXT:  r(x[threadIdx.x]);
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, r).fetch_add(T(1));
// CHECK-NEXT:  ::kperf::storeOf({{0x[0-9a-f]+}}u, r) = ::kperf::loadOf({{0x[0-9a-f]+}}u, r).load();
// CHECK-NEXT:  ::kperf::atomicOf({{0x[0-9a-f]+}}u, r) += T(2);
// CHECK-NEXT:  ::kperf::storeOf({{0x[0-9a-f]+}}u, cuda::atomic_ref<T>(x[1])).store(T(3));
// CHECK:       u, 3u, 0x000000u, 4u, "references", {{.*}}"r", "",
// CHECK:       4u, 0x000000u, 4u, "named", {{.*}}"handle", "a class's own -> says where it is",
