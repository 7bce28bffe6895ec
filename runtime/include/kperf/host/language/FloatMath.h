// CUDA's floating-point functions beyond the C library's, and the fast intrinsics, which here are exact.
#ifndef KPERF_HOST_FLOAT_MATH_H
#define KPERF_HOST_FLOAT_MATH_H

#include <kperf/host/engine/Attributes.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <math.h>

namespace kperf::host {

inline constexpr double kPi = 3.14159265358979323846;

/// operation(a, b, c) under a rounding mode of <cfenv>. Volatile keeps the compiler from computing it elsewhere.
template <typename T, typename Operation> T rounded(int mode, T a, T b, T c, Operation operation) {
  const int before = std::fegetround();
  std::fesetround(mode);
  volatile T first = a, second = b, third = c;
  volatile T result = operation(first, second, third);
  std::fesetround(before);
  return result;
}

/// Winitzki's approximation, refined by Newton's method on erf until double precision.
inline double inverseErf(double y) {
  if (!(std::fabs(y) < 1))
    return std::fabs(y) == 1 ? std::copysign(std::numeric_limits<double>::infinity(), y) : std::numeric_limits<double>::quiet_NaN();
  const double a = 0.147, log = std::log1p(-y * y), half = 2 / (kPi * a) + log / 2;
  double x = std::copysign(std::sqrt(std::sqrt(half * half - log / a) - half), y);
  for (int i = 0; i < 4; ++i)
    x -= (std::erf(x) - y) / (2 / std::sqrt(kPi) * std::exp(-x * x));
  return x;
}

/// The same by the complement, which stays exact for small y.
inline double inverseErfc(double y) {
  if (!(y > 0 && y < 2))
    return y == 0 || y == 2 ? (y == 0 ? 1 : -1) * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (y > 0.0625)
    return inverseErf(1 - y);
  double x = std::sqrt(-std::log(y * std::sqrt(kPi) * std::sqrt(-std::log(y))));
  for (int i = 0; i < 8; ++i)
    x += (std::erfc(x) - y) / (2 / std::sqrt(kPi) * std::exp(-x * x));
  return x;
}

/// sin(pi x), exact at multiples of a half.
inline double sinOfPi(double x) {
  const double turns = std::remainder(x, 2.0);
  if (std::fabs(turns) <= 0.25)
    return std::sin(kPi * turns);
  if (std::fabs(turns) < 0.75)
    return std::copysign(std::cos(kPi * (0.5 - std::fabs(turns))), turns);
  return std::copysign(std::sin(kPi * (1 - std::fabs(turns))), turns);
}
inline double cosOfPi(double x) { return sinOfPi(std::fabs(std::remainder(x, 2.0)) + 0.5); }

} // namespace kperf::host

// glibc declares some of these names for its own use: the exception specification has to be the same.
#define KPERF_HOST_UNARY(name, expression)                                                                                                 \
  inline double name(double x) noexcept { return expression; }                                                                             \
  inline float name##f(float value) noexcept {                                                                                             \
    const double x = value;                                                                                                                \
    return static_cast<float>(expression);                                                                                                 \
  }
KPERF_HOST_UNARY(rsqrt, 1 / std::sqrt(x))
KPERF_HOST_UNARY(rcbrt, 1 / std::cbrt(x))
KPERF_HOST_UNARY(sinpi, kperf::host::sinOfPi(x))
KPERF_HOST_UNARY(cospi, kperf::host::cosOfPi(x))
KPERF_HOST_UNARY(erfinv, kperf::host::inverseErf(x))
KPERF_HOST_UNARY(erfcinv, kperf::host::inverseErfc(x))
KPERF_HOST_UNARY(erfcx, std::exp(x *x) * std::erfc(x))
KPERF_HOST_UNARY(normcdf, 0.5 * std::erfc(-x * std::sqrt(0.5)))
KPERF_HOST_UNARY(normcdfinv, -std::sqrt(2.0) * kperf::host::inverseErfc(2 * x))
#undef KPERF_HOST_UNARY

inline float rsqrt(float x) noexcept { return rsqrtf(x); }
inline float rcbrt(float x) noexcept { return rcbrtf(x); }
inline void sincospi(double x, double *sine, double *cosine) noexcept { *sine = sinpi(x), *cosine = cospi(x); }
inline void sincospif(float x, float *sine, float *cosine) noexcept { *sine = sinpif(x), *cosine = cospif(x); }
inline void sincos(float x, float *sine, float *cosine) noexcept { *sine = std::sin(x), *cosine = std::cos(x); }

inline double rhypot(double x, double y) noexcept { return 1 / std::hypot(x, y); }
inline float rhypotf(float x, float y) noexcept { return static_cast<float>(rhypot(x, y)); }
inline double norm3d(double a, double b, double c) noexcept { return std::hypot(a, b, c); }
inline float norm3df(float a, float b, float c) noexcept { return std::hypot(a, b, c); }
inline double rnorm3d(double a, double b, double c) noexcept { return 1 / norm3d(a, b, c); }
inline float rnorm3df(float a, float b, float c) noexcept { return static_cast<float>(rnorm3d(a, b, c)); }
inline double norm4d(double a, double b, double c, double d) noexcept { return std::hypot(std::hypot(a, b), std::hypot(c, d)); }
inline float norm4df(float a, float b, float c, float d) noexcept { return static_cast<float>(norm4d(a, b, c, d)); }
inline double rnorm4d(double a, double b, double c, double d) noexcept { return 1 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) noexcept { return static_cast<float>(rnorm4d(a, b, c, d)); }

