// Clang's atomic builtins with a scope on the host target, where every order and scope is the strongest, and where
// whoever waits for another thread in a loop of them lets it run.
#ifndef KPERF_HIP_ON_CUDA_HIP_ATOMICS_H
#define KPERF_HIP_ON_CUDA_HIP_ATOMICS_H

#if defined(KPERF_HOST_TARGET)

#include <cuda_runtime.h>

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD // Clang's own, for HIP's language
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

#ifndef KPERF_REWRITING // which knows the builtins, of any target
#define __hip_atomic_load(address, order, scope) __nv_atomic_load_n(address, order, scope)
#define __hip_atomic_store(address, value, order, scope) __nv_atomic_store_n(address, value, order, scope)
#define __hip_atomic_exchange(address, value, order, scope) __nv_atomic_exchange_n(address, value, order, scope)
#define __hip_atomic_compare_exchange_strong(address, expected, value, order, failure, scope)                                              \
  __nv_atomic_compare_exchange_n(address, expected, value, false, order, failure, scope)
#define __hip_atomic_compare_exchange_weak(address, expected, value, order, failure, scope)                                                \
  __nv_atomic_compare_exchange_n(address, expected, value, true, order, failure, scope)
#define __hip_atomic_fetch_add(address, value, order, scope) __nv_atomic_fetch_add(address, value, order, scope)
#define __hip_atomic_fetch_and(address, value, order, scope) __nv_atomic_fetch_and(address, value, order, scope)
#define __hip_atomic_fetch_or(address, value, order, scope) __nv_atomic_fetch_or(address, value, order, scope)
#define __hip_atomic_fetch_xor(address, value, order, scope) __nv_atomic_fetch_xor(address, value, order, scope)
#define __hip_atomic_fetch_min(address, value, order, scope) __nv_atomic_fetch_min(address, value, order, scope)
#define __hip_atomic_fetch_max(address, value, order, scope) __nv_atomic_fetch_max(address, value, order, scope)
#endif

#endif
#endif
