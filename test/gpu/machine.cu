// Kernels of which compilers make other instructions than their source says, and of which they do not: one launch of each, whose memory
// counts machine.py compares with the hardware's.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kThreads = 128, kBlocks = 64, kAll = kThreads * kBlocks;

#define KERNEL __global__ void __launch_bounds__(kThreads)
#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x
#define LANE const int t = threadIdx.x

struct Pair { float a, b; };
struct alignas(16) Quad { float a, b, c, d; };
struct Triple { float a, b, c; };
struct Mixed { double wide; int narrow; short small; char tiny; };
struct alignas(8) Half4 { __half a, b, c, d; };

// One instruction for each access of the source.
KERNEL row(const float *a, float *o) { INDEX; o[i] = a[i] * 2; }
KERNEL column(const float *a, float *o) { INDEX; o[i] = a[(i % 32) * 256 + i / 32]; }
KERNEL shifted(const float *a, float *o) { INDEX; o[i] = a[i + 1]; }
KERNEL gathered(const float *a, const int *p, float *o) { INDEX; o[i] = a[p[i]]; }
KERNEL scattered(const float *a, const int *p, float *o) { INDEX; o[p[i]] = a[i]; }
KERNEL bytes(const unsigned char *a, unsigned char *o) { INDEX; o[i] = static_cast<unsigned char>(a[i] + 1); }
KERNEL halves(const __half *a, __half *o) { INDEX; o[i] = a[i]; }
KERNEL doubles(const double *a, double *o) { INDEX; o[i] = a[i] + 1; }
KERNEL broadcast(const float *a, float *o) { INDEX; o[i] = a[blockIdx.x]; }
KERNEL odd_lanes(const float *a, float *o) { INDEX; if (i & 1) o[i] = a[i]; }
KERNEL backwards(const float *a, float *o) { INDEX; o[i] = a[kAll - 1 - i]; }
KERNEL pitched(const float *a, float *o) { INDEX; o[i] = a[i / 64 * 100 + i % 64]; }
KERNEL every_fourth(const float *a, float *o) { INDEX; o[i] = a[4 * i]; }
KERNEL quads(const float4 *a, float4 *o) { INDEX; o[i] = a[i]; }
KERNEL pairs(const float2 *a, float2 *o) { INDEX; o[i] = a[i]; }
KERNEL update(float *o) { INDEX; o[i] += 1; }

// Members: merged, or narrowed to those that are used.
KERNEL double2_members(const double2 *a, double *o) { INDEX; o[i] = a[i].x * a[i].y; }
KERNEL double2_swapped(const double2 *a, double *o) { INDEX; o[i] = a[i].y / a[i].x; }
KERNEL float2_members(const float2 *a, float *o) { INDEX; o[i] = a[i].x * a[i].y; }
KERNEL float4_members(const float4 *a, float *o) { INDEX; o[i] = a[i].x + a[i].y * a[i].z - a[i].w; }
KERNEL float4_outer(const float4 *a, float *o) { INDEX; o[i] = a[i].x - a[i].w; }
KERNEL float4_three(const float4 *a, float *o) { INDEX; o[i] = a[i].x - a[i].y * a[i].z; }
KERNEL float4_one(const float4 *a, float *o) { INDEX; o[i] = a[i].z; }
KERNEL float4_middle(const float4 *a, float *o) {
  INDEX;
  const float4 v = a[i];
  o[i] = v.y - v.z;
}
KERNEL float4_lower(const float4 *a, float *o) {
  INDEX;
  const float4 v = a[i];
  o[i] = v.x - v.y;
}
KERNEL members_apart(const float2 *a, float *o) {
  INDEX;
  const float x = a[i].x;
  const float y = a[i].y;
  o[i] = x * y;
}
KERNEL two_objects(const float2 *a, const float2 *b, float *o) { INDEX; o[i] = a[i].x * b[i].y - a[i].y * b[i].x; }
KERNEL object_and_scalar(const float2 *a, const float *b, float *o) { INDEX; o[i] = a[i].x * a[i].y + b[i]; }
KERNEL members_gathered(const double2 *a, const int *p, double *o) { INDEX; o[i] = a[p[i]].x * a[p[i]].y; }
KERNEL stored_members(const float *a, float2 *o) {
  INDEX;
  o[i].x = a[i];
  o[i].y = a[i] + 1;
}
KERNEL struct_pair(const Pair *a, float *o) { INDEX; o[i] = a[i].a * a[i].b; }
KERNEL struct_quad(const Quad *a, float *o) { INDEX; o[i] = a[i].a * a[i].b + a[i].c * a[i].d; }
KERNEL struct_triple(const Triple *a, float *o) { INDEX; o[i] = a[i].a + a[i].b + a[i].c; }
KERNEL struct_mixed(const Mixed *a, float *o) { INDEX; o[i] = static_cast<float>(a[i].wide) + a[i].narrow; }
KERNEL half_members(const Half4 *a, __half *o) { INDEX; o[i] = a[i].a * a[i].b; }

