// What the drivers share: device memory with known contents, the median time of a launch, and a checksum of what was computed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace driver {

inline void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <class T> __global__ void fill(T *to, std::size_t count, unsigned seed, float scale, float offset) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x) {
    unsigned hash = unsigned(i) * 2654435761U ^ seed * 2246822519U;
    hash = (hash ^ hash >> 15) * 2246822519U;
    hash = (hash ^ hash >> 13) * 3266489917U;
    to[i] = T((float(hash >> 16) / 65536.0F - 0.5F) * 2 * scale + offset);
  }
}

/// Device memory for `count` elements, all of whose bytes are zero.
template <class T> T *zeros(std::size_t count) {
  void *memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  check(cudaMemset(memory, 0, count * sizeof(T)), "cudaMemset");
  return static_cast<T *>(memory);
}

/// Device memory with `count` numbers in offset ± scale, the same in every run.
template <class T> T *numbers(std::size_t count, unsigned seed, float scale = 1, float offset = 0) {
  T *memory = zeros<T>(count);
  fill<<<1024, 256>>>(memory, count, seed, scale, offset);
  return memory;
}

/// A copy of `from` in device memory.
template <class T> T *copied(const std::vector<T> &from) {
  T *memory = zeros<T>(from.size());
  check(cudaMemcpy(memory, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

/// Part of what a kernel computed: device memory.
struct Result {
  const void *memory;
  std::size_t bytes;
};

inline std::uint64_t checksum(const std::vector<Result> &results) {
  std::uint64_t sum = 1469598103934665603U;
  for (const Result &result : results) {
    std::vector<std::uint64_t> words((result.bytes + 7) / 8);
    check(cudaMemcpy(words.data(), result.memory, result.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (std::uint64_t word : words)
      sum = (sum ^ word ^ word >> 29) * 1099511628211U;
  }
  return sum;
}

/// Launches three times, then `launches` times (or as often as LAUNCHES says) with a time for each; prints the median, the mean (ms) and
/// the checksum of the results. `finish` runs once before that: it makes results of what does not depend on the order of atomics.
template <class Launch, class Finish> int measure(Launch launch, const std::vector<Result> &results, int launches, Finish finish) {
  if (const char *asked = std::getenv("LAUNCHES"))
    launches = std::max(1, std::atoi(asked));
  for (int i = 0; i < 3; ++i)
    launch();
  check(cudaDeviceSynchronize(), "warm-up");
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times(launches);
  double sum = 0;
  for (int i = 0; i < launches; ++i) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), "launch");
    check(cudaEventElapsedTime(&times[i], begin, end), "cudaEventElapsedTime");
    sum += times[i];
  }
  check(cudaGetLastError(), "launch");
  finish();
  check(cudaDeviceSynchronize(), "finish");
  std::sort(times.begin(), times.end());
  std::printf("%.5f %.5f %016llx\n", times[launches / 2], sum / launches, static_cast<unsigned long long>(checksum(results)));
  return 0;
}

template <class Launch> int measure(Launch launch, const std::vector<Result> &results, int launches = 32) {
  return measure(launch, results, launches, [] {});
}

} // namespace driver
