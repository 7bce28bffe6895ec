// Force-included behind Clang's own CUDA wrapper while kperf-rewrite parses: what nvcc brings or defines and Clang does
// not. Nothing here is ever compiled to code.
#ifndef KPERF_CLANG_NVCC_H
#define KPERF_CLANG_NVCC_H

// nvcc's runtime headers bring these without being asked.
#include <cassert>
#include <cstdio>
#include <ctime>
#include <functional>
#include <math.h>
#include <new>
#include <utility>

// Clang defines __CUDACC__ without a value; code for nvcc says `#if __CUDACC__`.
#undef __CUDACC__
#define __CUDACC__ 1
#ifndef KPERF_NVCC_MAJOR
#define KPERF_NVCC_MAJOR 13
#define KPERF_NVCC_MINOR 0
#endif
#define __CUDACC_VER_MAJOR__ KPERF_NVCC_MAJOR
#define __CUDACC_VER_MINOR__ KPERF_NVCC_MINOR
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VER_MAJOR__ KPERF_NVCC_MAJOR
#define __CUDA_API_VER_MINOR__ KPERF_NVCC_MINOR
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1
// Options of nvcc that users may or may not give: what they allow is understood either way.
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif
#ifndef __CUDACC_RELAXED_CONSTEXPR__
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

// Architecture-specific features, sm_90a and its kind.
#if defined(__CUDA_ARCH__) &&                                                                                                              \
    (defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM101_ALL) ||                   \
     defined(__CUDA_ARCH_FEAT_SM103_ALL) || defined(__CUDA_ARCH_FEAT_SM110_ALL) || defined(__CUDA_ARCH_FEAT_SM120_ALL) ||                  \
     defined(__CUDA_ARCH_FEAT_SM121_ALL))
#ifndef __CUDA_ARCH_SPECIFIC__
#define __CUDA_ARCH_SPECIFIC__ __CUDA_ARCH__
#endif
#ifndef __CUDA_ARCH_FAMILY_SPECIFIC__
#define __CUDA_ARCH_FAMILY_SPECIFIC__ __CUDA_ARCH__
#endif
#endif

#undef __managed__
#define __managed__ __device__
#ifndef __grid_constant__
#define __grid_constant__
#endif
#ifndef __nv_pure__
#define __nv_pure__
#endif
// cooperative_groups shows clusters to nvcc only.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE 1

#include <kperf/clang/nvcc_functions.h>

// libcu++ must recognise Clang before user code is told that this is nvcc.
#if __cplusplus >= 201703L && __has_include(<cuda/std/__cccl/compiler.h>)
#include <cuda/std/__cccl/compiler.h>
#include <cuda/std/version>
#include <nv/target>
#endif
#define __NVCC__ 1

// CUTLASS disables its SM100 code when it recognises Clang: take that back.
#if __cplusplus >= 201703L && __has_include(<cutlass/platform/platform.h>)
#include <cutlass/platform/platform.h>
#undef CUTLASS_CLANG_CUDA
#define CUTLASS_CLANG_CUDA 0
#endif

#endif
