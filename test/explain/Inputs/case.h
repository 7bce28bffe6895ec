// What the kernels of this suite share: known work on the CPU and on a GPU, sizes that a seed varies, and the choice of a kernel.
#ifndef KPERF_TEST_EXPLAIN_CASE_H
#define KPERF_TEST_EXPLAIN_CASE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <kperf/annotate.h>

#ifdef FIXED
constexpr bool isFixed = true;
#else
constexpr bool isFixed = false;
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
  int sms;

  explicit Sizes(unsigned seed) : state(seed * 2654435761u + 12345) {
#ifdef KPERF_HOST_TARGET
    sms = 4;
#else
    int device = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
#endif
  }
  int between(int least, int most) {
    state = state * 1664525u + 1013904223u;
    return least + static_cast<int>((state >> 8) % static_cast<unsigned>(most - least + 1));
  }
};

/// Memory of the device that lives as long as the program.
template <typename T> T *deviceArray(size_t count) {
  T *out = nullptr;
  if (cudaMalloc(&out, count * sizeof(T)) != cudaSuccess || cudaMemset(out, 0, count * sizeof(T)) != cudaSuccess) {
    std::fprintf(stderr, "no memory for %zu elements\n", count);
    std::exit(2);
  }
  return out;
}

struct Case {
  const char *name;
  void (*run)(Sizes sizes);
};

/// `program NAME SEED`: runs a case, and says how long its launches took together, by the device's own clock.
inline int runCase(int argc, char **argv, const Case *cases, size_t count) {
  for (size_t i = 0; argc == 3 && i < count; ++i)
    if (!std::strcmp(argv[1], cases[i].name)) {
      cases[i].run(Sizes(static_cast<unsigned>(std::atoi(argv[2]))));
      return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
    }
  for (size_t i = 0; argc == 1 && i < count; ++i)
    std::printf("%s\n", cases[i].name);
  return argc == 1 ? 0 : 2;
}

#endif
