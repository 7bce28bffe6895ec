// Where a template's instances differ in where lanes part, the kernel's object is asked only where lanes come together in all of them.
// RUN: kperf-rewrite --cuda-path=none %s -o - -- -std=c++17 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: kperf-rewrite --cuda-path=none %s -o - -- -std=c++17 -DBOTH | FileCheck %s --check-prefixes=CHECK,TWO
#include <kperf/annotate.h>
struct All { static __device__ int rounds(int n) { return n; } };
struct Own { static __device__ int rounds(int n) { return threadIdx.x; } };
template <typename Rounds> __global__ void departs(float *p, int n) {
  const int rounds = Rounds::rounds(n);
  // CHECK: if (!kperf_kernel.stays(!static_cast<bool>(threadIdx.x >= n))) return;
  if (threadIdx.x >= n) return;
  // CHECK: ConvergentScope {{.*}}"first"
  { KPERF_SCOPE("first"); p[0] += 1; }
  for (int round = 0; round < rounds; ++round) {
    // Some lanes may have left the loop, and wait behind it.
    // ONE: stays(!static_cast<bool>(p[threadIdx.x] > round))
    // TWO-NOT: stays
    if (p[threadIdx.x] > round) return;
    // ONE: ConvergentScope {{.*}}"in rounds"
    // TWO: DivergentScope {{.*}}"in rounds"
    { KPERF_SCOPE("in rounds"); p[round] += 1; }
  }
  // ONE: ConvergentScope {{.*}}"behind"
  // TWO: DivergentScope {{.*}}"behind"
  { KPERF_SCOPE("behind"); p[0] += 1; }
}
template <int Few> __global__ void kinds(float *p, int n) {
  // CHECK: stays(!static_cast<bool>(threadIdx.x >= Few))
  if (threadIdx.x >= Few) return;
  // CHECK: ConvergentScope {{.*}}"pass"
  for (int k = 0; k < Few; ++k) { KPERF_SCOPE("pass"); p[k] += 1; }
}
int main() {
  departs<All><<<1, 32>>>(nullptr, 1);
#ifdef BOTH
  departs<Own><<<1, 32>>>(nullptr, 1);
#endif
  kinds<32><<<1, 64>>>(nullptr, 1);
  kinds<48><<<1, 64>>>(nullptr, 1);
}
