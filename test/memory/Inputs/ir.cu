// Ways to access memory in templates and out of them; ir.py holds what kperf finds in them against Clang's IR.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

struct Pair {
  float first;
  int second[4];
};
template <typename T> struct View {
  T *data;
  int stride;
  __device__ T &at(int row, int column) const { return data[row * stride + column]; }
  __device__ T operator()(int row) const { return data[row]; }
};
template <typename T> struct alignas(sizeof(T) * 4) Pack {
  T values[4];
  __device__ T &operator[](int index) { return values[index]; }
};
__constant__ float weights[16];
__device__ float total;

template <typename T, typename Index> __global__ void indexed(const T *in, T *out, Index n) {
  __shared__ T tile[32][33];
  const Index i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[i % 32][n] = in[i];
  out[i + n] = tile[n][i % 32];
  *(out + n) = *(in + i);
  auto moved = out + n;
  *moved++ = in[i * n];
  moved[n] += T(2) * in[n];
  T *end = &out[n];
  while (moved < end)
    *moved++ = T(0);
  out[0] = __ldg(in + n) + __ldg(&in[i]);
  reinterpret_cast<Pack<T> *>(out)[i] = reinterpret_cast<const Pack<T> *>(in)[n];
}
template __global__ void indexed(const float *, float *, int);
template __global__ void indexed(const __half *, __half *, unsigned);

template <typename T> __global__ void views(View<T> from, View<T> to, Pair *pairs) {
  const int i = threadIdx.x;
  to.at(i, 1) = from.at(1, i);
  to.data[i] = from(i);
  pairs[i].first = static_cast<float>(from.data[i + 1]);
  pairs->second[i % 4]++;
  Pair own = pairs[1];
  own.second[i % 4] = i;
  pairs[2] = own;
  auto add = [=](int at) { to.data[at] = from.data[at] + T(1); };
  add(i);
  total = weights[i % 16];
  atomicAdd(&pairs[3].first, weights[0]);
}
template __global__ void views(View<float>, View<float>, Pair *);

__global__ void plain(float4 *wide, float (*rows)[8], const int *__restrict__ order, volatile int *flag) {
  const int i = threadIdx.x;
  wide[i].x = rows[order[i]][i % 8];
  wide[order[i + 1]] = make_float4(i, 1, 2, 3);
  float &cell = rows[0][i % 8];
  rows[1][2] = cell;
  while (*flag == 0)
    ;
  (*rows)[3] = i > 3 ? wide->y : wide[1].z;
  3 [order] > 2 ? rows[2][0] = 1 : rows[2][1] = 2;
}
