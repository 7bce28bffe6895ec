// Kernels whose memory traffic is known on paper; truth.py has the numbers. Prints a checksum of all that they write.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int kFloats = 1 << 14;

struct Particle {
  float x, y, z, mass;
};
struct Triple {
  float a, b, c;
};

__device__ int place() { return threadIdx.x + blockIdx.x * blockDim.x; }

// 2 blocks of 64: 4 warps.
__global__ void stride1(const float *in, float *out) { int i = place(); out[i] = in[i]; }
__global__ void stride2(const float *in, float *out) { int i = place(); out[i] = in[i * 2]; }
__global__ void stride4(const float *in, float *out) { int i = place(); out[i] = in[i * 4]; }
__global__ void stride8(const float *in, float *out) { int i = place(); out[i] = in[i * 8]; }
__global__ void stride16(const float *in, float *out) { int i = place(); out[i] = in[i * 16]; }
__global__ void stride32(const float *in, float *out) { int i = place(); out[i] = in[i * 32]; }
__global__ void stride33(const float *in, float *out) { int i = place(); out[i] = in[i * 33]; }
__global__ void backwards(const float *in, float *out) { int i = place(); out[i] = in[127 - i]; }
__global__ void misaligned(const float *in, float *out) { int i = place(); out[i] = in[i + 1]; }
__global__ void broadcast(const float *in, float *out) { int i = place(); out[i] = in[blockIdx.x]; }
__global__ void vector2(const float2 *in, float2 *out) { int i = place(); out[i] = in[i]; }
__global__ void vector4(const float4 *in, float4 *out) { int i = place(); out[i] = in[i]; }
__global__ void arrayOfStructures(const Particle *in, float *out) { int i = place(); out[i] = in[i].y; }
__global__ void structureOfArrays(const float *y, float *out) { int i = place(); out[i] = y[i]; }
__global__ void triples(const Triple *in, Triple *out) { int i = place(); out[i] = in[i]; }
__global__ void bytes(const unsigned char *in, unsigned char *out) { int i = place(); out[i] = in[i]; }
__global__ void update(float *data) { int i = place(); data[i] += 1; }
__global__ void readOnly(const float *__restrict__ in, float *out) { int i = place(); out[i] = __ldg(in + i); }
template <typename T> __global__ void generic(const T *in, T *out) { int i = place(); out[i] = in[i] + T(1); }
__device__ float second(const float *pointer) { return pointer[1]; }
__global__ void called(const float *in, float *out) { int i = place(); out[i] = second(&in[i * 2]); }

// 2 blocks of 40: a whole warp and eight lanes each.
__global__ void partial(const float *in, float *out) { int i = place(); out[i] = in[i]; }

// 1 block of 8x8, of 4x4x4: 2 warps.
__global__ void plane(const float *in, float *out) {
  int i = threadIdx.x + 64 * threadIdx.y;
  out[i] = in[i];
}
__global__ void cube(const float *in, float *out) {
  int i = threadIdx.x + 16 * threadIdx.y + 256 * threadIdx.z;
  out[i] = in[i];
}

// 1 block of 64.
__global__ void halves(const float *first, const float *other, float *out) {
  int i = threadIdx.x;
  float value;
  if (i % 32 < 16)
    value = first[i];
  else
    value = other[i];
  out[i] = value;
}
__global__ void evenLanes(const float *in, float *out) {
  int i = threadIdx.x;
  if (i % 2 == 0)
    out[i] = in[i];
}
__global__ void triangle(const float *in, float *out) {
  int i = threadIdx.x % 32;
  float sum = 0;
#pragma unroll 1 // lanes that leave an unrolled loop in different copies of its body come there one after another
  for (int k = 0; k <= i; ++k)
    sum += in[k * 32 + i];
  out[i] = sum;
}

// 1 block of 64: one place in the source comes in 128 patterns, more than a GPU has room for, and in each of them three times.
__global__ void patterns(const float *in, float *out) {
  __shared__ float tile[128];
  int i = threadIdx.x % 32;
  float sum = 0;
  tile[i] = tile[i + 32] = tile[i + 64] = tile[i + 96] = in[i];
  __syncwarp();
#pragma unroll 1
  for (int k = 0; k < 3 * 128; ++k) {
    int at = i * (k / 32 % 4) + k % 32;
    sum += in[at] + tile[at];
  }
  out[threadIdx.x] = sum;
}

// 1 block of 64; the indices are truth.py's too.
__global__ void gather(const int *index, const float *in, float *out) {
  int i = threadIdx.x;
  out[i] = in[index[i]];
}
__global__ void histogram(const int *index, int *bins) { atomicAdd(&bins[index[threadIdx.x] % 8], 1); }
__global__ void sharedHistogram(const int *index, int *bins) {
  __shared__ int local[8];
  if (threadIdx.x < 8)
    local[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&local[index[threadIdx.x] % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8)
    bins[threadIdx.x] += local[threadIdx.x];
}

// 1 block of 32x8 on a tile of 32x32.
__global__ void transposeNaive(const float *in, float *out) {
  for (int row = threadIdx.y; row < 32; row += 8)
    out[threadIdx.x * 32 + row] = in[row * 32 + threadIdx.x];
}
__global__ void transposeTiled(const float *in, float *out) {
  __shared__ float tile[32][32];
  for (int row = threadIdx.y; row < 32; row += 8)
    tile[row][threadIdx.x] = in[row * 32 + threadIdx.x];
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8)
    out[row * 32 + threadIdx.x] = tile[threadIdx.x][row];
}
__global__ void transposePadded(const float *in, float *out) {
  __shared__ float tile[32][33];
  for (int row = threadIdx.y; row < 32; row += 8)
    tile[row][threadIdx.x] = in[row * 32 + threadIdx.x];
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8)
    out[row * 32 + threadIdx.x] = tile[threadIdx.x][row];
}

