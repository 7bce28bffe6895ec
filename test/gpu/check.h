// A program of a GPU test ends at the first call of CUDA's that fails.
#ifndef KPERF_TEST_GPU_CHECK_H
#define KPERF_TEST_GPU_CHECK_H

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

inline void check(cudaError_t status, const char *file, int line) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check(call, __FILE__, __LINE__)

#endif
