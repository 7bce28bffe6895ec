// Host target: shared memory of device functions that are no templates is read as such, without a warning. There they are the host's functions, too.
// RUN: split-file %s %t
// RUN: kperf-rewrite --target=host --probes=memory %t/in.cu -o - > %t/out.cu 2> %t/said && FileCheck %t/check.txt --input-file %t/out.cu && count 0 < %t/said

//--- in.cu
__device__ int plain(int t) {
  __shared__ int own[32];
  __shared__ alignas(16) int aligned[32];
  int automatic[2] = {t, t};
  own[t] = automatic[0];
  aligned[t] = automatic[1];
  return own[31 - t];
}
inline __device__ int inlined(int t) {
  static __shared__ int own[32];
  own[t] = t;
  return 0;
}
struct Reducer {
  __device__ int member(int t) {
    int __shared__ own[32];
    own[t] = t;
    return 0;
  }
};
__global__ void kernel(int *out) {
  auto lambda = [](int t) {
    __shared__ int own[32];
    own[t] = t;
    return 0;
  };
  *out = plain(threadIdx.x) + inlined(threadIdx.x) + Reducer().member(threadIdx.x) + lambda(threadIdx.x);
}
//--- check.txt
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, own[t]) = automatic[0];
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, aligned[t]) = automatic[1];
CHECK-NEXT: return ::kperf::load(0x{{[0-9a-f]+}}u, own[31 - t]);
CHECK: inlined
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, own[t]) = t;
CHECK: member
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, own[t]) = t;
CHECK: lambda
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, own[t]) = t;
