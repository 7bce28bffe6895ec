// Force-included behind Clang's own HIP wrapper while kperf-rewrite parses: what ROCm's compilers define or have and Clang 22
// does not. Nothing here is ever compiled to code.
#ifndef KPERF_CLANG_HIPCC_H
#define KPERF_CLANG_HIPCC_H

// Until ROCm 7 the lanes of a wave were a macro of the compiler's.
#ifndef __AMDGCN_WAVEFRONT_SIZE
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define __AMDGCN_WAVEFRONT_SIZE 32
#else
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#endif
#ifndef __AMDGCN_WAVEFRONT_SIZE__
#define __AMDGCN_WAVEFRONT_SIZE__ __AMDGCN_WAVEFRONT_SIZE
#endif

// ROCm 5's <hip/hip_fp16.h> takes these for builtins.
extern "C" __attribute__((device)) _Float16 __llvm_amdgcn_rcp_f16(_Float16);
typedef _Float16 kperf_two_halves __attribute__((ext_vector_type(2)));
static inline __attribute__((device)) kperf_two_halves __llvm_amdgcn_rcp_2f16(kperf_two_halves value) { return value; }

#endif
