// HIP's header of this name, over CUDA's runtime or the host target's.
#ifndef KPERF_HIP_ON_CUDA_HIP_RUNTIME_H
#define KPERF_HIP_ON_CUDA_HIP_RUNTIME_H

#include "hip_runtime_api.h"

#include "AmdBuiltins.h"
#include "HipAtomics.h"
#include "Launches.h"
#include "WarpFunctions.h"

#endif