// Read twice, or written and read.
KERNEL twice(const float *a, float *o) { INDEX; o[i] = a[i] + a[i] * a[i]; }
KERNEL again(const float *a, float *o) {
  INDEX;
  const float x = a[i];
  o[i] = x + a[i];
}
KERNEL forwarded(const float *a, float *o) {
  INDEX;
  o[i] = a[i];
  o[i] *= 2;
}

// Loops.
KERNEL unrolled(const float *a, float *o) {
  INDEX;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    sum += a[4 * i + k];
  o[i] = sum;
}
KERNEL unrolled_pairs(const float2 *a, float *o) {
  INDEX;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    sum += a[4 * i + k].x * a[4 * i + k].y;
  o[i] = sum;
}
KERNEL rolled(const float *a, float *o, int n) {
  INDEX;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k * kAll + i];
  o[i] = sum;
}
KERNEL invariant(const float *a, float *o, int n) {
  INDEX;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 3 + a[i];
  o[i] = sum;
}

// Shared memory.
KERNEL shared_row(float *o) {
  __shared__ float s[kThreads];
  LANE;
  s[t] = t;
  __syncthreads();
  o[t] = s[kThreads - 1 - t];
}
KERNEL shared_stores(float *o) {
  __shared__ float s[kThreads * 8];
  LANE;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    s[t * 8 + k] = k * t;
  __syncthreads();
  o[t] = s[t * 3 % 1024];
}
KERNEL shared_loads(const float *a, float *o) {
  __shared__ float s[kThreads * 4];
  LANE;
  for (int k = 0; k < 4; ++k)
    s[k * kThreads + t] = a[k * kThreads + t];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    sum += s[t * 4 + k];
  o[t] = sum;
}
KERNEL shared_by_hand(float *o) {
  __shared__ float s[kThreads * 4];
  LANE;
  s[t * 4] = t;
  s[t * 4 + 1] = t + 1;
  s[t * 4 + 2] = t * 2;
  s[t * 4 + 3] = t * 3;
  __syncthreads();
  o[t] = s[t];
}
KERNEL shared_conflicts(float *o) {
  __shared__ float s[32 * kThreads];
  LANE;
  s[t * 32] = t;
  __syncthreads();
  o[t] = s[t * 32];
}
KERNEL shared_members(float *o) {
  __shared__ float2 s[kThreads];
  LANE;
  s[t] = make_float2(t, t + 1);
  __syncthreads();
  o[t] = s[kThreads - 1 - t].x - s[kThreads - 1 - t].y;
}
KERNEL tile(const float *a, float *o) {
  __shared__ float s[32][33];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  for (int r = y; r < 32; r += kThreads / 32)
    s[r][x] = a[r * 32 + x];
  __syncthreads();
  for (int r = y; r < 32; r += kThreads / 32)
    o[r * 32 + x] = s[x][r];
}

// Atomics.
KERNEL atomic_apart(float *o) { INDEX; atomicAdd(&o[i], 1.0f); }
KERNEL atomic_same(float *o) { INDEX; atomicAdd(&o[i / 32], 1.0f); }
KERNEL atomic_bins(const int *p, int *o) { INDEX; atomicAdd(&o[p[i] % 61], 1); }
KERNEL atomic_returned(int *o, int *r) { INDEX; r[i] = atomicAdd(&o[i % 97], 2); }
KERNEL atomic_cas(int *o, int *r) { INDEX; r[i] = atomicCAS(&o[i], 0, i); }
KERNEL atomic_wide(unsigned long long *o) { INDEX; atomicMax(&o[i], static_cast<unsigned long long>(i)); }

KERNEL atomic_collide(int *o) { INDEX; atomicMax(&o[i * i % 11 + i / 32 * 8], i); }
KERNEL atomic_double(double *o) { INDEX; atomicAdd(&o[i / 4], 1.0); }
KERNEL atomic_half2(__half2 *o) { INDEX; atomicAdd(&o[i % 53], __half2{1, 1}); }

KERNEL shared_atomic_sum(const int *p, int *o) {
  __shared__ int s[64];
  LANE;
  if (t < 64)
    s[t] = p[t];
  __syncthreads();
  atomicAdd(&s[p[t] % 61], t + 2);
  __syncthreads();
  if (t < 64)
    o[t] = s[t];
}
KERNEL shared_atomic_same(const int *p, int *o) {
  __shared__ int s[64];
  LANE;
  if (t < 64)
    s[t] = p[t];
  __syncthreads();
  atomicMax(&s[t / 16], t + 2);
  __syncthreads();
  if (t < 64)
    o[t] = s[t];
}
KERNEL shared_atomic_exchange(const int *p, int *o) {
  __shared__ int s[64];
  LANE;
  if (t < 64)
    s[t] = p[t];
  __syncthreads();
  atomicExch(&s[t * 5 % 48], t);
  __syncthreads();
  if (t < 64)
    o[t] = s[t];
}
KERNEL shared_atomic_float(const int *p, float *o) {
  __shared__ float s[64];
  LANE;
  if (t < 64)
    s[t] = p[t];
  __syncthreads();
  atomicAdd(&s[p[t] % 7], t + 2.0f);
  __syncthreads();
  if (t < 64)
    o[t] = s[t];
}

