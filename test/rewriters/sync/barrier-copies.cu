// CuTe's copies of which a barrier sees the end are recorded where they are written, with the loop's waits in one frame, and not again in
// what makes them; where one of them may go unseen there, all are recorded in the operations that make them.
// RUN: split-file %s %t
// RUN: kperf-rewrite --probes=sync %t/loop.cu -o %t/loop.out.cu && cat %t/loop.out.cu | FileCheck %t/loop.cu
// RUN: not ls %t/loop.out.cu.overlay
// RUN: kperf-rewrite --probes=sync %t/variable.cu -o - | FileCheck %t/variable.cu
// RUN: kperf-rewrite --probes=sync %t/changed.cu -o %t/changed.out.cu && cat %t/changed.out.cu | FileCheck %t/changed.cu
// RUN: cat %t/changed.out.cu.overlay%t/cute.h | FileCheck %t/all.txt
// RUN: kperf-rewrite --probes=sync %t/handed.cu -o %t/handed.out.cu && cat %t/handed.out.cu | FileCheck %t/handed.cu
// RUN: cat %t/handed.out.cu.overlay%t/cute.h | FileCheck %t/all.txt
// RUN: kperf-rewrite --probes=sync %t/kept.cu -o %t/kept.out.cu && cat %t/kept.out.cu | FileCheck %t/kept.cu
// RUN: cat %t/kept.out.cu.overlay%t/cute.h | FileCheck %t/all.txt
// RUN: kperf-rewrite --probes=sync %t/dependent.cu -o %t/dependent.out.cu
// RUN: cat %t/dependent.out.cu.overlay%t/cute.h | FileCheck %t/all.txt
// RUN: kperf-rewrite --probes=sync %t/direct.cu -o %t/direct.out.cu && cat %t/direct.out.cu | FileCheck %t/direct.cu
// RUN: cat %t/direct.out.cu.overlay%t/cute.h | FileCheck %t/all.txt

//--- cute.h
#include <cstdint>
struct LOAD_1D {
  __device__ static void copy(void const *map, uint64_t *mbar, void *to, int at) {
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(map), "r"((unsigned)__cvta_generic_to_shared(mbar)), "r"(at) : "memory");
  }
};
struct CP_ASYNC {
  __device__ static void copy(void const *from, void *to) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
  }
};
struct LOAD {
  __device__ static void copy(void const *map, uint64_t *mbar, void *to, int at) { return LOAD_1D::copy(map, mbar, to, at); }
};
template <class... Arguments> struct Atom {
  void const *map;
  uint64_t *mbar;
  __device__ Atom<uint64_t *> with(uint64_t &mbar, int mask = 0) const { return {map, &mbar}; }
};
template <class... Arguments> __device__ void copy_unpack(Atom<Arguments...> const &atom, int from, char *to) { LOAD::copy(atom.map, atom.mbar, to, from); }
template <class... Arguments> __device__ void copy(Atom<Arguments...> const &atom, int from, char *to) { copy_unpack(atom, from, to); }
template <class... Arguments> __device__ void prefetch(Atom<Arguments...> const &atom, int from) {}
struct Pipeline {
  uint64_t *full, *empty;
  __device__ void producer_acquire(int stage);
  __device__ uint64_t *producer_get_barrier(int stage) { return full + stage; }
};
inline __device__ void dealloc() { asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); }
//--- all.txt
CHECK: {{[oO]}}wSignal{{.*}}(::kperf::barrierAt(mbar), {{.*}} return LOAD_1D::copy(map, mbar, to, at); }

//--- loop.cu
#include "cute.h"
template <class Tma> __device__ void load(Tma const &a, Tma const &b, Pipeline pipeline, char *tile, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^ *}}{ kperf_frame.at<0u>({{.*}} kperf_frame.put<1u>(::kperf::slotAwaitedAt(pipeline, i % 4)); pipeline.producer_acquire(i % 4); kperf_frame.at<2u>(
    pipeline.producer_acquire(i % 4);
    uint64_t *full = pipeline.producer_get_barrier(i % 4);
    // CHECK: {{^ *}}{ kperf_frame.at<3u>({{.*}} kperf_frame.put<4u>(::kperf::barrierAt(&(*full))); copy(a.with(*full, 3), i, tile); }
    copy(a.with(*full, 3), i, tile);
    // CHECK: {{^ *}}{ kperf_frame.at<5u>({{.*}} kperf_frame.put<6u>(::kperf::barrierAt(&(*pipeline.producer_get_barrier(i % 4)))); copy(b.with(*pipeline.producer_get_barrier(i % 4)), i, tile + 64); }
    copy(b.with(*pipeline.producer_get_barrier(i % 4)), i, tile + 64);
  }
}
__global__ void kernel(Atom<> a, Atom<> b, int n) {
  __shared__ char tile[128];
  __shared__ uint64_t full[4], empty[4];
  dealloc();
  load(a, b, Pipeline{full, empty}, tile, n);
}

//--- variable.cu
#include "cute.h"
template <class Tma> __device__ void load(Tma const &a, uint64_t *full, char *tile, int n) {
  auto atom = a.with(*full);
  prefetch(atom, n);
  // CHECK: {{[sS]}}ignal{{.*}}(::kperf::barrierAt(&(*full)), {{.*}} copy(atom, n, tile); }
  copy(atom, n, tile);
}
__global__ void kernel(Atom<> a, uint64_t *full, char *tile, int n) { load(a, full, tile, n); }

//--- changed.cu
#include "cute.h"
template <class Tma> __device__ void load(Tma const &a, uint64_t *full, char *tile, int n) {
  auto atom = a.with(*full);
  ++full;
  // CHECK: {{^}}  copy(atom, n, tile);
  copy(atom, n, tile);
}
__global__ void kernel(Atom<> a, uint64_t *full, char *tile, int n) { load(a, full, tile, n); }

//--- handed.cu
#include "cute.h"
template <class Atom> __device__ void load(Atom const &atom, char *tile, int n) { copy(atom, n, tile); }
__global__ void kernel(Atom<> a, uint64_t *full, char *tile, int n) {
  load(a.with(*full), tile, n);
  // CHECK: {{^}}  copy(a.with(*full), n, tile);
  copy(a.with(*full), n, tile);
}

//--- kept.cu
#include "cute.h"
template <class Atom> __device__ void load(Atom const &atom, char *tile, int n) { copy(atom, n, tile); }
__global__ void kernel(Atom<> a, uint64_t *full, char *tile, int n) {
  auto atom = a.with(*full);
  load(atom, tile, n);
  // CHECK: {{^}}  copy(a.with(*full), n, tile);
  copy(a.with(*full), n, tile);
}

//--- dependent.cu
#include "cute.h"
template <class Operation> __device__ void load(void const *map, uint64_t *full, char *tile, int n) { Operation::copy(map, full, tile, n); }
__global__ void kernel(void const *map, uint64_t *full, char *tile, int n) { load<LOAD>(map, full, tile, n); }

//--- direct.cu
#include "cute.h"
__global__ void kernel(Atom<> a, uint64_t *full, char *tile, int n) {
  LOAD::copy(a.map, full, tile, n);
  // CHECK: {{^}}  copy(a.with(*full), n, tile);
  copy(a.with(*full), n, tile);
}
