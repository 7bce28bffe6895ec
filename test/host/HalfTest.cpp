// __half and __nv_bfloat16: conversions against exhaustive and independent definitions, arithmetic rounded once.
#include "Launching.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

/// The nearest value of a format to `value`, ties to even, found by search over all its values.
template <typename T> class Nearest {
public:
  Nearest() {
    for (unsigned bits = 0; bits < 0x8000; ++bits) {
      const float value = T::fromBits(static_cast<unsigned short>(bits));
      if (std::isfinite(value))
        values.push_back(value);
    }
  }
  unsigned short operator()(double value) const {
    const double size = std::fabs(value);
    const auto above = std::lower_bound(values.begin(), values.end(), size);
    std::size_t bits = static_cast<std::size_t>(above - values.begin());
    if (above == values.end()) {
      const double last = values.back(), step = last - values[values.size() - 2];
      bits = size >= last + step / 2 ? values.size() : values.size() - 1;
    } else if (bits > 0) {
      const double up = *above - size, down = size - values[bits - 1];
      if (down < up || (down == up && (bits - 1) % 2 == 0))
        --bits;
    }
    return static_cast<unsigned short>(bits | (std::signbit(value) ? 0x8000 : 0));
  }

private:
  std::vector<float> values;
};

template <typename T> void expectRoundTrips() {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const T value = T::fromBits(static_cast<unsigned short>(bits));
    const float wide = value;
    if (std::isnan(wide))
      ASSERT_EQ(T(wide).__x, 0x7fff);
    else
      ASSERT_EQ(T(wide).__x, bits);
  }
}

TEST(Half, EveryValueSurvivesTheWayThroughFloat) {
  expectRoundTrips<__half>();
  expectRoundTrips<__nv_bfloat16>();
}

/// Reals of all sizes, values half-way between neighbours, and what lies next to those.
std::vector<double> samples(int least, int most) {
  std::vector<double> result = {0.0, -0.0, 65504, 65519, 65519.99, 65520, 65536, 1e30, 0x1p-24, 0x1p-25, 0x1.8p-24, 0x1.0001p-25};
  std::uint64_t state = 88172645463325252ull;
  for (int i = 0; i < 20000; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const double mantissa = 1 + static_cast<double>(state >> 40) / 16777216.0 * (state & 1 ? 1 : 0.5);
    const double coarse = std::floor(mantissa * 4096) / 4096;
    const int exponent = least + static_cast<int>(state >> 8 & 0xffff) % (most - least);
    const double value = std::ldexp(state & 2 ? coarse : mantissa, exponent);
    result.push_back(state & 4 ? -value : value);
  }
  return result;
}

TEST(Half, ConversionsRoundToNearestEven) {
  const Nearest<__half> nearestHalf;
  for (const double value : samples(-27, 17)) {
    ASSERT_EQ(__double2half(value).__x, nearestHalf(value)) << value;
    ASSERT_EQ(__float2half(static_cast<float>(value)).__x, nearestHalf(static_cast<float>(value))) << value;
  }
  const Nearest<__nv_bfloat16> nearestBfloat;
  for (const double value : samples(-135, 127)) {
    ASSERT_EQ(__double2bfloat16(value).__x, nearestBfloat(value)) << value;
    ASSERT_EQ(__float2bfloat16(static_cast<float>(value)).__x, nearestBfloat(static_cast<float>(value))) << value;
  }
}

TEST(Half, DirectedConversions) {
  EXPECT_EQ(__float2half_rz(1.0009f).__x, 0x3c00);
  EXPECT_EQ(__float2half_ru(1.0001f).__x, 0x3c01);
  EXPECT_EQ(__float2half_rd(-1.0001f).__x, 0xbc01);
  EXPECT_EQ(__float2half_ru(1e6f).__x, 0x7c00);
  EXPECT_EQ(__float2half_rz(1e6f).__x, 0x7bff);
  EXPECT_EQ(__float2half_rd(1e-9f).__x, 0x0000);
  EXPECT_EQ(__float2half_ru(1e-9f).__x, 0x0001);
  EXPECT_EQ(__half2int_rn(__half(2.5f)), 2);
  EXPECT_EQ(__half2int_ru(__half(2.25f)), 3);
  EXPECT_EQ(__int2half_rn(2049).__x, __half(2048.0f).__x);
  EXPECT_EQ(__int2half_ru(2049).__x, __half(2050.0f).__x);
  EXPECT_EQ(__half2ushort_rz(__half(-1.0f)), 0);
  EXPECT_EQ(__bfloat162int_rz(__nv_bfloat16(-3.5f)), -3);
}

