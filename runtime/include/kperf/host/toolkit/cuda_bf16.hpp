// CUDA's header of this name: all of it is in <cuda_bf16.h>.
#ifndef KPERF_HOST_CUDA_BF16_HPP
#define KPERF_HOST_CUDA_BF16_HPP

#include <kperf/host/toolkit/cuda_bf16.h>

#endif
