// Takes the place of the header of that name in Clang's resource directory while kperf-rewrite parses: threadIdx and its
// siblings have the types that nvcc gives them, so that `auto t = threadIdx` and `dim3 d = blockDim` are understood.
#ifndef __CUDA_BUILTIN_VARS_H
#define __CUDA_BUILTIN_VARS_H

struct uint3;
struct dim3;

// The wrapper header defines these conversions once vector_types.h is there; nothing else refers to the types.
#define KPERF_INDEX_TYPE(name)                                                                                                             \
  struct __cuda_builtin_##name##_t {                                                                                                       \
    unsigned x, y, z;                                                                                                                      \
    __attribute__((device)) operator dim3() const;                                                                                         \
    __attribute__((device)) operator uint3() const;                                                                                        \
  }
KPERF_INDEX_TYPE(threadIdx);
KPERF_INDEX_TYPE(blockIdx);
KPERF_INDEX_TYPE(blockDim);
KPERF_INDEX_TYPE(gridDim);
#undef KPERF_INDEX_TYPE

extern const __attribute__((device)) uint3 threadIdx;
extern const __attribute__((device)) uint3 blockIdx;
extern const __attribute__((device)) dim3 blockDim;
extern const __attribute__((device)) dim3 gridDim;
__attribute__((device)) const int warpSize = 32;

#endif
