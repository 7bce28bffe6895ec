// CUDA's header of this name: all of it is in <cuda_fp16.h>.
#ifndef KPERF_HOST_CUDA_FP16_HPP
#define KPERF_HOST_CUDA_FP16_HPP

#include <kperf/host/toolkit/cuda_fp16.h>

#endif
