// CUDA's header of this name, without cuda::pipeline.
#ifndef KPERF_HOST_CUDA_PIPELINE_H
#define KPERF_HOST_CUDA_PIPELINE_H

#include <kperf/host/toolkit/cuda_pipeline_primitives.h>

#endif