inline float fdividef(float x, float y) noexcept { return x / y; }
inline float __fdividef(float x, float y) noexcept { return x / y; }
inline float __saturatef(float x) noexcept { return std::fmin(std::fmax(x, 0.0f), 1.0f); }
inline float saturate(float x) noexcept { return __saturatef(x); }

inline float __expf(float x) noexcept { return std::exp(x); }
inline float __exp2f(float x) noexcept { return std::exp2(x); }
inline float __exp10f(float x) noexcept { return static_cast<float>(std::pow(10.0, static_cast<double>(x))); }
inline float __logf(float x) noexcept { return std::log(x); }
inline float __log2f(float x) noexcept { return std::log2(x); }
inline float __log10f(float x) noexcept { return std::log10(x); }
inline float __powf(float x, float y) noexcept { return std::pow(x, y); }
inline float __sinf(float x) noexcept { return std::sin(x); }
inline float __cosf(float x) noexcept { return std::cos(x); }
inline float __tanf(float x) noexcept { return std::tan(x); }
inline float __tanhf(float x) noexcept { return std::tanh(x); }
inline void __sincosf(float x, float *sine, float *cosine) noexcept { *sine = std::sin(x), *cosine = std::cos(x); }
inline float __frsqrt_rn(float x) noexcept { return rsqrtf(x); }

// Arithmetic with a given rounding: to nearest even, towards zero, up, down.
#define KPERF_HOST_ROUNDED(name, T, mode, parameters, a, b, c, expression)                                                                 \
  inline T name parameters noexcept {                                                                                                      \
    return kperf::host::rounded<T>(mode, a, b, c, [](T p, T q, T r) {                                                                      \
      (void)q, (void)r;                                                                                                                    \
      return expression;                                                                                                                   \
    });                                                                                                                                    \
  }
#define KPERF_HOST_ARITHMETIC(plus, minus, times, over, fused, root, inverse, T, suffix, mode)                                             \
  KPERF_HOST_ROUNDED(plus##_##suffix, T, mode, (T x, T y), x, y, y, p + q)                                                                 \
  KPERF_HOST_ROUNDED(minus##_##suffix, T, mode, (T x, T y), x, y, y, p - q)                                                                \
  KPERF_HOST_ROUNDED(times##_##suffix, T, mode, (T x, T y), x, y, y, p *q)                                                                 \
  KPERF_HOST_ROUNDED(over##_##suffix, T, mode, (T x, T y), x, y, y, p / q)                                                                 \
  KPERF_HOST_ROUNDED(fused##_##suffix, T, mode, (T x, T y, T z), x, y, z, std::fma(p, q, r))                                               \
  KPERF_HOST_ROUNDED(root##_##suffix, T, mode, (T x), x, x, x, std::sqrt(p))                                                               \
  KPERF_HOST_ROUNDED(inverse##_##suffix, T, mode, (T x), x, x, x, 1 / p)
#define KPERF_HOST_ALL_ARITHMETIC(suffix, mode)                                                                                            \
  KPERF_HOST_ARITHMETIC(__fadd, __fsub, __fmul, __fdiv, __fmaf, __fsqrt, __frcp, float, suffix, mode)                                      \
  KPERF_HOST_ARITHMETIC(__dadd, __dsub, __dmul, __ddiv, __fma, __dsqrt, __drcp, double, suffix, mode)
KPERF_HOST_ALL_ARITHMETIC(rz, FE_TOWARDZERO)
KPERF_HOST_ALL_ARITHMETIC(ru, FE_UPWARD)
KPERF_HOST_ALL_ARITHMETIC(rd, FE_DOWNWARD)
#undef KPERF_HOST_ALL_ARITHMETIC
#undef KPERF_HOST_ARITHMETIC
#undef KPERF_HOST_ROUNDED

inline float __fadd_rn(float x, float y) noexcept { return x + y; }
inline float __fsub_rn(float x, float y) noexcept { return x - y; }
inline float __fmul_rn(float x, float y) noexcept { return x * y; }
inline float __fdiv_rn(float x, float y) noexcept { return x / y; }
inline float __fmaf_rn(float x, float y, float z) noexcept { return std::fma(x, y, z); }
inline float __fsqrt_rn(float x) noexcept { return std::sqrt(x); }
inline float __frcp_rn(float x) noexcept { return 1 / x; }
inline double __dadd_rn(double x, double y) noexcept { return x + y; }
inline double __dsub_rn(double x, double y) noexcept { return x - y; }
inline double __dmul_rn(double x, double y) noexcept { return x * y; }
inline double __ddiv_rn(double x, double y) noexcept { return x / y; }
inline double __fma_rn(double x, double y, double z) noexcept { return std::fma(x, y, z); }
inline double __dsqrt_rn(double x) noexcept { return std::sqrt(x); }
inline double __drcp_rn(double x) noexcept { return 1 / x; }

#endif
