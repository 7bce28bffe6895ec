// A range-based for has accesses in its text only; what its iterators read is listed as unseen.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
struct Pair { float x[2]; __device__ const float *begin() const { return x; } __device__ const float *end() const { return x + 2; } };
template <class T> __device__ float sum(const T &all) { float s = 0; for (auto x : all) s += x; return s; }
__global__ void kernel(float *p, Pair *pair) {
  float local[] = {1, 2};
  __shared__ float tile[4];
  for (float x : local) p[0] = x;
  for (float &x : local) x = p[1];
  for (float &x : tile) x = 1;
  for (float x : tile) p[2] = x;
  for (float x : *pair) p[3] = x;
}
//--- check.txt
CHECK: for (auto x : all) s += x; return s; }
CHECK: {{^}}  {{.*}}SampledLoop kperf_loop_{{[0-9]}}; for (float x : local) {{.*}} {{[{]}}::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u}, p[0]) = x;
CHECK-NEXT: {{^}}  {{.*}}SampledLoop kperf_loop_{{[0-9]}}; for (float &x : local) {{.*}} {{[{]}}x = ::kperf::load({kperf_sample, 0x{{[0-9a-f]+}}u}, p[1]);
CHECK-NEXT: {{^}}  {{.*}}SampledLoop kperf_loop_{{[0-9]}}; for (float &x : tile) {{.*}} {{[{]}}::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u}, x) = 1;
CHECK-NEXT: {{^}}  {{.*}}SampledLoop kperf_loop_{{[0-9]}}; for (float x : tile) {{.*}} {{[{]}}::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u}, p[2]) = x;
CHECK-NEXT: {{^}}  {{.*}}SampledLoop kperf_loop_{{[0-9]}}; for (float x : *pair) {{.*}} {{[{]}}::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u}, p[3]) = x;
CHECK-NOT: "local", "a range-based
CHECK: {0x000000u, 4u, {{.*}}"all", "a range-based for reads the elements", 2u
CHECK-NOT: "local", "a range-based
CHECK: {0x000000u, 4u, {{.*}}"tile", "a range-based for reads the elements", 9u
CHECK: {0x000000u, 4u, {{.*}}"*pair", "a range-based for reads the elements", 10u
