// CUDA's header of this name: a part of <cuda_runtime.h>.
#ifndef KPERF_HOST_CUDA_PIPELINE_PRIMITIVES_H
#define KPERF_HOST_CUDA_PIPELINE_PRIMITIVES_H

#include <kperf/host/toolkit/cuda_runtime.h>

#endif
