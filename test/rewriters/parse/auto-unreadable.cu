// Where automatic regions would break the source, it is left as its annotations make it, with a warning; --strict stops.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite --auto=loops in.cu -o out.cu 2>&1 | FileCheck %s && cmp in.cu out.cu
// RUN: not kperf-rewrite --auto=loops --strict in.cu -o strict.cu 2>&1 | FileCheck %s --check-prefix=STRICT && not ls strict.cu

// CHECK: warning: 'in.cu': nothing selected is timed, for clang can't read the text with those probes: in.cu:3: {{.*}}; exclude what is there
// STRICT: error: 'in.cu' does not parse once its probes are in

//--- in.cu
__global__ void k(float *p, int n) {
  constexpr auto sum = [](int m) { int s = 0; for (int i = 0; i < m; ++i) s += i; return s; };
  constexpr int known = sum(9);
  for (int i = 0; i < n; ++i) p[i] = known;
}
