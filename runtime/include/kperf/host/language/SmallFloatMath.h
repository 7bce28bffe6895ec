// The macros that define CUDA's arithmetic, comparison and mathematical functions for a 16-bit type and its pair.
#ifndef KPERF_HOST_SMALL_FLOAT_MATH_H
#define KPERF_HOST_SMALL_FLOAT_MATH_H

#include <kperf/host/language/Atomics.h>
#include <kperf/host/language/SmallFloatTypes.h>

/// name(a, b) and name2(a, b).
#define KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, name, name2, expression)                                                                      \
  inline T name(const T a, const T b) { return expression; }                                                                               \
  inline T2 name2(const T2 a, const T2 b) { return T2(name(a.x, b.x), name(a.y, b.y)); }
#define KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, name, name2, expression)                                                                       \
  inline T name(const T a) {                                                                                                               \
    const float x = a;                                                                                                                     \
    return T(static_cast<float>(expression));                                                                                              \
  }                                                                                                                                        \
  inline T2 name2(const T2 a) { return T2(name(a.x), name(a.y)); }
/// The comparison itself; per element as 1.0 or 0.0; as a mask; and whether both hold. `u` is true for a NaN.
#define KPERF_HOST_SMALL_FLOAT_COMPARISON(T, T2, name, op, isOrdered)                                                                      \
  inline bool __h##name(const T a, const T b) { return a op b && (isOrdered || (a == a && b == b)); }                                      \
  inline bool __h##name##u(const T a, const T b) { return a op b || a != a || b != b; }                                                    \
  inline T2 __h##name##2(const T2 a, const T2 b) {                                                                                         \
    return T2(T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f));                                                 \
  }                                                                                                                                        \
  inline unsigned int __h##name##2_mask(const T2 a, const T2 b) {                                                                          \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                                                \
  }                                                                                                                                        \
  inline bool __hb##name##2(const T2 a, const T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }

#define KPERF_HOST_SMALL_FLOAT_ARITHMETIC(T, T2, Format)                                                                                   \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hadd, __hadd2, a + b)                                                                             \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hsub, __hsub2, a - b)                                                                             \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hmul, __hmul2, a *b)                                                                              \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hdiv, __h2div, a / b)                                                                             \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hadd_rn, __hadd2_rn, a + b)                                                                       \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hsub_rn, __hsub2_rn, a - b)                                                                       \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hmul_rn, __hmul2_rn, a *b)                                                                        \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hadd_sat, __hadd2_sat, T(__saturatef(a + b)))                                                     \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hsub_sat, __hsub2_sat, T(__saturatef(a - b)))                                                     \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hmul_sat, __hmul2_sat, T(__saturatef(a *b)))                                                      \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hmax, __hmax2, T(std::fmax(float(a), float(b))))                                                  \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hmin, __hmin2, T(std::fmin(float(a), float(b))))                                                  \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hmax_nan, __hmax2_nan, a != a ? a : b != b ? b : __hmax(a, b))                                    \
  KPERF_HOST_SMALL_FLOAT_BINARY(T, T2, __hmin_nan, __hmin2_nan, a != a ? a : b != b ? b : __hmin(a, b))                                    \
  inline T __hneg(const T a) { return -a; }                                                                                                \
  inline T2 __hneg2(const T2 a) { return -a; }                                                                                             \
  inline T __habs(const T a) { return T::fromBits(a.__x & 0x7fff); }                                                                       \
  inline T2 __habs2(const T2 a) { return T2(__habs(a.x), __habs(a.y)); }                                                                   \
  inline T __hfma(const T a, const T b, const T c) { return T::fromBits(::kperf::host::Format::fused(float(a), float(b), float(c))); }     \
  inline T __hfma_sat(const T a, const T b, const T c) { return T(__saturatef(__hfma(a, b, c))); }                                         \
  inline T __hfma_relu(const T a, const T b, const T c) { return __hmax_nan(__hfma(a, b, c), T(0.0f)); }                                   \
  inline T2 __hfma2(const T2 a, const T2 b, const T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }                       \
  inline T2 __hfma2_relu(const T2 a, const T2 b, const T2 c) { return T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }        \
  inline T2 __hcmadd(const T2 a, const T2 b, const T2 c) {                                                                                 \
    return T2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                          \
  }                                                                                                                                        \
  inline bool __hisnan(const T a) { return a != a; }                                                                                       \
  inline int __hisinf(const T a) { return (a.__x & 0x7fff) != ::kperf::host::Format::kInfinity ? 0 : a.__x & 0x8000 ? -1 : 1; }            \
  inline T2 __hisnan2(const T2 a) { return T2(T(a.x != a.x ? 1.0f : 0.0f), T(a.y != a.y ? 1.0f : 0.0f)); }                                 \
  KPERF_HOST_SMALL_FLOAT_COMPARISON(T, T2, eq, ==, true)                                                                                   \
  KPERF_HOST_SMALL_FLOAT_COMPARISON(T, T2, ne, !=, false)                                                                                  \
  KPERF_HOST_SMALL_FLOAT_COMPARISON(T, T2, lt, <, true)                                                                                    \
  KPERF_HOST_SMALL_FLOAT_COMPARISON(T, T2, le, <=, true)                                                                                   \
  KPERF_HOST_SMALL_FLOAT_COMPARISON(T, T2, gt, >, true)                                                                                    \
  KPERF_HOST_SMALL_FLOAT_COMPARISON(T, T2, ge, >=, true)

