// Host target: an extern __shared__ array becomes a reference to the block's memory, on as many lines.
// RUN: split-file %s %t
// RUN: kperf-rewrite --target=host %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
extern __shared__ float everywhere[];
__global__ void global(float *p) { everywhere[threadIdx.x] = p[0]; __syncthreads(); p[1] = everywhere[0]; }
__global__ void untouched(float *p) { p[0] = 1; }
template <class T> __global__ void local(T *p) {
  extern __shared__ __align__(16)
      unsigned char raw[];
  __shared__ extern T typed[];
  __shared__ T fixed[4];
  fixed[0] = typed[0] = raw[0];
}
//--- check.txt
CHECK: {{^}}extern __shared__ float everywhere[];
CHECK-NEXT: void global(float *p) { auto &everywhere = *reinterpret_cast<float (*)[]>(::kperf::host::dynamicShared()); everywhere[threadIdx.x] = p[0];
CHECK-NEXT: void untouched(float *p) { p[0] = 1; }
CHECK: {{^}}  auto &raw = *reinterpret_cast<unsigned char (*)[]>(::kperf::host::dynamicShared());{{$}}
CHECK-EMPTY:
CHECK-NEXT: {{^}}  auto &typed = *reinterpret_cast<T (*)[]>(::kperf::host::dynamicShared());{{$}}
CHECK-NEXT: {{^}}  __shared__ T fixed[4];
