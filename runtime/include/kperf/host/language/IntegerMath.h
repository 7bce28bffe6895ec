// CUDA's integer functions and intrinsics, and min and max for all pairs of types.
#ifndef KPERF_HOST_INTEGER_MATH_H
#define KPERF_HOST_INTEGER_MATH_H

#include <kperf/host/engine/Attributes.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <math.h>
#include <stdlib.h>

inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned long long __brevll(unsigned long long x) {
  x = (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
  x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
  return __builtin_bswap64(x);
}
inline unsigned int __brev(unsigned int x) { return static_cast<unsigned int>(__brevll(x) >> 32); }

/// Each nibble of the selector picks one of the eight bytes of y:x.
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; ++i)
    result |= static_cast<unsigned int>(bytes >> (selector >> (4 * i) & 7) * 8 & 0xff) << (8 * i);
  return result;
}

inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(both << (shift & 31) >> 32);
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(both >> (shift & 31));
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

inline int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
  __extension__ typedef __int128 Wide;
  return static_cast<long long>(static_cast<Wide>(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<unsigned long long>(static_cast<Wide>(x) * y >> 64);
}
inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }
/// The low 32 bits of the product of the low 24, which are signed.
inline int __mul24(int x, int y) {
  const auto low = [](int value) { return static_cast<long long>(static_cast<int>(static_cast<unsigned>(value) << 8) >> 8); };
  return static_cast<int>(low(x) * low(y));
}
inline int mul24(int x, int y) { return __mul24(x, y); }
inline unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
inline int mulhi(int x, int y) { return __mulhi(x, y); }
inline unsigned int umulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
inline long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
inline unsigned long long umul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }

inline unsigned int __sad(int x, int y, unsigned int z) {
  const long long difference = static_cast<long long>(x) - y;
  return static_cast<unsigned int>(difference < 0 ? -difference : difference) + z;
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

/// The dot product of four signed bytes each, added to c.
inline int __dp4a(int a, int b, int c) {
  unsigned int sum = static_cast<unsigned int>(c);
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<unsigned int>(static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i));
  return static_cast<int>(sum);
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 32; i += 8)
    c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}

// CUDA's host and device headers declare min and max for every pair of arithmetic types; the result is the usual one.
#define KPERF_HOST_MIN_MAX(T, A, B)                                                                                                        \
  inline constexpr T min(A a, B b) { return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); }               \
  inline constexpr T max(A a, B b) { return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); }
KPERF_HOST_MIN_MAX(int, int, int)
KPERF_HOST_MIN_MAX(unsigned int, unsigned int, unsigned int)
KPERF_HOST_MIN_MAX(unsigned int, int, unsigned int)
KPERF_HOST_MIN_MAX(unsigned int, unsigned int, int)
KPERF_HOST_MIN_MAX(long, long, long)
KPERF_HOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
KPERF_HOST_MIN_MAX(unsigned long, long, unsigned long)
KPERF_HOST_MIN_MAX(unsigned long, unsigned long, long)
KPERF_HOST_MIN_MAX(long long, long long, long long)
KPERF_HOST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
KPERF_HOST_MIN_MAX(unsigned long long, long long, unsigned long long)
KPERF_HOST_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef KPERF_HOST_MIN_MAX
// A NaN gives way to a number, as on the device.
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
inline double min(float a, double b) { return std::fmin(static_cast<double>(a), b); }
inline double max(float a, double b) { return std::fmax(static_cast<double>(a), b); }
inline double min(double a, float b) { return std::fmin(a, static_cast<double>(b)); }
inline double max(double a, float b) { return std::fmax(a, static_cast<double>(b)); }

inline unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
inline unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
inline long long llmin(long long a, long long b) { return a < b ? a : b; }
inline long long llmax(long long a, long long b) { return a > b ? a : b; }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

#endif
