// In a template the pattern is edited, once, and the calls decide by type: reads that Clang leaves to the instances are found.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
template <typename T> struct View { T *data; };
template <typename T> __device__ T twice(T value) { return value + value; }
template <typename T, int N> __global__ void kernel(const T *in, T *out, View<T> view) {
  T local[N];
  int i = threadIdx.x;
  local[0] = in[i];
  T sum = in[i + 1] + local[0] * T(in[i + 2]);
  auto *moved = out + N;
  moved[i] = twice(in[i + 3]);
  out[i] += min(sum, in[i + 4]);
  if (in[i + 5] && out[i + 6])
    view.data[i] = local[1];
  const T &reference = in[i + 7];
  auto copy = in[i + 8];
}
template __global__ void kernel<float, 2>(const float *, float *, View<float>);
template __global__ void kernel<int, 3>(const int *, int *, View<int>);
template <typename I> __device__ float indexed(const float *in, float *out, I i) {
  __shared__ float tile[32][32];
  float local[8];
  local[i] = in[i];
  tile[i][i + 1] = out[I(2) * i];
  out[i] = 3[in] + tile[1][i];
  return i[out];
}
template __device__ float indexed(const float *, float *, unsigned);
//--- check.txt
CHECK:      local[0] = ::kperf::load(0x{{[0-9a-f]+}}u, in[i]);
CHECK-NEXT: {{^}}  T sum = ::kperf::load(0x{{[0-9a-f]+}}u, in[i + 1]) + local[0] * T(::kperf::load(0x{{[0-9a-f]+}}u, in[i + 2]));
CHECK-NEXT: {{^}}  auto *moved = out + N;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, moved[i]) = twice(::kperf::load(0x{{[0-9a-f]+}}u, in[i + 3]));
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, out[i]) += min(sum, ::kperf::load(0x{{[0-9a-f]+}}u, in[i + 4]));
CHECK-NEXT: {{^}}  if (::kperf::load(0x{{[0-9a-f]+}}u, in[i + 5]) && ::kperf::load(0x{{[0-9a-f]+}}u, out[i + 6]))
CHECK-NEXT: {{^}}    ::kperf::store(0x{{[0-9a-f]+}}u, view.data[i]) = local[1];
CHECK-NEXT: {{^}}  const T &reference = in[i + 7];
CHECK-NEXT: {{^}}  auto copy = ::kperf::load(0x{{[0-9a-f]+}}u, in[i + 8]);
CHECK:      {{^}}  local[i] = ::kperf::load(0x{{[0-9a-f]+}}u, in[i]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, tile[i][i + 1]) = ::kperf::load(0x{{[0-9a-f]+}}u, out[I(2) * i]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, out[i]) = ::kperf::load(0x{{[0-9a-f]+}}u, 3[in]) + ::kperf::load(0x{{[0-9a-f]+}}u, tile[1][i]);
CHECK-NEXT: {{^}}  return ::kperf::load(0x{{[0-9a-f]+}}u, i[out]);
