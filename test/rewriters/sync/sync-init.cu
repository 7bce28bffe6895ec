// Where a barrier object is initialised, a record says how many arrivals complete a phase of it; not of what is called init and is no
// barrier, nor where the number can't be said again.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
// RUN: kperf-rewrite --probes=sync %s -o - | grep -v "//" | grep -c expectedAt | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}6{{$}}
#include <kperf/annotate.h>

struct Pool { __device__ void init(int); };
struct ClusterBarrier { unsigned long long word; __device__ void init(int); };
namespace cuda { template <int> struct barrier { unsigned long long word; }; template <int S> __device__ void init(barrier<S> *, int); }
__device__ void init(float *, int);
__device__ void __mbarrier_init(unsigned long long *, unsigned);
__device__ void initialize_barrier(unsigned long long &, int);
__device__ int take();

__device__ void ready(unsigned long long *bar, int threads) {
  unsigned address = __cvta_generic_to_shared(bar);
  // CHECK: {{^}}  { ::kperf::signal(::kperf::expectedAt(::kperf::barrierAt(address), static_cast<unsigned>(threads)), 0x{{[0-9a-f]+}}u); asm volatile("mbarrier.init
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(threads));
  // CHECK: {{^}}  { ::kperf::signal(::kperf::expectedAt(::kperf::barrierAt(address), static_cast<unsigned>(7u)), 0x{{[0-9a-f]+}}u); asm volatile("mbarrier.init
  asm volatile("mbarrier.init.shared.b64 [%0], 7;" ::"r"(address));
}

__global__ void k(float *p, int n) {
  __shared__ unsigned long long full[4];
  __shared__ cuda::barrier<1> meeting;
  __shared__ ClusterBarrier object;
  Pool pool;
  // CHECK: {{^}}    { kperf_kernel.firstSignal(::kperf::expectedAt(::kperf::barrierAt(&full[n]), static_cast<unsigned>(blockDim.x / 32)), 0x{{[0-9a-f]+}}u); __mbarrier_init
  if (threadIdx.x == 0)
    __mbarrier_init(&full[n], blockDim.x / 32);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::expectedAt(::kperf::barrierAt(&(full[1])), static_cast<unsigned>(n)), 0x{{[0-9a-f]+}}u); initialize_barrier
  initialize_barrier(full[1], n);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::expectedAt(::kperf::barrierAt(&meeting), static_cast<unsigned>(n + 1)), 0x{{[0-9a-f]+}}u); init(&meeting
  init(&meeting, n + 1);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::expectedAt(::kperf::barrierAt(&(object)), static_cast<unsigned>(2)), 0x{{[0-9a-f]+}}u); object.init
  object.init(2);
  // CHECK: {{^}}  init(p, n);
  init(p, n);
  // CHECK: {{^}}  pool.init(n);
  pool.init(n);
  // CHECK: {{^}}  __mbarrier_init(&full[2], take());
  __mbarrier_init(&full[2], take());
}
