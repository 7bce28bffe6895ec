// cuBLAS does not exist on the host target: its types and usual calls, so that a use says so.
#ifndef KPERF_HOST_CUBLAS_V2_H
#define KPERF_HOST_CUBLAS_V2_H

#include <kperf/host/api/Unsupported.h>

typedef struct cublasContext *cublasHandle_t;
typedef enum { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1 } cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;

#define KPERF_HOST_BLAS(name) KPERF_HOST_UNSUPPORTED(name, "call a CPU library, or leave the call out, where KPERF_HOST_TARGET is defined")
KPERF_HOST_BLAS(cublasCreate)
KPERF_HOST_BLAS(cublasDestroy)
KPERF_HOST_BLAS(cublasSetStream)
KPERF_HOST_BLAS(cublasSetMathMode)
KPERF_HOST_BLAS(cublasSgemm)
KPERF_HOST_BLAS(cublasDgemm)
KPERF_HOST_BLAS(cublasHgemm)
KPERF_HOST_BLAS(cublasGemmEx)
KPERF_HOST_BLAS(cublasSgemmStridedBatched)
KPERF_HOST_BLAS(cublasGemmStridedBatchedEx)
KPERF_HOST_BLAS(cublasSgemv)
KPERF_HOST_BLAS(cublasSdot)
KPERF_HOST_BLAS(cublasSaxpy)
#undef KPERF_HOST_BLAS

#endif
