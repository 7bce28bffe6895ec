// A loop within one that is straight-line code gets no probes of its own: they would stand there once for each pass of the outer one; nor
// does one within a loop that does little else. One that is entered by another's passes, in a function or lambda too, is held to more
// work. One whose length is a constant that only an instantiation knows, or may be and it is to be unrolled, counts as a few passes, and a
// call that only an instantiation resolves as what the pattern finds.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --auto=loops --auto-guard=20 --list-regions %t/in.cu 2>&1 | FileCheck %t/check.txt
// RUN: kperf-rewrite --cuda-path=none --auto=loops --auto-guard=0 --list-regions %t/in.cu 2>&1 | grep -c automatic | FileCheck --check-prefix=ALL %s
// ALL: {{^}}37{{$}}
// RUN: kperf-rewrite --cuda-path=none --select=%t/loops.yaml --list-regions %t/in.cu 2>&1 | FileCheck --check-prefix=RULE %s
// RULE: "for:3" in nested

//--- loops.yaml
rules:
  - loops: "nested"
//--- in.cu
__global__ void nested(float *p, int n) {
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 64; ++j) p[i] += p[j]; // left out: unrolled with the other
#pragma unroll
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < n; ++j) p[i] += p[j]; // left out: in an unrolled one
  for (int i = 0; i < 512; ++i)
    for (int j = 0; j < 64; ++j) p[i] += p[j]; // left out: the outer one does little else
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 64; ++j) p[i] += p[j];
    p[i] = p[i] * p[n] + p[2 * n];
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 64; ++j) p[i] += p[j];
    __syncthreads(); // waits
  }
#pragma unroll 1
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 64; ++j) p[i] += p[j]; // left out, as above
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j) p[i] += p[j]; // left out: enough for a loop outside of others
}
template <typename T> __device__ void unknown(T *p);
template <typename T> __device__ void little(T *p) { p[0] += 1; }
template <typename T> __device__ void much(T *p) {
  for (int i = 0; i < 64; ++i) p[i] += 1;
}
__device__ void inLoop(float *p) {
  for (int i = 0; i < 16; ++i) p[i] += 1; // left out: its callers do it often
}
__device__ void behindLoop(float *p) { inLoop(p); }
template <typename T> __device__ void inTemplate(T *p) {
  for (int i = 0; i < 16; ++i) p[i] += 1; // left out
}
__device__ void onceAlone(float *p) {
  for (int i = 0; i < 16; ++i) p[i] += 1;
}
template <typename T> __global__ void calls(T *p, int n) {
  auto tile = [&](int j) {
    for (int i = 0; i < 16; ++i) p[i] += j; // left out
  };
  auto first = [&](int j) {
    for (int i = 0; i < 16; ++i) p[i] += j;
  };
  first(0);
  onceAlone(p);
  for (int i = 0; i < n; ++i) {
    tile(i);
    behindLoop(p);
    inTemplate(p);
  }
}
template __global__ void calls(float *, int);
template <int N, typename T> __global__ void sized(T *p, int n) {
  constexpr int M = N / 2;
#pragma unroll
  for (int i = 0; i < N; ++i) p[i] += 1; // left out: a few passes
#pragma unroll
  for (int i = 0; i < M; ++i) p[i] += p[i + 1] * p[i + 2] + p[i + 3];
#pragma unroll
  for (int i = 0; i < n; ++i) p[i] += 1;
  for (int i = 0; i < N; ++i) p[i] += 1; // left out: the pragma makes no difference
  for (int i = 0; i < M; ++i) p[i] += p[i + 1] * p[i + 2] + p[i + 3];
#pragma unroll
  for (int i = 0; i < N; ++i) little(p + i); // left out
#pragma unroll
  for (int i = 0; i < N; ++i) much(p + i);
#pragma unroll
  for (int i = 0; i < N; ++i) unknown(p + i);
  auto step = [&](int i) { p[i] += 1; };
#pragma unroll
  for (int i = 0; i < N; ++i) step(i); // left out
#pragma unroll
  for (int i = 0; i < N; ++i) do { p[i] += 1; } while (0); // left out
#pragma unroll
  for (int i = 0; i < N; ++i)
#pragma unroll
    for (int j = 0; j < N; ++j) much(p + i + j); // left out: unrolled with the other
  const int K = N + 1;
  for (int i = 0; i < K * 2 - 1; ++i) p[i] += 1; // left out
  const int L = n + N;
  for (int i = 0; i < L; ++i) p[i] += 1;
  for (int i = n; i < N; ++i) p[i] += 1;
  const int O = O + O + N; // of itself
  for (int i = 0; i < O; ++i) p[i] += 1;
}
template __global__ void sized<8>(float *, int);
//--- check.txt
     CHECK: kernel "nested"
CHECK-NEXT: automatic "for:3" in nested
CHECK-NEXT: automatic "for:7" in nested
CHECK-NEXT: automatic "for:9" in nested
CHECK-NEXT: automatic "for:11" in nested
CHECK-NEXT: automatic "for:12" in nested
CHECK-NEXT: automatic "for:15" in nested
CHECK-NEXT: automatic "for:16" in nested
CHECK-NEXT: automatic "for:20" in nested
CHECK-NEXT: automatic "for:22" in nested
CHECK-NEXT: automatic "for:38" in onceAlone
CHECK-NEXT: kernel "calls"
CHECK-NEXT: automatic "for:45" in calls::(lambda)
CHECK-NEXT: automatic "for:49" in calls
CHECK-NEXT: kernel "sized"
CHECK-NEXT: automatic "for:61" in sized
CHECK-NEXT: automatic "for:63" in sized
CHECK-NEXT: automatic "for:65" in sized
CHECK-NEXT: automatic "for:69" in sized
CHECK-NEXT: automatic "for:71" in sized
CHECK-NEXT: automatic "for:78" in sized
CHECK-NEXT: automatic "for:84" in sized
CHECK-NEXT: automatic "for:85" in sized
CHECK-NEXT: automatic "for:87" in sized
CHECK-NEXT: left out "for:5" in nested: the loop around it is unrolled
CHECK-NEXT: left out "for:8" in nested: the loop around it is unrolled
CHECK-NEXT: left out "for:10" in nested: the loop around it does little else
CHECK-NEXT: left out "for:21" in nested: the loop around it does little else
CHECK-NEXT: left out "for:23" in nested: too little work to time
CHECK-NEXT: left out "for:28" in much: too little work to time
CHECK-NEXT: left out "for:31" in inLoop: too little work to time
CHECK-NEXT: left out "for:35" in inTemplate: too little work to time
CHECK-NEXT: left out "for:42" in calls::(lambda): too little work to time
CHECK-NEXT: left out "for:59" in sized: too little work to time
CHECK-NEXT: left out "for:64" in sized: too little work to time
CHECK-NEXT: left out "for:67" in sized: too little work to time
CHECK-NEXT: left out "for:74" in sized: too little work to time
CHECK-NEXT: left out "for:76" in sized: too little work to time
CHECK-NEXT: left out "for:80" in sized: the loop around it is unrolled
CHECK-NEXT: left out "for:82" in sized: too little work to time
 CHECK-NOT: in.cu:
