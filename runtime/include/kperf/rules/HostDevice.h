// Declares functions that run on the host and on GPUs alike.
#ifndef KPERF_HOST_DEVICE_H
#define KPERF_HOST_DEVICE_H

// Clang that compiles CUDA itself takes what is constexpr for both, and __host__ may not be defined yet. Behind nvcc it is __clang__ too.
#if defined(__CUDACC__) && !defined(__CUDA__)
#define KPERF_HOST_DEVICE __host__ __device__
#else
#define KPERF_HOST_DEVICE
#endif

#endif
