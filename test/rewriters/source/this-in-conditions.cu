// Static members that a condition names through `this`, which nvcc and GCC take and Clang does not: kperf reads them, and leaves them so.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --strict --auto=kernels %t/in.cu -o %t/out.cu
// RUN: FileCheck %t/check.txt --input-file=%t/out.cu

//--- in.cu
template <class T> struct Slots {
  static constexpr bool isPair = sizeof(T) > 4;
  template <class V> __device__ auto key(V value) const {
    if constexpr (this->isPair)
      return value.first;
    else
      return value;
  }
};
__global__ void k(int *p) { for (int i = 0; i < 100; ++i) *p += Slots<int>().key(*p); }
//--- check.txt
CHECK: {{^}}    if constexpr (this->isPair)
CHECK: void k(int *p) { {{.*}}kperf_kernel(
