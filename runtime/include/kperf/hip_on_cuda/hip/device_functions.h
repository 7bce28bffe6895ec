// HIP's header of this name: a part of <hip/hip_runtime.h>.
#ifndef KPERF_HIP_ON_CUDA_DEVICE_FUNCTIONS_H
#define KPERF_HIP_ON_CUDA_DEVICE_FUNCTIONS_H

#include "hip_runtime.h"

#endif