#define RUN(kernel, ...)                                                                                               \
  do {                                                                                                                 \
    kernel<<<kBlocks, kThreads>>>(__VA_ARGS__);                                                                        \
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)                                       \
      return std::printf("%s: %s\n", #kernel, cudaGetErrorString(error)), 1;                                           \
  } while (false)

template <typename T> T *room() {
  void *address = nullptr;
  cudaMalloc(&address, 64 * kAll * sizeof(double));
  cudaMemset(address, 0, 64 * kAll * sizeof(double));
  return static_cast<T *>(address);
}

static int *permutation() {
  static int host[kAll];
  for (int i = 0; i < kAll; ++i)
    host[i] = static_cast<int>(static_cast<unsigned>(i) * 2654435761u % kAll);
  int *device = room<int>();
  cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice);
  return device;
}

static int runPlain(const float *a, float *o, const int *p) {
  RUN(row, a, o);
  RUN(column, a, o);
  RUN(shifted, a, o);
  RUN(gathered, a, p, o);
  RUN(scattered, a, p, o);
  RUN(bytes, reinterpret_cast<const unsigned char *>(a), reinterpret_cast<unsigned char *>(o));
  RUN(halves, reinterpret_cast<const __half *>(a), reinterpret_cast<__half *>(o));
  RUN(doubles, reinterpret_cast<const double *>(a), reinterpret_cast<double *>(o));
  RUN(broadcast, a, o);
  RUN(odd_lanes, a, o);
  RUN(backwards, a, o);
  RUN(pitched, a, o);
  RUN(every_fourth, a, o);
  RUN(quads, reinterpret_cast<const float4 *>(a), reinterpret_cast<float4 *>(o));
  RUN(pairs, reinterpret_cast<const float2 *>(a), reinterpret_cast<float2 *>(o));
  RUN(update, o);
  RUN(twice, a, o);
  RUN(again, a, o);
  RUN(forwarded, a, o);
  RUN(unrolled, a, o);
  RUN(unrolled_pairs, reinterpret_cast<const float2 *>(a), o);
  RUN(rolled, a, o, 5);
  RUN(invariant, a, o, 5);
  return 0;
}

static int runMembers(const float *a, float *o, const int *p) {
  const auto *twos = reinterpret_cast<const float2 *>(a);
  const auto *fours = reinterpret_cast<const float4 *>(a);
  const auto *wide = reinterpret_cast<const double2 *>(a);
  RUN(double2_members, wide, reinterpret_cast<double *>(o));
  RUN(double2_swapped, wide, reinterpret_cast<double *>(o));
  RUN(float2_members, twos, o);
  RUN(float4_members, fours, o);
  RUN(float4_outer, fours, o);
  RUN(float4_three, fours, o);
  RUN(float4_one, fours, o);
  RUN(float4_middle, fours, o);
  RUN(float4_lower, fours, o);
  RUN(members_apart, twos, o);
  RUN(two_objects, twos, twos + kAll, o);
  RUN(object_and_scalar, twos, a + 4 * kAll, o);
  RUN(members_gathered, wide, p, reinterpret_cast<double *>(o));
  RUN(stored_members, a, reinterpret_cast<float2 *>(o));
  RUN(struct_pair, reinterpret_cast<const Pair *>(a), o);
  RUN(struct_quad, reinterpret_cast<const Quad *>(a), o);
  RUN(struct_triple, reinterpret_cast<const Triple *>(a), o);
  RUN(struct_mixed, reinterpret_cast<const Mixed *>(a), o);
  RUN(half_members, reinterpret_cast<const Half4 *>(a), reinterpret_cast<__half *>(o));
  return 0;
}

int main() {
  const float *a = room<float>();
  float *o = room<float>();
  int *p = permutation();
  if (runPlain(a, o, p) || runMembers(a, o, p))
    return 1;
  RUN(shared_row, o);
  RUN(shared_stores, o);
  RUN(shared_loads, a, o);
  RUN(shared_by_hand, o);
  RUN(shared_conflicts, o);
  RUN(shared_members, o);
  RUN(tile, a, o);
  RUN(atomic_apart, o);
  RUN(atomic_same, o);
  RUN(atomic_bins, p, reinterpret_cast<int *>(o));
  RUN(atomic_collide, reinterpret_cast<int *>(o));
  RUN(atomic_double, reinterpret_cast<double *>(o));
  RUN(atomic_half2, reinterpret_cast<__half2 *>(o));
  RUN(shared_atomic_sum, p, reinterpret_cast<int *>(o));
  RUN(shared_atomic_same, p, reinterpret_cast<int *>(o));
  RUN(shared_atomic_exchange, p, reinterpret_cast<int *>(o));
  RUN(shared_atomic_float, p, o);
  RUN(atomic_returned, reinterpret_cast<int *>(o), p);
  RUN(atomic_cas, reinterpret_cast<int *>(o), p);
  RUN(atomic_wide, reinterpret_cast<unsigned long long *>(o));
  std::printf("no error\n");
  return 0;
}
