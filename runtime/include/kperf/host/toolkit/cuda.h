// The driver API is not imitated: its types, and its calls so that a use says so.
#ifndef KPERF_HOST_CUDA_H
#define KPERF_HOST_CUDA_H

#include <kperf/host/toolkit/cuda_runtime.h>

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_NOT_SUPPORTED = 801 } CUresult;
struct alignas(64) CUtensorMap {
  unsigned long long opaque[16];
};

inline CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }

#define KPERF_HOST_DRIVER(name) KPERF_HOST_UNSUPPORTED(name, "use the runtime API, or guard the call by #ifndef KPERF_HOST_TARGET")
KPERF_HOST_DRIVER(cuDeviceGet)
KPERF_HOST_DRIVER(cuCtxCreate)
KPERF_HOST_DRIVER(cuModuleLoad)
KPERF_HOST_DRIVER(cuModuleLoadData)
KPERF_HOST_DRIVER(cuModuleGetFunction)
KPERF_HOST_DRIVER(cuLaunchKernel)
KPERF_HOST_DRIVER(cuMemAlloc)
KPERF_HOST_DRIVER(cuMemFree)
KPERF_HOST_DRIVER(cuMemcpyHtoD)
KPERF_HOST_DRIVER(cuMemcpyDtoH)
KPERF_HOST_DRIVER(cuTensorMapEncodeTiled)
KPERF_HOST_DRIVER(cuTensorMapEncodeIm2col)
KPERF_HOST_DRIVER(cuGetErrorString)
#undef KPERF_HOST_DRIVER

#endif
