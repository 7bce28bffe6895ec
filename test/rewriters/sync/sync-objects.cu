// What a wait's object is: the place that the source names, where its words may stand a second time in front of the wait and mean the same. Else
// it is not known. Of groups it follows from their types.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=sync %t/in.cu -o - -- -std=c++17 2>&1 | FileCheck %t/in.cu

//--- in.cu
#include <cooperative_groups.h>
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <thread_scope Scope> class barrier {
public:
  __device__ void arrive_and_wait() {}
};
} // namespace cuda
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
struct Stages {
  Barrier full[2], empty[2];
  int at;
};
__device__ int next(int stage);
#define STAGE barriers[stage]

// CHECK: {{^}}__global__ void named(
__global__ void named(Stages *all, int stage) {
  __shared__ Barrier barriers[2];
  __shared__ Stages stages;
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&(barriers[stage])), 0x{{[0-9a-f]+}}u); barriers[stage].arrive_and_wait();
  barriers[stage].arrive_and_wait();
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&(barriers[stage + 1])), 0x{{[0-9a-f]+}}u); barriers[stage + 1].arrive_and_wait();
  barriers[stage + 1].arrive_and_wait();
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&(stages.full[stages.at])), 0x{{[0-9a-f]+}}u); stages.full[stages.at].arrive_and_wait();
  stages.full[stages.at].arrive_and_wait();
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&(all->empty[0])), 0x{{[0-9a-f]+}}u); all->empty[0].arrive_and_wait();
  all->empty[0].arrive_and_wait();
  Barrier &alias = barriers[1];
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&(alias)), 0x{{[0-9a-f]+}}u); alias.arrive_and_wait();
  alias.arrive_and_wait();
  Barrier *pointer = &barriers[0];
  // CHECK: (kperf_kernel, ::kperf::barrierAt(pointer), 0x{{[0-9a-f]+}}u); pointer->arrive_and_wait();
  pointer->arrive_and_wait();
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&((*pointer))), 0x{{[0-9a-f]+}}u); (*pointer).arrive_and_wait();
  (*pointer).arrive_and_wait();
  // CHECK: ::kperf::barrierAt(&((stage ? barriers[0] : barriers[1]))), 0x{{[0-9a-f]+}}u); (stage ? barriers[0] : barriers[1]).arrive_and_wait();
  (stage ? barriers[0] : barriers[1]).arrive_and_wait();
  for (int i = 0; i < 2; ++i)
    // CHECK: (kperf_kernel, ::kperf::barrierAt(&(barriers[i])), 0x{{[0-9a-f]+}}u); barriers[i].arrive_and_wait();
    barriers[i].arrive_and_wait();
  if (int mine = stage)
    // CHECK: (kperf_kernel, ::kperf::barrierAt(&(barriers[mine])), 0x{{[0-9a-f]+}}u); barriers[mine].arrive_and_wait();
    barriers[mine].arrive_and_wait();
}

// CHECK: {{^}}__global__ void unknown(
__global__ void unknown(int stage) {
  __shared__ Barrier barriers[2];
  // A macro's words are not repeated, nor is what changes something, or may.
  // CHECK: (0u, 0x{{[0-9a-f]+}}u); STAGE.arrive_and_wait();
  STAGE.arrive_and_wait();
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); barriers[stage++].arrive_and_wait();
  barriers[stage++].arrive_and_wait();
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); barriers[stage = 1].arrive_and_wait();
  barriers[stage = 1].arrive_and_wait();
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); barriers[next(stage)].arrive_and_wait();
  barriers[next(stage)].arrive_and_wait();
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); barriers[([&] { return stage; })()].arrive_and_wait();
  barriers[([&] { return stage; })()].arrive_and_wait();
  // To ask for the address of the thread's own object would take it out of registers.
  Barrier own[2];
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); own[stage].arrive_and_wait();
  own[stage].arrive_and_wait();
  Stages mine;
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); mine.full[0].arrive_and_wait();
  mine.full[0].arrive_and_wait();
}