template <typename T> void expectArithmeticRoundedOnce() {
  const Nearest<T> nearest;
  std::uint32_t state = 12345;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return T(std::ldexp(1.0f + static_cast<float>(state >> 20) / 4096.0f, static_cast<int>(state >> 8 & 7) - 4));
  };
  for (int i = 0; i < 5000; ++i) {
    const T a = next(), b = state & 16 ? -next() : next(), c = state & 32 ? next() * T(0.00390625f) : next();
    ASSERT_EQ((a + b).__x, nearest(double(a) + double(b)));
    ASSERT_EQ((a - b).__x, nearest(double(a) - double(b)));
    ASSERT_EQ((a * b).__x, nearest(double(a) * double(b)));
    ASSERT_EQ((a / b).__x, nearest(double(a) / double(b)));
    ASSERT_EQ(__hfma(a, b, c).__x, nearest(double(a) * double(b) + double(c))); // exact in double for these sizes
    ASSERT_EQ(hsqrt(a).__x, nearest(std::sqrt(double(a))));
  }
}

TEST(Half, ArithmeticIsRoundedOnce) {
  expectArithmeticRoundedOnce<__half>();
  expectArithmeticRoundedOnce<__nv_bfloat16>();
}

TEST(Half, FusedMultiplyAddBreaksTiesByWhatADoubleLoses) {
  // 1.5 * (1 + 2^-7) lies half-way between the mantissas 65 and 66, 1.5 * (1 + 3 * 2^-7) between 68 and 69.
  const __nv_bfloat16 a(1.5f), down = __ushort_as_bfloat16(0x3f81), up = __ushort_as_bfloat16(0x3f83), tiny(0x1p-100f);
  EXPECT_EQ(__hfma(a, down, __nv_bfloat16(0.0f)).__x, 0x3fc2) << "a tie goes to even";
  EXPECT_EQ(__hfma(a, down, -tiny).__x, 0x3fc1);
  EXPECT_EQ(__hfma(a, up, __nv_bfloat16(0.0f)).__x, 0x3fc4) << "a tie goes to even";
  EXPECT_EQ(__hfma(a, up, tiny).__x, 0x3fc5);
  const __half big(32768.0f), one(1.0f), halfOfLastPlace(16.0f);
  EXPECT_EQ(__hfma(big, one, halfOfLastPlace).__x, big.__x);
  EXPECT_EQ(__hfma(big, one, __half(16.01f)).__x, big.__x + 1);
}

TEST(Half, PairsAndComparisons) {
  const __half2 a = __floats2half2_rn(1.0f, -2.0f), b = __float2half2_rn(3.0f);
  EXPECT_EQ(__high2float(__hadd2(a, b)), 1.0f);
  EXPECT_EQ(__low2float(a * b), 3.0f);
  EXPECT_EQ(float(__hfma2(a, b, b).y), -3.0f);
  EXPECT_EQ(__half22float2(__lowhigh2highlow(a)).x, -2.0f);
  const __half nan = CUDART_NAN_FP16;
  EXPECT_FALSE(__heq(nan, nan));
  EXPECT_TRUE(__hneu(nan, nan));
  EXPECT_FALSE(__hne(nan, __half(1.0f)));
  EXPECT_TRUE(__hisnan(nan));
  EXPECT_EQ(__hisinf(-CUDART_INF_FP16), -1);
  EXPECT_EQ(float(__hmax(nan, __half(1.0f))), 1.0f);
  EXPECT_TRUE(__hisnan(__hmax_nan(nan, __half(1.0f))));
  EXPECT_TRUE(__hblt2(a, b));
  EXPECT_EQ(__hgt2_mask(b, a), 0xffffffffu);
  EXPECT_EQ(float(__habs(__half(-2.0f))), 2.0f);
  EXPECT_EQ(__half_as_ushort(__hneg(__half(0.0f))), 0x8000);
  __half sum = 1.0f;
  sum += __half(2);
  EXPECT_TRUE(sum == __half(3.0) && sum > __half(1.0f) && sum <= __half(3.0f));
  EXPECT_EQ(float(hexp2(__half(3.0f))), 8.0f);
  EXPECT_EQ(float(hrcp(__nv_bfloat16(4.0f))), 0.25f);
}

__global__ void sumWarp(__half *out, __nv_bfloat162 *pairs) {
  __half value = __int2half_rn(static_cast<int>(threadIdx.x));
  __nv_bfloat162 pair = __floats2bfloat162_rn(1.0f, 2.0f);
  for (int d = 16; d > 0; d /= 2) {
    value += __shfl_down_sync(0xffffffff, value, static_cast<unsigned>(d));
    pair += __shfl_xor_sync(0xffffffff, pair, d);
  }
  if (threadIdx.x == 0) {
    *out = value;
    *pairs = pair;
  }
}

TEST(Half, LanesShuffleThem) {
  kperf::test::DeviceArray<__half> out(1, __half(0.0f));
  kperf::test::DeviceArray<__nv_bfloat162> pairs(1, __float2bfloat162_rn(0.0f));
  kperf::host::launch(sumWarp, 1, 32)(out, pairs);
  EXPECT_EQ(float(out.toHost()[0]), 496.0f);
  EXPECT_EQ(float(pairs.toHost()[0].y), 64.0f);
}

} // namespace
