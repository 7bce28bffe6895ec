// --sample: a kernel's body becomes a function that is called for blocks that are recorded and for those that are not.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite --sample=32 --probes=region,sync,memory in.cu -o - 2>err.txt | FileCheck in.cu
// RUN: cat err.txt | FileCheck %s --check-prefix=REASONS
// RUN: kperf-rewrite --sample in.cu -o - 2>&1 | FileCheck %s --check-prefix=USUAL
// RUN: kperf-rewrite --sample in.cu -o - 2>&1 >out.cu | FileCheck %s --check-prefix=BODY
// RUN: kperf-rewrite --sample --target=hip in.cu -o - 2>&1 >out.cu | FileCheck %s --check-prefix=ASKS
// RUN: kperf-rewrite in.cu -o - | grep -v CHECK | FileCheck %s --check-prefix=WITHOUT
// RUN: not kperf-rewrite --sample=0 in.cu -o - 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not kperf-rewrite --sample=often in.cu -o - 2>&1 | FileCheck %s --check-prefix=WRONG

// REASONS: in.cu:[[#]]:[[#]]: warning: blocks of kernel 'named' that are not recorded run its probes, each of which asks for that, for its source can't be copied: it uses __func__ which would name the copy
// REASONS: warning: blocks of kernel 'labelled' that are not recorded run its probes, each of which asks for that, for its source can't be copied: inline assembly declares a label or a variable without braces
// REASONS: warning: blocks of kernel 'calls' that are not recorded run its probes, each of which asks for that, for its source can't be copied: inline assembly declares
// REASONS: warning: blocks of kernel 'branches' that are not recorded run its probes, each of which asks for that, for its source can't be copied: its body begins and ends in different branches of an #if
// REASONS-NOT: warning
// Where nothing but regions and waits is recorded, nvcc's kernels have another copy in their PTX.
// BODY: warning: blocks of kernel 'named' that are not recorded get no copy of its source without probes, but in 'kperf-cc nvcc' builds without --no-compare most kernels have a body without them in their PTX: it uses __func__
// ASKS: warning: blocks of kernel 'named' that are not recorded run its probes, each of which asks for that, for its source can't be copied: it uses __func__
// USUAL: KPERF_SAMPLE_OF(16u)
// WITHOUT-NOT: kperf_body
// WITHOUT-NOT: kperf_isRecorded
// WITHOUT-NOT: KPERF_SAMPLE_OF
// WRONG: error: --sample takes a number of blocks from 1 to 1048576, found '{{0|often}}'

//--- in.cu
#include <kperf/annotate.h>

// CHECK: timed(float *p) { const auto kperf_body = [&](const bool kperf_isRecorded) __attribute__((always_inline)) { ::kperf::Kernel<{{.*}}> kperf_kernel(kperf_isRecorded, 0x{{[0-9a-f]+}}u);
__global__ void timed(float *p) {
  __shared__ float tile[32];
  // CHECK: {{^}}  const ::kperf::ConvergentScope kperf_scope_[[#]]_3(kperf_kernel, 0x{{[0-9a-f]+}}u); KPERF_SCOPE("all");
  KPERF_SCOPE("all");
  // CHECK: {{^}}  ::kperf::store(kperf_isRecorded, 0x{{[0-9a-f]+}}u, tile[threadIdx.x]) = ::kperf::load(kperf_isRecorded, 0x{{[0-9a-f]+}}u, p[threadIdx.x]);
  tile[threadIdx.x] = p[threadIdx.x];
  // CHECK: ::kperf::ConvergentWait kperf_wait_[[#]]_3(kperf_kernel,
  __syncthreads();
  // Of a lambda only the captures are the kernel's own.
  // CHECK: [p](int i) { return ::kperf::load(0x{{[0-9a-f]+}}u, p[i]); }
  const auto at = [p](int i) { return p[i]; };
  // CHECK: if (!kperf_kernel.stays(!static_cast<bool>(threadIdx.x > 8)))
  if (threadIdx.x > 8)
    return;
  // CHECK: {{^}}  ::kperf::store(kperf_isRecorded, {{.*}}= at(3);
  p[threadIdx.x] = at(3);
// CHECK: {{^}} }; ::kperf::runBlock(kperf_body); }
}

// CHECK: counted(float *p) { const auto kperf_body = {{.*}}always_inline)) { ::kperf::store(kperf_isRecorded, {{.*}}, p[0]) = 1; }; ::kperf::runBlock(kperf_body); }
__global__ void counted(float *p) { p[0] = 1; }

// CHECK: instantiated(T *p) { constexpr auto &kperf_name = __PRETTY_FUNCTION__; const auto kperf_body = {{.*}} kperf_kernel(kperf_isRecorded, 0x{{[0-9a-f]+}}u, kperf_name);
template <typename T> __global__ void instantiated(T *p) {
  KPERF_SCOPE("template");
  p[0] = 1;
}
template __global__ void instantiated<int>(int *);

// Without anything to record a kernel stays as it is.
// CHECK: {{^}}__global__ void empty() {}
__global__ void empty() {}

// CHECK: {{^}}__global__ void named(const char **p) { ::kperf::Kernel
__global__ void named(const char **p) {
  KPERF_SCOPE("named");
  // CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, *p) = __func__;
  *p = __func__;
}

__global__ void labelled() {
  KPERF_SCOPE("labelled");
  asm volatile("bra SKIP;\n\tSKIP: bar.sync 0;");
}

__device__ void jumps() { asm volatile(".reg .b32 unscoped;"); }
__global__ void calls() {
  KPERF_SCOPE("calls");
  jumps();
}

// CHECK: {{^}}__global__ void scoped() { const auto kperf_body
__global__ void scoped() {
  KPERF_SCOPE("scoped");
  asm volatile("{ .reg .pred p; again: @p bra again; }");
  asm volatile("mbarrier.try_wait.shared::cta.b64 _, [%0];" ::"r"(0));
}

#ifdef OTHER
__global__ void branches(int) {
#else
__global__ void branches() {
#endif
  KPERF_SCOPE("branches");
#ifdef OTHER
}
#else
  __syncwarp();
}
#endif
// CHECK: {{^}}KPERF_SAMPLE_OF(32u)
// CHECK: {{^}}KPERF_SITES(
