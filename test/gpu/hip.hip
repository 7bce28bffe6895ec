// HIP's spelling of everything that differs from CUDA's, for NVIDIA GPUs and the CPU, where warps have 32 lanes: each line that it
// prints is known on paper.
#include <cstdio>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <kperf/annotate.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if (const hipError_t status = (call); status != hipSuccess) {                                                      \
      std::printf("%s: %s\n", #call, hipGetErrorString(status));                                                       \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (false)

constexpr int kThreads = 64;
__constant__ int offset;

__global__ void __launch_bounds__(kThreads) reduce(const int *in, int *out) {
  KPERF_SCOPE("sum");
  int sum = in[threadIdx.x] + offset;
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    sum += __shfl_down(sum, distance);
  if (hipThreadIdx_x % warpSize == 0)
    out[hipThreadIdx_x / warpSize] = sum;
}

template <typename T> __global__ void reverse(T *data) {
  HIP_DYNAMIC_SHARED(T, tile)
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  KPERF_SCOPE("turn");
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void votes(unsigned long long *out) {
  const unsigned long long even = __ballot(threadIdx.x % 2 == 0);
  if (threadIdx.x == 31) {
    out[0] = even;
    out[1] = __popcll(__lanemask_lt());
  }
  out[2] = __any(threadIdx.x == 5);
  out[3] = __all(threadIdx.x == 5);
  const int rotated = __shfl(static_cast<int>(threadIdx.x), threadIdx.x + 5, 16);
  const int crossed = __shfl_xor(static_cast<int>(threadIdx.x), 3) + __shfl_up(static_cast<int>(threadIdx.x), 1);
  if (threadIdx.x == 8) {
    out[4] = rotated;
    out[5] = crossed;
  }
}

__device__ float twice(float x) {
  KPERF_SCOPE("twice");
  return x + x;
}
template <typename T> __global__ void scale(T *value, T factor) {
  const long long before = wall_clock64();
  *value = twice(*value) * factor + __half2float(__float2half(0.25f));
  if (wall_clock64() < before)
    *value = -1;
}

int main() {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("warps of %d lanes, ballots of %zu bytes\n", properties.warpSize, sizeof(unsigned long long));

  int *data = nullptr, numbers[kThreads + 2];
  for (int i = 0; i < kThreads; ++i)
    numbers[i] = i;
  const int one = 1;
  CHECK(hipMalloc(&data, sizeof(numbers)));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(offset), &one, sizeof(one)));
  CHECK(hipMemcpy(data, numbers, sizeof(numbers), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(reduce, dim3(1), dim3(kThreads), 0, 0, data, data + kThreads);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(reverse<int>), 1, kThreads, kThreads * sizeof(int), nullptr, data);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(numbers, data, sizeof(numbers), hipMemcpyDeviceToHost));
  std::printf("reduced: %d %d, reversed: %d %d\n", numbers[kThreads], numbers[kThreads + 1], numbers[0], numbers[1]);

  unsigned long long *bits = nullptr;
  hipStream_t stream;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipMallocManaged(&bits, 6 * sizeof(*bits)));
  votes<<<1, 32, 0, stream>>>(bits);
  CHECK(hipStreamSynchronize(stream));
  std::printf("ballot: 0x%llx, below the last lane %llu, any %llu, all %llu, rotated %llu, crossed and up %llu\n", bits[0],
              bits[1], bits[2], bits[3], bits[4], bits[5]);

  float *value = nullptr, milliseconds = -1;
  hipEvent_t begin, end;
  CHECK(hipHostMalloc(&value, sizeof(float), hipHostMallocDefault));
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  *value = 1.5f;
  CHECK(hipEventRecord(begin, stream));
  hipLaunchKernelGGL(scale, dim3(1), dim3(1), 0, stream, value, 2.5f);
  CHECK(hipEventRecord(end, stream));
  CHECK(hipEventSynchronize(end));
  CHECK(hipEventElapsedTime(&milliseconds, begin, end));
  std::printf("scaled: %g, time passed: %s\n", *value, milliseconds >= 0 ? "yes" : "no");
  std::printf("a wrong copy: %s\n", hipGetErrorString(hipMemcpy(nullptr, data, 4, hipMemcpyDeviceToHost)));
  CHECK(hipDeviceReset());
}
