// Functions that nvcc's headers declare, or its compiler knows, and Clang 22 lacks: declarations for the parser.
#ifndef KPERF_CLANG_NVCC_FUNCTIONS_H
#define KPERF_CLANG_NVCC_FUNCTIONS_H

// nvcc declares ::min and ::max for host code too; Clang's wrapper has them for the device only.
#define KPERF_MIN_MAX(result, left, right)                                                                                                 \
  __host__ result min(left, right);                                                                                                        \
  __host__ result max(left, right);
KPERF_MIN_MAX(int, int, int)
KPERF_MIN_MAX(unsigned, unsigned, unsigned)
KPERF_MIN_MAX(unsigned, int, unsigned)
KPERF_MIN_MAX(unsigned, unsigned, int)
KPERF_MIN_MAX(long, long, long)
KPERF_MIN_MAX(unsigned long, unsigned long, unsigned long)
KPERF_MIN_MAX(unsigned long, long, unsigned long)
KPERF_MIN_MAX(unsigned long, unsigned long, long)
KPERF_MIN_MAX(long long, long long, long long)
KPERF_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
KPERF_MIN_MAX(unsigned long long, long long, unsigned long long)
KPERF_MIN_MAX(unsigned long long, unsigned long long, long long)
KPERF_MIN_MAX(float, float, float)
KPERF_MIN_MAX(double, double, double)
KPERF_MIN_MAX(double, float, double)
KPERF_MIN_MAX(double, double, float)
#undef KPERF_MIN_MAX

// Cache-hinted loads and stores.
template <class T> __device__ T __ldlu(const T *address);
template <class T> __device__ T __ldca(const T *address);
template <class T> __device__ void __stwb(T *address, T value);
template <class T> __device__ void __stcg(T *address, T value);
template <class T> __device__ void __stcs(T *address, T value);
template <class T> __device__ void __stwt(T *address, T value);

// Atomics as functions of the compiler (CUDA C++ Programming Guide, "Atomic functions").
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };
#define KPERF_BOTH __host__ __device__
template <class T, class U> KPERF_BOTH void __nv_atomic_load(T *, U *, int, int = 0);
template <class T> KPERF_BOTH T __nv_atomic_load_n(T *, int, int = 0);
template <class T, class U> KPERF_BOTH void __nv_atomic_store(T *, U *, int, int = 0);
template <class T, class U> KPERF_BOTH void __nv_atomic_store_n(T *, U, int, int = 0);
template <class T, class U, class Old> KPERF_BOTH void __nv_atomic_exchange(T *, U *, Old *, int, int = 0);
template <class T, class U> KPERF_BOTH T __nv_atomic_exchange_n(T *, U, int, int = 0);
template <class T, class U, class New> KPERF_BOTH bool __nv_atomic_compare_exchange(T *, U *, New *, bool, int, int, int = 0);
template <class T, class U, class New> KPERF_BOTH bool __nv_atomic_compare_exchange_n(T *, U *, New, bool, int, int, int = 0);
#define KPERF_FETCH(operation) template <class T, class U> KPERF_BOTH T __nv_atomic_fetch_##operation(T *, U, int, int = 0);
KPERF_FETCH(add)
KPERF_FETCH(sub)
KPERF_FETCH(and)
KPERF_FETCH(or)
KPERF_FETCH(xor)
KPERF_FETCH(min)
KPERF_FETCH(max)
#undef KPERF_FETCH
KPERF_BOTH void __nv_atomic_thread_fence(int, int = 0);
#undef KPERF_BOTH

// Packed single precision of sm_100 (sm_100_rt.h).
#define KPERF_PACKED(rounding)                                                                                                             \
  extern "C" __device__ float2 __fadd2_##rounding(float2, float2);                                                                         \
  extern "C" __device__ float2 __fmul2_##rounding(float2, float2);                                                                         \
  extern "C" __device__ float2 __ffma2_##rounding(float2, float2, float2);
KPERF_PACKED(rn)
KPERF_PACKED(rz)
KPERF_PACKED(ru)
KPERF_PACKED(rd)
#undef KPERF_PACKED

#endif
