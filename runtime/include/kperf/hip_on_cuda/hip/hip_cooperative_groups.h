// HIP's header of this name.
#ifndef KPERF_HIP_ON_CUDA_HIP_COOPERATIVE_GROUPS_H
#define KPERF_HIP_ON_CUDA_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

#include <cooperative_groups.h>

#endif
