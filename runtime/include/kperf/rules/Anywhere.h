// How functions are declared that run on the host and on GPUs alike.
#ifndef KPERF_ANYWHERE_H
#define KPERF_ANYWHERE_H

#if defined(__CUDACC__) && !(defined(__clang__) && defined(__CUDA__)) // Clang itself, not as nvcc's host compiler, takes what is
                                                                      // constexpr for both; __host__ may not be defined yet
#define KPERF_ANYWHERE __host__ __device__
#else
#define KPERF_ANYWHERE
#endif

#endif
