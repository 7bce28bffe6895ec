// HIP's header of this name.
#ifndef KPERF_HIP_ON_CUDA_HIP_BF16_H
#define KPERF_HIP_ON_CUDA_HIP_BF16_H

#include "hip_runtime.h"

#include <cuda_bf16.h>

#define __hip_bfloat16 __nv_bfloat16
#define __hip_bfloat162 __nv_bfloat162

#endif
