// A macro of the source that has a probe's name is not called in its place; one without parameters can't be kept out, and is named.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory,region --auto=kernels %t/in.cu -o - -- '-Dupdate(p)=(*(p))' > %t/out.cu
// RUN: FileCheck %t/check.txt --input-file %t/out.cu
// RUN: not kperf-rewrite --cuda-path=none --probes=memory %t/words.cu -o - 2>&1 | FileCheck %t/words.txt
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/harmless.cu -o - 2>&1 | FileCheck %t/harmless.txt

//--- in.cu
__global__ void command(float *v, const float *w, int n) { v[threadIdx.x] += update(w + n) * w[1]; }
#undef update
#define end(x) x
#define store (no)
#undef store
__global__ void none(float *v, const float *w) { v[0] = w[1]; }
#define store(p, x) (*(p) = (x))
#define update()
#define runBlock(...)
__global__ void some(float *v, const float *w) {
  store(v, w[0]);
  v[1] += w[2];
}
//--- check.txt
      CHECK: void command
CHECK-SAME: (::kperf::update)(
CHECK-SAME: += update(w + n) * ::kperf::load({{.*}}, w[1])
      CHECK: void none
CHECK-SAME: {{[^(]}}::kperf::store(
CHECK-SAME: = ::kperf::load(
      CHECK: void some
      CHECK: (::kperf::update)({{.*}} += ::kperf::load(
//--- words.cu
#define load load_now
__global__ void k(float *v, const float *w) { v[0] = w[1]; }
//--- words.txt
CHECK: error: macros of the source have names that its probes use: 'load' ({{.*}}words.cu:1:9): #undef them before the kernels, or give them other names
//--- harmless.cu
#define load load
__global__ void k(float *v, const float *w) { v[0] = w[1]; }
//--- harmless.txt
CHECK-NOT: error
CHECK: ::kperf::store({{.*}} = ::kperf::load(
