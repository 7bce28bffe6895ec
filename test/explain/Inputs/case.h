// What the kernels of this suite share: known work on the CPU and on a GPU, sizes that a seed varies, and the choice of a kernel.
#ifndef KPERF_TEST_EXPLAIN_CASE_H
#define KPERF_TEST_EXPLAIN_CASE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <kperf/annotate.h>
#include <vector>

#ifdef FIXED
constexpr bool isFixed = true;
#else
constexpr bool isFixed = false;
#endif

#ifdef KPERF_HOST_TARGET
constexpr int kRuns = 1;
#else
constexpr int kRuns = 5;
#endif

/// Takes up a lane's time: exactly, on the host target's virtual clock.
__device__ inline void spend(unsigned cycles) {
#ifdef KPERF_HOST_TARGET
  kperf::host::work(cycles);
#else
  for (const long long start = clock64(); clock64() - start < cycles;) {
  }
#endif
}

/// Sizes: a seed moves each of them, the same in both versions of a kernel.
struct Sizes {
  unsigned state;
  int sms, blocksOfAnSm; ///< blocksOfAnSm: of a kernel that is to fill the device for a while

  explicit Sizes(unsigned seed) : state(seed * 2654435761u + 12345) {
#ifdef KPERF_HOST_TARGET
    sms = 4;
    blocksOfAnSm = between(2, 4);
#else
    int device = 0;
    blocksOfAnSm = 128 * between(2, 4);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
#endif
  }
  int between(int least, int most) {
    state = state * 1664525u + 1013904223u;
    return least + static_cast<int>((state >> 8) % static_cast<unsigned>(most - least + 1));
  }
};

/// Memory of the device, until the case has run.
inline std::vector<void *> &deviceArrays() {
  static std::vector<void *> arrays;
  return arrays;
}
template <typename T> T *deviceArray(size_t count) {
  T *out = nullptr;
  if (cudaMalloc(&out, count * sizeof(T)) != cudaSuccess || cudaMemset(out, 0, count * sizeof(T)) != cudaSuccess) {
    std::fprintf(stderr, "no memory for %zu elements\n", count);
    std::exit(2);
  }
  deviceArrays().push_back(out);
  return out;
}

/// Launches a kernel of which each multiprocessor runs one block at a time: on a GPU, by the shared memory that it asks for.
template <typename... Parameters, typename... Arguments>
void launchAlone(void (*kernel)(Parameters...), int blocks, int threads, Arguments... arguments) {
#ifdef KPERF_HOST_TARGET
  const size_t bytes = 0;
#else
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const size_t bytes = static_cast<size_t>(most) / 2 + 8192;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
#endif
  kernel<<<blocks, threads, bytes>>>(arguments...);
}

#ifdef KPERF_HOST_TARGET
/// For that time the trace shows an idle device: what runs is not recorded.
inline void idle(unsigned ns) {
  kperf::host::Configuration configuration;
  configuration.grid = 1;
  configuration.block = 1;
  configuration.site = kperf::host::Site::here();
  kperf::host::runClosure(configuration, [ns] { kperf::host::work(ns); });
}
#endif

struct Case {
  const char *name;
  void (*run)(Sizes sizes);
};

/// `program NAME SEED`: runs a case, on a GPU a few times, for the first launch is slow. `program` alone says the names.
inline int runCase(int argc, char **argv, const Case *cases, size_t count) {
  for (size_t i = 0; argc == 3 && i < count; ++i)
    if (!std::strcmp(argv[1], cases[i].name)) {
      for (int times = 0; times < kRuns; ++times) {
        cases[i].run(Sizes(static_cast<unsigned>(std::atoi(argv[2]))));
        if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
          return 2;
        for (void *array : deviceArrays())
          cudaFree(array);
        deviceArrays().clear();
      }
      return 0;
    }
  for (size_t i = 0; argc == 1 && i < count; ++i)
    std::printf("%s\n", cases[i].name);
  return argc == 1 ? 0 : 2;
}

#endif
