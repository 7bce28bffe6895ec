// CUDA's conversions between integers and floating point with a given rounding, and its bit casts.
#ifndef KPERF_HOST_CONVERSIONS_H
#define KPERF_HOST_CONVERSIONS_H

#include <kperf/host/language/Atomics.h>
#include <kperf/host/language/FloatMath.h>

#include <limits>

namespace kperf::host {

template <int mode> double roundToInteger(double value) {
  switch (mode) {
  case FE_TOWARDZERO:
    return std::trunc(value);
  case FE_UPWARD:
    return std::ceil(value);
  case FE_DOWNWARD:
    return std::floor(value);
  default:
    return std::nearbyint(value);
  }
}

/// As the device converts: saturated; a NaN becomes 0 in 32 bits and 2^63 in 64 (PTX ISA, cvt).
template <typename Integer, int mode> Integer toInteger(double value) {
  if (value != value)
    return sizeof(Integer) == 8 ? static_cast<Integer>(1ull << 63) : Integer{0};
  const double whole = roundToInteger<mode>(value);
  const double least = static_cast<double>(std::numeric_limits<Integer>::min());
  const double beyond = std::ldexp(1.0, std::numeric_limits<Integer>::digits); // one more than the most
  if (whole < least)
    return std::numeric_limits<Integer>::min();
  return whole >= beyond ? std::numeric_limits<Integer>::max() : static_cast<Integer>(whole);
}

template <typename Float, typename From> Float convertRounded(int mode, From from) {
  const int before = std::fegetround();
  std::fesetround(mode);
  volatile From value = from;
  volatile Float result = static_cast<Float>(value);
  std::fesetround(before);
  return result;
}

} // namespace kperf::host

#define KPERF_HOST_MODES(X, a, b, c, d)                                                                                                    \
  X(rn, FE_TONEAREST, a, b, c, d)                                                                                                          \
  X(rz, FE_TOWARDZERO, a, b, c, d)                                                                                                         \
  X(ru, FE_UPWARD, a, b, c, d)                                                                                                             \
  X(rd, FE_DOWNWARD, a, b, c, d)
#define KPERF_HOST_TO_INTEGER(suffix, mode, from, From, to, To)                                                                            \
  inline To __##from##2##to##_##suffix(From value) { return kperf::host::toInteger<To, mode>(value); }
#define KPERF_HOST_TO_FLOAT(suffix, mode, from, From, to, To)                                                                              \
  inline To __##from##2##to##_##suffix(From value) { return kperf::host::convertRounded<To>(mode, value); }
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, float, float, int, int)
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, float, float, uint, unsigned int)
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, float, float, ll, long long)
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, float, float, ull, unsigned long long)
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, double, double, int, int)
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, double, double, uint, unsigned int)
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, double, double, ll, long long)
KPERF_HOST_MODES(KPERF_HOST_TO_INTEGER, double, double, ull, unsigned long long)
KPERF_HOST_MODES(KPERF_HOST_TO_FLOAT, int, int, float, float)
KPERF_HOST_MODES(KPERF_HOST_TO_FLOAT, uint, unsigned int, float, float)
KPERF_HOST_MODES(KPERF_HOST_TO_FLOAT, ll, long long, float, float)
KPERF_HOST_MODES(KPERF_HOST_TO_FLOAT, ull, unsigned long long, float, float)
KPERF_HOST_MODES(KPERF_HOST_TO_FLOAT, ll, long long, double, double)
KPERF_HOST_MODES(KPERF_HOST_TO_FLOAT, ull, unsigned long long, double, double)
KPERF_HOST_MODES(KPERF_HOST_TO_FLOAT, double, double, float, float)
#undef KPERF_HOST_TO_FLOAT
#undef KPERF_HOST_TO_INTEGER
#undef KPERF_HOST_MODES
inline double __int2double_rn(int value) { return value; }
inline double __uint2double_rn(unsigned int value) { return value; }

inline int __float_as_int(float value) { return kperf::host::bitCast<int>(value); }
inline float __int_as_float(int value) { return kperf::host::bitCast<float>(value); }
inline unsigned int __float_as_uint(float value) { return kperf::host::bitCast<unsigned int>(value); }
inline float __uint_as_float(unsigned int value) { return kperf::host::bitCast<float>(value); }
inline long long __double_as_longlong(double value) { return kperf::host::bitCast<long long>(value); }
inline double __longlong_as_double(long long value) { return kperf::host::bitCast<double>(value); }
inline int __double2hiint(double value) { return static_cast<int>(__double_as_longlong(value) >> 32); }
inline int __double2loint(double value) { return static_cast<int>(__double_as_longlong(value)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32 | static_cast<unsigned int>(low)));
}

#endif
