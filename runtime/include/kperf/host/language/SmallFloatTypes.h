// The macro that defines a 16-bit floating-point type and its pair with CUDA's operators.
#ifndef KPERF_HOST_SMALL_FLOAT_TYPES_H
#define KPERF_HOST_SMALL_FLOAT_TYPES_H

#include <kperf/host/language/Shuffles.h>
#include <kperf/host/language/SmallFloat.h>

#define KPERF_HOST_SMALL_FLOAT_COMPARE(T, op)                                                                                              \
  inline bool operator op(const T &a, const T &b) { return static_cast<float>(a) op static_cast<float>(b); }
#define KPERF_HOST_SMALL_FLOAT_OPERATOR(T, T2, op)                                                                                         \
  inline T operator op(const T &a, const T &b) { return T(static_cast<float>(a) op static_cast<float>(b)); }                               \
  inline T &operator op## = (T & a, const T &b) { return a = a op b; }                                                                     \
  inline T2 operator op(const T2 &a, const T2 &b) { return T2(a.x op b.x, a.y op b.y); }                                                   \
  inline T2 &operator op## = (T2 & a, const T2 &b) { return a = a op b; }

/// Defines T (two bytes, `__x` holds its bits) and T2 (two of them). Format is a SmallFloat; toBits and toFloat are its
/// fast conversions from and to float.
#define KPERF_HOST_SMALL_FLOAT_TYPE(T, T2, Format, toBits, toFloat)                                                                        \
  struct alignas(2) T {                                                                                                                    \
    unsigned short __x;                                                                                                                    \
    T() = default;                                                                                                                         \
    T(float value) : __x(::kperf::host::toBits(value)) {}                                                                                  \
    T(double value) : __x(::kperf::host::Format::encode<FE_TONEAREST>(value)) {}                                                           \
    T(int value) : T(static_cast<double>(value)) {}                                                                                        \
    T(unsigned int value) : T(static_cast<double>(value)) {}                                                                               \
    T(short value) : T(static_cast<float>(value)) {}                                                                                       \
    T(unsigned short value) : T(static_cast<float>(value)) {}                                                                              \
    T(long value) : T(static_cast<double>(value)) {}                                                                                       \
    T(unsigned long value) : T(static_cast<double>(value)) {}                                                                              \
    T(long long value) : T(static_cast<double>(value)) {}                                                                                  \
    T(unsigned long long value) : T(static_cast<double>(value)) {}                                                                         \
    operator float() const { return ::kperf::host::toFloat(__x); }                                                                         \
    static T fromBits(unsigned short bits) {                                                                                               \
      T value;                                                                                                                             \
      value.__x = bits;                                                                                                                    \
      return value;                                                                                                                        \
    }                                                                                                                                      \
  };                                                                                                                                       \
  struct alignas(4) T2 {                                                                                                                   \
    T x, y;                                                                                                                                \
    T2() = default;                                                                                                                        \
    T2(const T &x, const T &y) : x(x), y(y) {}                                                                                             \
  };                                                                                                                                       \
  namespace kperf::host {                                                                                                                  \
  template <> inline constexpr bool isShuffled<T> = true;                                                                                  \
  template <> inline constexpr bool isShuffled<T2> = true;                                                                                 \
  }                                                                                                                                        \
  KPERF_HOST_SMALL_FLOAT_OPERATOR(T, T2, +)                                                                                                \
  KPERF_HOST_SMALL_FLOAT_OPERATOR(T, T2, -)                                                                                                \
  KPERF_HOST_SMALL_FLOAT_OPERATOR(T, T2, *)                                                                                                \
  KPERF_HOST_SMALL_FLOAT_OPERATOR(T, T2, /)                                                                                                \
  KPERF_HOST_SMALL_FLOAT_COMPARE(T, ==)                                                                                                    \
  KPERF_HOST_SMALL_FLOAT_COMPARE(T, !=)                                                                                                    \
  KPERF_HOST_SMALL_FLOAT_COMPARE(T, <)                                                                                                     \
  KPERF_HOST_SMALL_FLOAT_COMPARE(T, <=)                                                                                                    \
  KPERF_HOST_SMALL_FLOAT_COMPARE(T, >)                                                                                                     \
  KPERF_HOST_SMALL_FLOAT_COMPARE(T, >=)                                                                                                    \
  inline T operator-(const T &a) { return T::fromBits(static_cast<unsigned short>(a.__x ^ 0x8000)); }                                      \
  inline T operator+(const T &a) { return a; }                                                                                             \
  inline T &operator++(T &a) { return a = a + T(1.0f); }                                                                                   \
  inline T &operator--(T &a) { return a = a - T(1.0f); }                                                                                   \
  inline T2 operator-(const T2 &a) { return T2(-a.x, -a.y); }                                                                              \
  inline bool operator==(const T2 &a, const T2 &b) { return a.x == b.x && a.y == b.y; }                                                    \
  inline bool operator!=(const T2 &a, const T2 &b) { return a.x != b.x && a.y != b.y; }

#endif
