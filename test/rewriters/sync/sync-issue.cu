// What is issued into a group of copies has one record, in front of the first: of a loop in front of the loop, of a branch in each; only
// where the group's commit stands in the same block, and never between products of matrices.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
#include <cuda_pipeline.h>
#include <kperf/annotate.h>

__device__ void multiply() { asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0}, %1;" ::"r"(0), "r"(0)); }

// CHECK: {{^}}__global__ void k(float4 *to, const float4 *from, int n)
__global__ void k(float4 *to, const float4 *from, int n) {
  n += 1;
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); __pipeline_memcpy_async(to, from, 16); }
  __pipeline_memcpy_async(to, from, 16);
  // CHECK: {{^}}  __pipeline_memcpy_async(to + 1, from, 16);
  __pipeline_memcpy_async(to + 1, from, 16);
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); __pipeline_commit(); }
  __pipeline_commit();

  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); for (int i = 0; i < n; ++i)
  for (int i = 0; i < n; ++i)
    // CHECK: {{^}}    __pipeline_memcpy_async(to + i, from, 16); }
    __pipeline_memcpy_async(to + i, from, 16);
  // CHECK: {{^}}  __pipeline_memcpy_async(to + n, from, 16);
  __pipeline_memcpy_async(to + n, from, 16);
  __pipeline_commit();

  if (n > 3) {
    // CHECK: {{^}}    { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); __pipeline_memcpy_async(to, from, 16); }
    __pipeline_memcpy_async(to, from, 16);
  }
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); __pipeline_memcpy_async(to + 2, from, 16); }
  __pipeline_memcpy_async(to + 2, from, 16);
  __pipeline_memcpy_async(to + 3, from, 16);
  __pipeline_commit();

  // CHECK: {{^}}  multiply();
  multiply();
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  // Not closed in this block.
  // CHECK: {{^}}  __pipeline_memcpy_async(to, from, 16);
  __pipeline_memcpy_async(to, from, 16);
  if (n > 4)
    __pipeline_commit();
  __pipeline_wait_prior(0);
}
