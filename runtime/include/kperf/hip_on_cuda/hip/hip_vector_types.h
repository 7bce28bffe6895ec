// HIP's header of this name: a part of <hip/hip_runtime.h>.
#ifndef KPERF_HIP_ON_CUDA_HIP_VECTOR_TYPES_H
#define KPERF_HIP_ON_CUDA_HIP_VECTOR_TYPES_H

#include "hip_runtime.h"

#endif
