// __nv_bfloat16 and __nv_bfloat162 with the functions of <cuda_bf16.h>.
#ifndef KPERF_HOST_BFLOAT16_H
#define KPERF_HOST_BFLOAT16_H

#include <kperf/host/language/SmallFloatMath.h>

KPERF_HOST_SMALL_FLOAT_TYPE(__nv_bfloat16, __nv_bfloat162, BfloatFormat, bfloatBits, bfloatValue)
KPERF_HOST_SMALL_FLOAT_ARITHMETIC(__nv_bfloat16, __nv_bfloat162, BfloatFormat)
KPERF_HOST_SMALL_FLOAT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
KPERF_HOST_SMALL_FLOAT_ATOMICS(__nv_bfloat16, __nv_bfloat162)
KPERF_HOST_SMALL_FLOAT_INTEGERS(__nv_bfloat16, BfloatFormat, bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
struct __nv_bfloat16_raw {
  unsigned short x;
};

inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16::fromBits(bits); }
inline __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16::fromBits(static_cast<unsigned short>(bits)); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.__x; }
inline short __bfloat16_as_short(__nv_bfloat16 value) { return static_cast<short>(value.__x); }

inline __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
inline __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
inline __nv_bfloat16 __float2bfloat16_rz(float value) {
  return __nv_bfloat16::fromBits(kperf::host::BfloatFormat::encode<FE_TOWARDZERO>(value));
}
inline __nv_bfloat16 __float2bfloat16_ru(float value) {
  return __nv_bfloat16::fromBits(kperf::host::BfloatFormat::encode<FE_UPWARD>(value));
}
inline __nv_bfloat16 __float2bfloat16_rd(float value) {
  return __nv_bfloat16::fromBits(kperf::host::BfloatFormat::encode<FE_DOWNWARD>(value));
}
inline __nv_bfloat16 __double2bfloat16(double value) { return __nv_bfloat16(value); }
inline float __bfloat162float(__nv_bfloat16 value) { return value; }

inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return __nv_bfloat162(low, high); }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) { return __nv_bfloat162(value, value); }
inline __nv_bfloat162 __float2bfloat162_rn(float value) { return __nv_bfloat162(__nv_bfloat16(value), __nv_bfloat16(value)); }
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) { return __nv_bfloat162(__nv_bfloat16(low), __nv_bfloat16(high)); }
inline __nv_bfloat162 __float22bfloat162_rn(float2 value) { return __floats2bfloat162_rn(value.x, value.y); }
inline float2 __bfloat1622float2(__nv_bfloat162 value) { return {float(value.x), float(value.y)}; }
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }

inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 value) { return value.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 value) { return value.y; }
inline float __low2float(__nv_bfloat162 value) { return value.x; }
inline float __high2float(__nv_bfloat162 value) { return value.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 value) { return __nv_bfloat162(value.x, value.x); }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 value) { return __nv_bfloat162(value.y, value.y); }
inline __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 value) { return __nv_bfloat162(value.y, value.x); }

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#endif
