// A formatter that knows no CUDA writes `<< <1, 32> >>`: nvcc takes it, and so does kperf, on all targets, and leaves it so.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --strict --auto=kernels %t/in.cu -o %t/out.cu
// RUN: FileCheck %t/cuda.txt --input-file=%t/out.cu
// RUN: kperf-rewrite --target=host --strict %t/in.cu -o - | FileCheck %t/host.txt
// RUN: kperf-cc --strict host -O1 %t/in.cu -o %t/program
// RUN: env KPERF_OUTPUT=%t/trace.kperf %t/program | FileCheck %t/run.txt

//--- in.cu
#include <cstdio>
#define LAUNCH(k, p) k << <2, 32 >> > (p)
template <int N> __global__ void add(int *p) { p[blockIdx.x * 32 + threadIdx.x] += N; }
template <class T> void templated(T *p) { add<3> << < dim3(2), 32 > >> (p); }
int main() {
  int *p, sum = 0;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMemset(p, 0, 64 * sizeof(int));
  add<2> << <(64 + 31) / 32, 32 >> > (p);
  LAUNCH(add<1>, p);
  templated(p);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    sum += p[i];
  std::printf("sum %d\n", sum);
}
//--- cuda.txt
CHECK: #define LAUNCH(k, p) k << <2, 32 >> > (p)
CHECK: void templated(T *p) { add<3> << < dim3(2), 32 > >> (p); }
CHECK: {{^}}  add<2> << <(64 + 31) / 32, 32 >> > (p);
//--- host.txt
CHECK: #define LAUNCH(k, p) ::kperf::host::launch(k , 2, 32 ) (p)
CHECK: void templated(T *p) { ::kperf::host::launch(add<3> ,  dim3(2), 32 ).named(::kperf::host::launchName<add<3>>("add")) (p); }
CHECK: {{^}}  ::kperf::host::launch(add<2> , (64 + 31) / 32, 32 ).named("add<2>") (p);
//--- run.txt
CHECK: sum 384
