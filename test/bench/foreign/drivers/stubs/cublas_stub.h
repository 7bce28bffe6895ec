// What stands in for cuBLAS where a source refers to it in functions that are never called.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

extern "C" {
inline __attribute__((used)) cublasStatus_t cublasCreate_v2(cublasHandle_t *) { return CUBLAS_STATUS_NOT_SUPPORTED; }
inline __attribute__((used)) cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_NOT_SUPPORTED; }
inline __attribute__((used)) cublasStatus_t cublasLtCreate(cublasLtHandle_t *) { return CUBLAS_STATUS_NOT_SUPPORTED; }
}
