// typeof is a keyword to nvcc whatever -std says, so it is one to the parse; the macros stay those of that standard.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --auto=loops --list-regions %t/in.cu -- -std=c++17 2>&1 | FileCheck %s --check-prefixes=READ,STRICT
// RUN: kperf-rewrite --cuda-path=none --auto=loops --list-regions %t/in.cu -- -std=gnu++17 2>&1 | FileCheck %s --check-prefixes=READ,GNU
// READ-NOT: warning
// STRICT: automatic "for:4" in strict
// GNU: automatic "for:8" in gnu
// READ: automatic "while:12" in k
// READ-NOT: automatic

//--- in.cu
#define READ_ONCE(x) (*(volatile typeof(x) *)&(x))
#if defined(__STRICT_ANSI__) && !defined(linux) && !defined(unix)
__global__ void strict(float *v) {
  for (int i = 0; i < 32; ++i) v[i] = v[i + 1] * v[i + 2] + v[i + 3] / v[i + 4];
}
#else
__global__ void gnu(float *v) {
  for (int i = 0; i < 32; ++i) v[i] = v[i + 1] * v[i + 2] + v[i + 3] / v[i + 4];
}
#endif
__global__ void k(int *flag, float *v, int n) {
  while (READ_ONCE(flag[1]) < n) v[flag[1]] = v[n + 1] * v[n + 2] + v[n + 3] / v[n + 4];
}
