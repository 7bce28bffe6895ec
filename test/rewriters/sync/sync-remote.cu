// --probes=sync: an arrival that may be at the barrier of another block of the cluster is recorded as that, whichever barrier it is.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
// RUN: kperf-rewrite --probes=sync %s -o - | %python -c "import re, sys; [print(name, int(sync) >> 8, int(sync) & 255) for name, sync in re.findall(r'[78]u, \"(.*?)\", \"\w+\", .* (\d+)u}', sys.stdin.read())]" | FileCheck %s --check-prefix=KINDS
// 5 is a shared barrier, 10 one of another block; 3 an arrival.
// KINDS-DAG: mbarrier.arrive 10 3
// KINDS-DAG: mbarrier.arrive(address) 5 3
// KINDS-DAG: mbarrier_arrive 10 3
// KINDS-DAG: mbarrier_arrive(&bar) 5 3
// KINDS-DAG: arrive 10 3
// KINDS-DAG: arrive(barrier) 5 3
// KINDS-DAG: arrive_and_expect_tx 10 3
// KINDS-DAG: arrive_and_expect_tx(barrier) 5 3
// KINDS-DAG: __mbarrier_arrive 10 3
// KINDS-DAG: arriveAt 10 3
using Bar = unsigned long long;
struct space_cluster_t {};
struct space_shared_t {};
struct Cluster { __device__ Bar *map_shared_rank(Bar *bar, int) { return bar; } };
struct ClusterTransactionBarrier {
  Bar word;
  __device__ void arrive() const {}
  __device__ void arrive(unsigned block, unsigned isOn = 1) const {}
  __device__ void arrive_and_expect_tx(unsigned bytes) const {}
  __device__ void arrive_and_expect_tx(unsigned bytes, unsigned block) const {}
};
__device__ void __mbarrier_arrive(Bar *) {}
__device__ void mbarrier_arrive(space_cluster_t, Bar *) {}
__device__ void mbarrier_arrive(space_shared_t, Bar *) {}
// A function that does nothing else counts as that.
__device__ void arriveAt(Bar *bar, unsigned block) {
  asm volatile("{.reg .b32 far; mapa.shared::cluster.u32 far, %0, %1; mbarrier.arrive.shared::cluster.b64 _, [far];}" ::"r"((unsigned)__cvta_generic_to_shared(bar)), "r"(block));
}

__global__ void k(Cluster cluster, unsigned address, int rank) {
  __shared__ Bar bar;
  __shared__ ClusterTransactionBarrier barrier;
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(address));
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(address), 0x{{[0-9a-f]+}}u); asm volatile("mbarrier.arrive.shared::cta.b64
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address));
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); mbarrier_arrive(space_cluster_t(), &bar); }
  mbarrier_arrive(space_cluster_t(), &bar);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&bar), 0x{{[0-9a-f]+}}u); mbarrier_arrive(space_shared_t(), &bar); }
  mbarrier_arrive(space_shared_t(), &bar);
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); barrier.arrive(rank); }
  barrier.arrive(rank);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(barrier)), 0x{{[0-9a-f]+}}u); barrier.arrive(); }
  barrier.arrive();
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); barrier.arrive_and_expect_tx(64, rank); }
  barrier.arrive_and_expect_tx(64, rank);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(barrier)), 0x{{[0-9a-f]+}}u); barrier.arrive_and_expect_tx(64); }
  barrier.arrive_and_expect_tx(64);
  Bar *far = cluster.map_shared_rank(&bar, rank);
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); __mbarrier_arrive(far); }
  __mbarrier_arrive(far);
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); arriveAt(&bar, rank); }
  arriveAt(&bar, rank);
}
