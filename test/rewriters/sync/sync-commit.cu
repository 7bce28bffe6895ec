// A group that is closed directly in front of a wait for groups of its kind has no record of its own: the wait's says it.
// RUN: rm -rf %t && mkdir %t && kperf-rewrite --probes=sync %s -o %t/out.cu
// RUN: cat %t/out.cu | FileCheck %s && cat %t/out.cu | FileCheck %s --check-prefix=ROWS
#include <cuda_pipeline.h>
#include <kperf/annotate.h>

__device__ void closeGroup() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int Pending> __device__ void await() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory"); }
struct Guard {
  __device__ ~Guard() { place = 1; }
  volatile int place;
};

// CHECK: {{^}}__global__ void together(int n) { ::kperf::Kernel
__global__ void together(int n) {
  // CHECK: {{^}}  __pipeline_commit();
  __pipeline_commit();
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{[a-z0-9_]+}}(kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); __pipeline_wait_prior(0); }
  __pipeline_wait_prior(0);

  {
    KPERF_SCOPE("issue");
    int step = n;
    // CHECK: {{^}}    closeGroup();
    closeGroup();
  }
  {
    KPERF_SCOPE("wait");
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{[a-z0-9_]+}}(kperf_kernel, 1u, 0x{{[0-9a-f]+}}u); await<1>(); }
    await<1>();
  }
}

// CHECK: {{^}}__global__ void apart(float *to, const float *from, int n) { ::kperf::Kernel
__global__ void apart(float *to, const float *from, int n) {
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); __pipeline_commit(); }
  __pipeline_commit();
  to[0] = from[0];
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{[a-z0-9_]+}}(kperf_kernel, 1u, 0x{{[0-9a-f]+}}u); __pipeline_wait_prior(1); }
  __pipeline_wait_prior(1);

  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); __pipeline_commit(); }
  __pipeline_commit();
  await<2>(); // of another kind

  {
    Guard guard;
    // CHECK: {{^}}    { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); closeGroup(); }
    closeGroup();
  }
  await<3>();

  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); closeGroup(); }
  closeGroup();
#ifndef OTHER
  await<4>();
#endif

  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); closeGroup(); }
  closeGroup();
  while (n-- > 0)
    await<5>();

  for (int i = 0; i < n; ++i)
    // CHECK: {{^}}    { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); closeGroup(); }
    closeGroup();
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{[a-z0-9_]+}}(kperf_kernel, 6u, 0x{{[0-9a-f]+}}u); await<6>(); }
  await<6>();
}

// What is done with what: 1543 is 7 | 6 << 8, groups of copies closed and awaited; 2055 the same of products; 1538 awaits only.
// ROWS: KPERF_REGIONS(
// ROWS: {{"__pipeline_wait_prior\(0\)", .*, 1543u}}}
// ROWS-NEXT: {{"await\(1\)", .*, 2055u}}}
// ROWS: {{"__pipeline_wait_prior\(1\)", .*, 1538u}}}
// ROWS-NOT: {{, (1543|2055)u}}}
// ROWS: {{"await\(6\)", .*, 2050u}}}
