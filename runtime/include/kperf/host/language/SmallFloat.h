// Conversions of 16-bit floating-point formats, correctly rounded: the base of __half and __nv_bfloat16.
#ifndef KPERF_HOST_SMALL_FLOAT_H
#define KPERF_HOST_SMALL_FLOAT_H

#include <kperf/host/language/Conversions.h>

#include <cmath>
#include <cstdint>

namespace kperf::host {

/// A format of 1 sign bit, `kExponentBits` and `kMantissaBits`, as in IEEE 754.
template <int kExponentBits, int kMantissaBits> struct SmallFloat {
  static_assert(kExponentBits + kMantissaBits == 15, "the format has 16 bits");
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint16_t kSign = 0x8000, kNan = 0x7fff;
  static constexpr std::uint16_t kInfinity = static_cast<std::uint16_t>(((1 << kExponentBits) - 1) << kMantissaBits);

  /// Rounds as a mode of <cfenv> says. Any NaN becomes the canonical one, as on the device.
  template <int mode> static std::uint16_t encode(double value) {
    if (value != value)
      return kNan;
    const std::uint16_t sign = std::signbit(value) ? kSign : 0;
    const double size = std::fabs(value);
    if (std::isinf(size))
      return sign | kInfinity;
    // In units of the last place: whole numbers are exactly the values of the format.
    const int exponent = size == 0 ? 1 - kBias : std::max(std::ilogb(size), 1 - kBias);
    const double units = std::ldexp(size, kMantissaBits - exponent);
    const bool awayFromZero = mode == (sign ? FE_DOWNWARD : FE_UPWARD);
    const double whole = mode == FE_TONEAREST ? std::nearbyint(units) : awayFromZero ? std::ceil(units) : std::floor(units);
    // A carry out of the mantissa goes into the exponent by itself.
    const std::uint32_t bits = (static_cast<std::uint32_t>(exponent + kBias - 1) << kMantissaBits) + static_cast<std::uint32_t>(whole);
    if (exponent > kBias || bits >= kInfinity)
      return sign | (mode == FE_TONEAREST || awayFromZero ? kInfinity : static_cast<std::uint16_t>(kInfinity - 1));
    return static_cast<std::uint16_t>(sign | bits);
  }

  static double decode(std::uint16_t bits) {
    const int exponent = (bits & kInfinity) >> kMantissaBits;
    const int mantissa = bits & ((1 << kMantissaBits) - 1);
    const double sign = bits & kSign ? -1 : 1;
    if ((bits & kInfinity) == kInfinity)
      return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    return sign * (exponent ? std::ldexp(mantissa + (1 << kMantissaBits), exponent - kBias - kMantissaBits)
                            : std::ldexp(mantissa, 1 - kBias - kMantissaBits));
  }

  /// a * b + c, rounded once.
  static std::uint16_t fused(double a, double b, double c) {
    const double product = a * b; // exact: twice the format's digits fit a double
    double sum = product + c;
    // Round to odd: what the sum lost must still break ties (Boldo and Melquiond, "Emulation of FMA and correctly
    // rounded sums", 2008).
    const double back = sum - product;
    const double lost = (product - (sum - back)) + (c - back);
    if (std::isfinite(sum) && lost != 0 && (bitCast<std::uint64_t>(sum) & 1) == 0)
      sum = std::nextafter(sum, lost > 0 ? HUGE_VAL : -HUGE_VAL);
    return encode<FE_TONEAREST>(sum);
  }
};

using HalfFormat = SmallFloat<5, 10>;
using BfloatFormat = SmallFloat<8, 7>;

/// HalfFormat::encode<FE_TONEAREST>, fast.
inline std::uint16_t halfBits(float value) {
  const std::uint32_t bits = bitCast<std::uint32_t>(value), size = bits & 0x7fffffff;
  const std::uint32_t sign = bits >> 16 & HalfFormat::kSign;
  if (size > 0x7f800000)
    return HalfFormat::kNan;
  if (size >= 0x477ff000) // 65520, from where it rounds to infinity
    return static_cast<std::uint16_t>(sign | HalfFormat::kInfinity);
  if (size < 0x38800000) // 2^-14: the last place of the subnormals is that of 0.5f
    return static_cast<std::uint16_t>(sign | (bitCast<std::uint32_t>(bitCast<float>(size) + 0.5f) - 0x3f000000));
  return static_cast<std::uint16_t>(sign | (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13);
}

inline float halfValue(std::uint16_t bits) {
  const std::uint32_t size = bits & 0x7fffu, sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  if (size >= 0x7c00)
    return bitCast<float>(sign | 0x7f800000 | (size & 0x3ff) << 13);
  const float scaled = bitCast<float>(size << 13) * 0x1p112f; // the exponents differ by 112; subnormals come out right
  return bitCast<float>(sign | bitCast<std::uint32_t>(scaled));
}

/// BfloatFormat::encode<FE_TONEAREST>, fast.
inline std::uint16_t bfloatBits(float value) {
  const std::uint32_t bits = bitCast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return BfloatFormat::kNan;
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float bfloatValue(std::uint16_t bits) { return bitCast<float>(static_cast<std::uint32_t>(bits) << 16); }

} // namespace kperf::host

#endif
