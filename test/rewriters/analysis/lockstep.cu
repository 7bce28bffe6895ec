// Host target: code that relies on lanes in step is named as it is built, for it computes something else there.
// RUN: split-file %s %t
// RUN: kperf-rewrite --target=host %t/reads.cu -o /dev/null 2>&1 | FileCheck %t/reads.txt
// RUN: kperf-rewrite --target=host %t/waits.cu -o /dev/null 2>&1 | FileCheck %t/waits.txt --allow-empty
// RUN: kperf-rewrite %t/reads.cu -o /dev/null 2>&1 | FileCheck %t/waits.txt --allow-empty

//--- reads.cu
__global__ void lines(float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = 1;
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
  }
  *out = s[0];
}
template <unsigned size> __device__ void warpReduce(volatile float *s, unsigned t) {
  if (size >= 64) s[t] = s[t] + s[t + 32];
  if (size >= 32) s[t] = s[t] + s[t + 16];
}
__device__ void halving(volatile double *s, int t) {
  for (int d = 16; d > 0; d /= 2)
    if (t < d)
      s[t] = s[t] + s[t + d];
}
__global__ void scanned() {
  __shared__ int s[32];
  for (int d = 1; d < 32; d = d * 2) {
    if (threadIdx.x >= d)
      s[threadIdx.x] += s[threadIdx.x - d];
  }
}
template <class T, int distance> struct Reduce {
  __device__ static void run(T *s, T (*f)(T, T)) {
    if (distance > 16) {
      __syncthreads();
    }
    // only continue if it's in the lower half
    if (threadIdx.x < distance) {
      s[threadIdx.x] = f(s[threadIdx.x], s[threadIdx.x + distance]);
      Reduce<T, distance / 2>::run(s, f);
    }
  }
};
struct Vector {
  float x, y;
};
__device__ Vector &operator+=(Vector &sum, Vector other) { return sum.x += other.x, sum.y += other.y, sum; }
__device__ void butterfly(Vector *s) {
  const int t = threadIdx.x;
  s[t] += s[t ^ 8];
  __syncwarp();
  s[t] += s[t ^ 4];
}
//--- reads.txt
CHECK-NOT: warning
CHECK: reads.cu:8:13: warning: this reads what other lanes of the warp wrote, without __syncwarp() between: lanes don't run in step on the host target, and the result will be another one
CHECK-NOT: warning
CHECK: reads.cu:15:33: warning: this reads
CHECK-NOT: warning
CHECK: reads.cu:20:21: warning: this reads
CHECK-NOT: warning
CHECK: reads.cu:26:25: warning: this reads
CHECK-NOT: warning
CHECK: reads.cu:36:42: warning: this reads
CHECK-NOT: warning
CHECK: reads.cu:47:11: warning: this reads
CHECK-NOT: warning
//--- waits.cu
template <class T> __device__ T larger(T a, T b) { return a > b ? a : b; }
__global__ void waits(float *out, int n) {
  __shared__ float s[64];
  float own[64];
  int t = threadIdx.x;
  s[t] = larger(s[t], s[t + 16]);
  __syncwarp();
  s[t] += s[t + 8];
  own[t] += own[t + 8]; // its own
  own[t] += own[t + 4];
  out[t] += out[t + 8]; // may be its own
  out[t] += out[t + 4];
  for (int i = 0; i < 32; ++i)
    out[i] += out[i ^ 1]; // one after another
  if (t < 8)
    s[t] += s[t ^ 8]; // the other half waits
  s[0] += s[4]; // one place
  s[0] += s[5];
  for (int d = 16; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  for (int d = 1; d < 4; ++d) // its own stretch
    s[t * 4] += s[t * 4 + d];
  if (n > 32)
    __syncthreads();
  s[t] += s[t + 32];
}
//--- waits.txt
CHECK-NOT: warning
