// __half and __half2 with the functions of <cuda_fp16.h>.
#ifndef KPERF_HOST_HALF_H
#define KPERF_HOST_HALF_H

#include <kperf/host/language/SmallFloatMath.h>

KPERF_HOST_SMALL_FLOAT_TYPE(__half, __half2, HalfFormat, halfBits, halfValue)
KPERF_HOST_SMALL_FLOAT_ARITHMETIC(__half, __half2, HalfFormat)
KPERF_HOST_SMALL_FLOAT_FUNCTIONS(__half, __half2)
KPERF_HOST_SMALL_FLOAT_ATOMICS(__half, __half2)
KPERF_HOST_SMALL_FLOAT_INTEGERS(__half, HalfFormat, half)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
struct __half_raw {
  unsigned short x;
};

inline __half __ushort_as_half(unsigned short bits) { return __half::fromBits(bits); }
inline __half __short_as_half(short bits) { return __half::fromBits(static_cast<unsigned short>(bits)); }
inline unsigned short __half_as_ushort(__half value) { return value.__x; }
inline short __half_as_short(__half value) { return static_cast<short>(value.__x); }

inline __half __float2half(float value) { return __half(value); }
inline __half __float2half_rn(float value) { return __half(value); }
inline __half __float2half_rz(float value) { return __half::fromBits(kperf::host::HalfFormat::encode<FE_TOWARDZERO>(value)); }
inline __half __float2half_ru(float value) { return __half::fromBits(kperf::host::HalfFormat::encode<FE_UPWARD>(value)); }
inline __half __float2half_rd(float value) { return __half::fromBits(kperf::host::HalfFormat::encode<FE_DOWNWARD>(value)); }
inline __half __double2half(double value) { return __half(value); }
inline float __half2float(__half value) { return value; }

inline __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
inline __half2 __half2half2(__half value) { return __half2(value, value); }
inline __half2 __float2half2_rn(float value) { return __half2(__half(value), __half(value)); }
inline __half2 __floats2half2_rn(float low, float high) { return __half2(__half(low), __half(high)); }
inline __half2 __float22half2_rn(float2 value) { return __half2(__half(value.x), __half(value.y)); }
inline float2 __half22float2(__half2 value) { return {float(value.x), float(value.y)}; }
inline __half2 make_half2(__half x, __half y) { return __half2(x, y); }

inline __half __low2half(__half2 value) { return value.x; }
inline __half __high2half(__half2 value) { return value.y; }
inline float __low2float(__half2 value) { return value.x; }
inline float __high2float(__half2 value) { return value.y; }
inline __half2 __low2half2(__half2 value) { return __half2(value.x, value.x); }
inline __half2 __high2half2(__half2 value) { return __half2(value.y, value.y); }
inline __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
inline __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
inline __half2 __lowhigh2highlow(__half2 value) { return __half2(value.y, value.x); }

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#endif
