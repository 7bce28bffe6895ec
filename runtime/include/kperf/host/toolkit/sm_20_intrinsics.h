// CUDA's header of this name: a part of <cuda_runtime.h>.
#ifndef KPERF_HOST_SM_20_INTRINSICS_H
#define KPERF_HOST_SM_20_INTRINSICS_H

#include <kperf/host/toolkit/cuda_runtime.h>

#endif