#define KPERF_HOST_SMALL_FLOAT_FUNCTIONS(T, T2)                                                                                            \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hsqrt, h2sqrt, std::sqrt(x))                                                                         \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hrsqrt, h2rsqrt, rsqrtf(x))                                                                          \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hrcp, h2rcp, 1 / x)                                                                                  \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hexp, h2exp, std::exp(x))                                                                            \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hexp2, h2exp2, std::exp2(x))                                                                         \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hexp10, h2exp10, std::pow(10.0, double(x)))                                                          \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hlog, h2log, std::log(x))                                                                            \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hlog2, h2log2, std::log2(x))                                                                         \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hlog10, h2log10, std::log10(x))                                                                      \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hsin, h2sin, std::sin(x))                                                                            \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hcos, h2cos, std::cos(x))                                                                            \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, htanh, h2tanh, std::tanh(x))                                                                         \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hfloor, h2floor, std::floor(x))                                                                      \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hceil, h2ceil, std::ceil(x))                                                                         \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, htrunc, h2trunc, std::trunc(x))                                                                      \
  KPERF_HOST_SMALL_FLOAT_UNARY(T, T2, hrint, h2rint, std::nearbyint(x))

/// Atomic additions: of one, and of a pair as a whole.
#define KPERF_HOST_SMALL_FLOAT_ATOMICS(T, T2)                                                                                              \
  KPERF_HOST_UPDATE(atomicAdd, T, old + value)                                                                                             \
  KPERF_HOST_UPDATE(atomicAdd, T2, old + value)

/// Conversions between T and an integer type by the four roundings: __int2half_rn, __half2int_rz and the like.
#define KPERF_HOST_SMALL_FLOAT_INTEGER(T, Format, name, integer, Integer)                                                                  \
  KPERF_HOST_SMALL_FLOAT_INTEGER_BY(T, Format, name, integer, Integer, rn, FE_TONEAREST)                                                   \
  KPERF_HOST_SMALL_FLOAT_INTEGER_BY(T, Format, name, integer, Integer, rz, FE_TOWARDZERO)                                                  \
  KPERF_HOST_SMALL_FLOAT_INTEGER_BY(T, Format, name, integer, Integer, ru, FE_UPWARD)                                                      \
  KPERF_HOST_SMALL_FLOAT_INTEGER_BY(T, Format, name, integer, Integer, rd, FE_DOWNWARD)
#define KPERF_HOST_SMALL_FLOAT_INTEGER_BY(T, Format, name, integer, Integer, suffix, mode)                                                 \
  inline T __##integer##2##name##_##suffix(Integer value) {                                                                                \
    return T::fromBits(::kperf::host::Format::encode<mode>(static_cast<double>(value)));                                                   \
  }                                                                                                                                        \
  inline Integer __##name##2##integer##_##suffix(const T value) { return ::kperf::host::toInteger<Integer, mode>(float(value)); }
#define KPERF_HOST_SMALL_FLOAT_INTEGERS(T, Format, name)                                                                                   \
  KPERF_HOST_SMALL_FLOAT_INTEGER(T, Format, name, int, int)                                                                                \
  KPERF_HOST_SMALL_FLOAT_INTEGER(T, Format, name, uint, unsigned int)                                                                      \
  KPERF_HOST_SMALL_FLOAT_INTEGER(T, Format, name, short, short)                                                                            \
  KPERF_HOST_SMALL_FLOAT_INTEGER(T, Format, name, ushort, unsigned short)                                                                  \
  KPERF_HOST_SMALL_FLOAT_INTEGER(T, Format, name, ll, long long)                                                                           \
  KPERF_HOST_SMALL_FLOAT_INTEGER(T, Format, name, ull, unsigned long long)

#endif
