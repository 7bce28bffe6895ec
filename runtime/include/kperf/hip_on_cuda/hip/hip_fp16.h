// HIP's header of this name.
#ifndef KPERF_HIP_ON_CUDA_HIP_FP16_H
#define KPERF_HIP_ON_CUDA_HIP_FP16_H

#include "hip_runtime.h"

#include <cuda_fp16.h>

#endif
