// A loop that is straight-line code within one that is gets no probes of its own: they would stand there once for each pass of the outer
// one. One that is entered by another's passes is held to more work. One whose length is a constant that only an instantiation knows, or may
// be and it is to be unrolled, counts as a few passes, and a call that only an instantiation resolves as what the pattern finds.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --auto=loops --auto-guard=20 --list-regions %t/in.cu 2>&1 | FileCheck %t/check.txt
// RUN: kperf-rewrite --cuda-path=none --auto=loops --auto-guard=0 --list-regions %t/in.cu 2>&1 | grep -c automatic | FileCheck --check-prefix=ALL %s
// ALL: {{^}}29{{$}}
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
    for (int j = 0; j < 64; ++j) p[i] += p[j]; // the pragma is of the outer one alone
  for (int i = 0; i < 512; ++i)
    for (int j = 0; j < 64; ++j) p[i] += p[j]; // the outer one stays a loop
#pragma unroll
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < n; ++j) p[i] += p[j]; // it stays a loop
#pragma unroll 1
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 64; ++j) p[i] += p[j];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j) p[i] += p[j]; // left out: enough for a loop outside of others
}
template <typename T> __device__ void unknown(T *p);
template <typename T> __device__ void little(T *p) { p[0] += 1; }
template <typename T> __device__ void much(T *p) {
  for (int i = 0; i < 64; ++i) p[i] += 1;
}
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
CHECK-NEXT: automatic "for:8" in nested
CHECK-NEXT: automatic "for:9" in nested
CHECK-NEXT: automatic "for:10" in nested
CHECK-NEXT: automatic "for:12" in nested
CHECK-NEXT: automatic "for:13" in nested
CHECK-NEXT: automatic "for:15" in nested
CHECK-NEXT: automatic "for:16" in nested
CHECK-NEXT: automatic "for:17" in nested
CHECK-NEXT: automatic "for:23" in much
CHECK-NEXT: kernel "sized"
CHECK-NEXT: automatic "for:30" in sized
CHECK-NEXT: automatic "for:32" in sized
CHECK-NEXT: automatic "for:34" in sized
CHECK-NEXT: automatic "for:38" in sized
CHECK-NEXT: automatic "for:40" in sized
CHECK-NEXT: automatic "for:47" in sized
CHECK-NEXT: automatic "for:53" in sized
CHECK-NEXT: automatic "for:54" in sized
CHECK-NEXT: automatic "for:56" in sized
CHECK-NEXT: left out "for:5" in nested: it is unrolled with the loop around it
CHECK-NEXT: left out "for:18" in nested: too little work to time
CHECK-NEXT: left out "for:28" in sized: too little work to time
CHECK-NEXT: left out "for:33" in sized: too little work to time
CHECK-NEXT: left out "for:36" in sized: too little work to time
CHECK-NEXT: left out "for:43" in sized: too little work to time
CHECK-NEXT: left out "for:45" in sized: too little work to time
CHECK-NEXT: left out "for:49" in sized: it is unrolled with the loop around it
CHECK-NEXT: left out "for:51" in sized: too little work to time
 CHECK-NOT: in.cu:
