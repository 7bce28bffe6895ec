// HIP's header of this name, over CUDA's runtime or the host target's.
#ifndef KPERF_HIP_ON_CUDA_HIP_RUNTIME_API_H
#define KPERF_HIP_ON_CUDA_HIP_RUNTIME_API_H

#include "hip_platform.h"

#include "ApiNames.h"
#include "DeviceProperties.h"
#include "ErrorNames.h"

#endif