// 1 block of 32.
__global__ void banks(const float *in, float *out) {
  extern __shared__ float4 dynamic[];
  float *words = reinterpret_cast<float *>(dynamic);
  float2 *pairs = reinterpret_cast<float2 *>(dynamic);
  int i = threadIdx.x;
  dynamic[i] = make_float4(in[i], 1, 2, 3);
  __syncwarp();
  float sum = words[i * 2] + words[i * 4] + words[i % 2] + words[(i * 3) % 128];
  float2 pair = pairs[i], apart = pairs[(i * 16) % 64];
  float4 four = dynamic[31 - i];
  out[i] = sum + pair.x + apart.y + four.z;
}

template <typename T> std::vector<T> fetch(const T *device, int count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

template <typename T> T *onDevice(const std::vector<T> &values) {
  T *device = nullptr;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

std::vector<float> someFloats() {
  std::vector<float> values(kFloats);
  for (int i = 0; i < kFloats; ++i)
    values[i] = static_cast<float>(i % 251);
  return values;
}

std::vector<int> someIndices() {
  std::vector<int> indices(64);
  std::uint32_t seed = 12345;
  for (int &index : indices) {
    seed = seed * 1664525u + 1013904223u;
    index = static_cast<int>(seed >> 20);
  }
  return indices;
}

/// Adds up what each kernel wrote, and clears it for the next.
struct Sum {
  float *out;
  double value = 0;

  void add() {
    const std::vector<float> written = fetch(out, kFloats);
    for (int i = 0; i < kFloats; ++i)
      value += written[i] * (i % 7 + 1);
    cudaMemset(out, 0, kFloats * sizeof(float));
  }
};

void runCopies(float *in, float *out, Sum &sum) {
  void (*copies[])(const float *, float *) = {stride1,   stride2,   stride4,    stride8,  stride16, stride32,         stride33,
                                              backwards, broadcast, misaligned, readOnly, called,   structureOfArrays};
  for (auto copy : copies) {
    copy<<<2, 64>>>(in, out);
    sum.add();
  }
  vector2<<<2, 64>>>(reinterpret_cast<float2 *>(in), reinterpret_cast<float2 *>(out)), sum.add();
  vector4<<<2, 64>>>(reinterpret_cast<float4 *>(in), reinterpret_cast<float4 *>(out)), sum.add();
  arrayOfStructures<<<2, 64>>>(reinterpret_cast<Particle *>(in), out), sum.add();
  triples<<<2, 64>>>(reinterpret_cast<Triple *>(in), reinterpret_cast<Triple *>(out)), sum.add();
  bytes<<<2, 64>>>(reinterpret_cast<unsigned char *>(in), reinterpret_cast<unsigned char *>(out)), sum.add();
  update<<<2, 64>>>(out), sum.add();
  generic<<<2, 64>>>(in, out), sum.add();
}

void runShapes(float *in, float *out, Sum &sum) {
  partial<<<2, 40>>>(in, out), sum.add();
  plane<<<1, dim3(8, 8)>>>(in, out), sum.add();
  cube<<<1, dim3(4, 4, 4)>>>(in, out), sum.add();
  halves<<<1, 64>>>(in, in + 64, out), sum.add();
  evenLanes<<<1, 64>>>(in, out), sum.add();
  triangle<<<1, 64>>>(in, out), sum.add();
  patterns<<<1, 64>>>(in, out), sum.add();
  transposeNaive<<<1, dim3(32, 8)>>>(in, out), sum.add();
  transposeTiled<<<1, dim3(32, 8)>>>(in, out), sum.add();
  transposePadded<<<1, dim3(32, 8)>>>(in, out), sum.add();
  banks<<<1, 32, 32 * sizeof(float4)>>>(in, out), sum.add();
}

int main() {
  float *in = onDevice(someFloats()), *out = onDevice(std::vector<float>(kFloats));
  int *index = onDevice(someIndices()), *bins = onDevice(std::vector<int>(8));
  Sum sum{out};
  runCopies(in, out, sum);
  runShapes(in, out, sum);
  gather<<<1, 64>>>(index, in, out), sum.add();
  histogram<<<1, 64>>>(index, bins);
  sharedHistogram<<<1, 64>>>(index, bins);
  const std::vector<int> counted = fetch(bins, 8);
  for (int i = 0; i < 8; ++i)
    sum.value += counted[i] * (1 << i);
  std::printf("%s, checksum %.17g\n", cudaGetErrorString(cudaDeviceSynchronize()), sum.value);
}