namespace cuda::ptx {
struct sem_release_t {};
__device__ unsigned long long mbarrier_arrive(sem_release_t, unsigned long long *barrier);
__device__ void cp_async_bulk(void *to, const void *from, unsigned bytes, unsigned long long *barrier);
} // namespace cuda::ptx
using __mbarrier_t = unsigned long long;
__device__ unsigned long long __mbarrier_arrive(__mbarrier_t *barrier);
__device__ bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity);
template <int Slots> struct Ring {
  __mbarrier_t full[Slots];
  unsigned bytes;
};
template <class T> struct Slot {
  T *at;
  __device__ operator T *() const { return at; }
};

// Objects of types that an instantiation knows. What __mbarrier_arrive is called with is converted as it converts it.
// CHECK: {{^}}template <int Slots, class Stages> __global__ void dependent(
template <int Slots, class Stages> __global__ void dependent(Stages *all, Slot<Stages> slot, const float *from, float *to, int i) {
  __shared__ Ring<Slots> ring;
  __shared__ __mbarrier_t full[Slots];
  // CHECK: ::kperf::barrierAt(&ring.full[i % Slots]), 0x{{[0-9a-f]+}}u); __mbarrier_arrive(&ring.full[i % Slots]);
  __mbarrier_arrive(&ring.full[i % Slots]);
  // CHECK: ::kperf::barrierAt(&full[i % Slots]), 0x{{[0-9a-f]+}}u); __mbarrier_arrive(&full[i % Slots]);
  __mbarrier_arrive(&full[i % Slots]);
  // CHECK: ::kperf::barrierAt(static_cast<const volatile void *>(all->full + i)), 0x{{[0-9a-f]+}}u); __mbarrier_arrive(all->full + i);
  __mbarrier_arrive(all->full + i);
  // CHECK: ::kperf::barrierAt(static_cast<const volatile void *>(slot)), 0x{{[0-9a-f]+}}u); __mbarrier_arrive(slot);
  __mbarrier_arrive(slot);
  // CHECK: ::kperf::barrierAt(&ring.full[i]), 0x{{[0-9a-f]+}}u); while (!__mbarrier_test_wait_parity(&ring.full[i], false))
  while (!__mbarrier_test_wait_parity(&ring.full[i], false)) {
  }
  // CHECK: ::kperf::barrierAt(&ring.full[i]), 0x{{[0-9a-f]+}}u); cuda::ptx::mbarrier_arrive(cuda::ptx::sem_release_t(), &ring.full[i]);
  cuda::ptx::mbarrier_arrive(cuda::ptx::sem_release_t(), &ring.full[i]);
  // CHECK: ::kperf::barrierAt(&ring.full[i]), 0x{{[0-9a-f]+}}u); cuda::ptx::cp_async_bulk(to, from, ring.bytes, &ring.full[i]);
  cuda::ptx::cp_async_bulk(to, from, ring.bytes, &ring.full[i]);
  // A number of bytes is no barrier: this copy is of another kind.
  // CHECK: (0u, 0x{{[0-9a-f]+}}u); cuda::ptx::cp_async_bulk(to, from, ring.bytes);
  cuda::ptx::cp_async_bulk(to, from, ring.bytes);
}

__global__ void groups() {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto some = cg::coalesced_threads();
  auto grid = cg::this_grid();
  block.sync();
  tile.sync();
  some.sync();
  grid.sync();
  cg::this_thread_block().sync();
}
// Await is 1, and the object's kind stands 8 bits higher: a block's barrier is 2, lanes are 1, a grid's is 4.
// CHECK: "groups", {{.*}}"  block.sync();", {{[0-9]+}}u, 3u, {{[0-9]+}}u, 513u}
// CHECK: "groups", {{.*}}"  tile.sync();", {{[0-9]+}}u, 3u, {{[0-9]+}}u, 257u}
// CHECK: "groups", {{.*}}"  some.sync();", {{[0-9]+}}u, 3u, {{[0-9]+}}u, 257u}
// CHECK: "groups", {{.*}}"  grid.sync();", {{[0-9]+}}u, 3u, {{[0-9]+}}u, 1025u}
// CHECK: "groups", {{.*}}"  cg::this_thread_block().sync();", {{[0-9]+}}u, 3u, {{[0-9]+}}u, 513u}
