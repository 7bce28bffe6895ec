// Integer and floating-point intrinsics and conversions with known answers.
#include "Launching.h"

#include <math_constants.h>

namespace {

TEST(Math, BitIntrinsics) {
  EXPECT_EQ(__popc(0xf0f0f0f0u), 16);
  EXPECT_EQ(__popcll(~0ull), 64);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clzll(1ll << 40), 23);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__ffsll(1ll << 40), 41);
  EXPECT_EQ(__brev(1u), 0x80000000u);
  EXPECT_EQ(__brev(0x12345678u), 0x1e6a2c48u);
  EXPECT_EQ(__brevll(1ull), 1ull << 63);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7410), 0x77441100u);
  EXPECT_EQ(__funnelshift_l(0x80000001u, 0x00000002u, 1), 0x00000005u);
  EXPECT_EQ(__funnelshift_l(1u, 2u, 32), 2u) << "the shift wraps";
  EXPECT_EQ(__funnelshift_lc(1u, 2u, 32), 1u) << "the shift is clamped";
  EXPECT_EQ(__funnelshift_r(0x80000001u, 0x00000003u, 1), 0xc0000000u);
  EXPECT_EQ(__funnelshift_rc(1u, 2u, 40), 2u);
}

TEST(Math, IntegerIntrinsics) {
  EXPECT_EQ(__mulhi(-2, 0x40000000), -1);
  EXPECT_EQ(__umulhi(0xffffffffu, 0xffffffffu), 0xfffffffeu);
  EXPECT_EQ(__umul64hi(~0ull, 2ull), 1ull);
  EXPECT_EQ(__mul64hi(-1ll, 2ll), -1ll);
  EXPECT_EQ(__mul24(0x00ffffff, 2), -2);
  EXPECT_EQ(__umul24(0x01000003u, 2u), 6u);
  EXPECT_EQ(__sad(-5, 7, 1u), 13u);
  EXPECT_EQ(__usad(5u, 7u, 1u), 3u);
  EXPECT_EQ(__hadd(-3, 0), -2);
  EXPECT_EQ(__rhadd(-3, 0), -1);
  EXPECT_EQ(__dp4a(static_cast<int>(0xff020304u), 0x01010101, 10), 18);
  EXPECT_EQ(__dp4a(0xff020304u, 0x01010101u, 10u), 274u);
}

TEST(Math, MinMaxOfEveryPair) {
  EXPECT_EQ(min(3, -4), -4);
  EXPECT_EQ(max(1u, -1), 0xffffffffu) << "the usual conversions hold";
  EXPECT_EQ(max(2ll, 3ll), 3ll);
  EXPECT_EQ(min(2.5f, 3.0), 2.5);
  EXPECT_EQ(min(CUDART_NAN_F, 1.0f), 1.0f);
  EXPECT_EQ(max(1.0, CUDART_NAN), 1.0);
  EXPECT_EQ(fmaxf(1.0f, 2.0f), 2.0f);
}

TEST(Math, Functions) {
  EXPECT_FLOAT_EQ(rsqrtf(16.0f), 0.25f);
  EXPECT_DOUBLE_EQ(rsqrt(4.0), 0.5);
  EXPECT_DOUBLE_EQ(rcbrt(27.0), 1.0 / 3);
  EXPECT_FLOAT_EQ(__expf(1.0f), 2.7182818f);
  EXPECT_FLOAT_EQ(__exp10f(2.0f), 100.0f);
  EXPECT_FLOAT_EQ(__log2f(8.0f), 3.0f);
  EXPECT_FLOAT_EQ(__powf(2.0f, 0.5f), 1.4142135f);
  EXPECT_FLOAT_EQ(__fdividef(1.0f, 8.0f), 0.125f);
  EXPECT_EQ(__saturatef(-1.0f), 0.0f);
  EXPECT_EQ(__saturatef(CUDART_NAN_F), 0.0f);
  EXPECT_EQ(__saturatef(0.5f), 0.5f);
  EXPECT_EQ(sinpi(1.0), 0.0);
  EXPECT_EQ(cospi(0.5), 0.0);
  EXPECT_EQ(cospif(1.0f), -1.0f);
  EXPECT_DOUBLE_EQ(sinpi(-0.25), -std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(sinpi(1.5), -1.0);
  EXPECT_NEAR(normcdf(1.96), 0.9750021, 1e-7);
  EXPECT_NEAR(normcdfinv(0.975), 1.959964, 1e-6);
  for (const double x : {-3.0, -0.7, 0.0, 0.01, 0.9, 2.5})
    EXPECT_NEAR(erfinv(std::erf(x)), x, 1e-9);
  for (const double x : {0.5, 2.0, 5.0, 10.0})
    EXPECT_NEAR(erfcinv(std::erfc(x)), x, 1e-9);
  EXPECT_DOUBLE_EQ(norm3d(2.0, 3.0, 6.0), 7.0);
  EXPECT_FLOAT_EQ(rnorm4df(1.0f, 1.0f, 1.0f, 1.0f), 0.5f);
  float sine = 0, cosine = 0;
  sincospif(0.5f, &sine, &cosine);
  EXPECT_EQ(sine, 1.0f);
  EXPECT_EQ(cosine, 0.0f);
}

TEST(Math, DirectedRounding) {
  EXPECT_EQ(__fadd_rn(1.0f, 0x1p-30f), 1.0f);
  EXPECT_EQ(__fadd_ru(1.0f, 0x1p-30f), 1.0f + 0x1p-23f);
  EXPECT_EQ(__fadd_rd(1.0f, -0x1p-30f), 1.0f - 0x1p-24f);
  EXPECT_EQ(__fadd_rz(-1.0f, 0x1p-30f), -1.0f + 0x1p-24f);
  EXPECT_EQ(__fdiv_ru(1.0f, 3.0f), std::nextafter(1.0f / 3.0f, 0.0f) < 1.0f / 3.0f ? 0x1.555556p-2f : 0.0f);
  EXPECT_EQ(__fdiv_rd(1.0f, 3.0f), 0x1.555554p-2f);
  EXPECT_LT(__dmul_rd(0.1, 0.1), __dmul_ru(0.1, 0.1));
  EXPECT_EQ(__fmaf_rn(3.0f, 4.0f, 5.0f), 17.0f);
  EXPECT_EQ(__fmaf_rz(1.0f, 1.0f, -0x1p-30f), 1.0f - 0x1p-24f);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "the mode is put back";
}

TEST(Math, ConversionsToIntegers) {
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rz(-2.9f), -2);
  EXPECT_EQ(__float2int_ru(2.1f), 3);
  EXPECT_EQ(__float2int_rd(-2.1f), -3);
  EXPECT_EQ(__float2int_rn(CUDART_NAN_F), 0);
  EXPECT_EQ(__float2int_rn(1e20f), 2147483647);
  EXPECT_EQ(__float2uint_rn(-1.0f), 0u);
  EXPECT_EQ(__float2uint_rz(4294967040.0f), 4294967040u);
  EXPECT_EQ(__double2ll_rn(1e30), 9223372036854775807ll);
  EXPECT_EQ(__double2ull_rz(-3.0), 0ull);
  EXPECT_EQ(__double2ll_rn(CUDART_NAN), std::numeric_limits<long long>::min());
}

TEST(Math, ConversionsToFloatingPoint) {
  EXPECT_EQ(__int2float_rn(16777217), 16777216.0f);
  EXPECT_EQ(__int2float_ru(16777217), 16777218.0f);
  EXPECT_EQ(__uint2float_rz(4294967295u), 4294967040.0f);
  EXPECT_EQ(__ll2double_rd(9007199254740993ll), 9007199254740992.0);
  EXPECT_EQ(__double2float_ru(0.1), 0x1.99999ap-4f);
  EXPECT_EQ(__double2float_rd(0.1), 0x1.999998p-4f);
  EXPECT_EQ(__float_as_int(1.0f), 0x3f800000);
  EXPECT_EQ(__uint_as_float(0xc0000000u), -2.0f);
  EXPECT_EQ(__hiloint2double(0x3ff00000, 0), 1.0);
  EXPECT_EQ(__double2hiint(-1.0), static_cast<int>(0xbff00000));
  EXPECT_EQ(__longlong_as_double(__double_as_longlong(3.25)), 3.25);
}

TEST(Math, VectorTypesAreLaidOutAsOnTheDevice) {
  static_assert(sizeof(float3) == 12 && alignof(float3) == 4);
  static_assert(sizeof(float4) == 16 && alignof(float4) == 16);
  static_assert(sizeof(char2) == 2 && alignof(char2) == 2);
  static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4);
  static_assert(sizeof(short4) == 8 && alignof(short4) == 8);
  static_assert(sizeof(double3) == 24 && alignof(double3) == 8);
  static_assert(sizeof(ulonglong2) == 16 && alignof(ulonglong2) == 16);
  const int4 value = make_int4(1, 2, 3, 4);
  EXPECT_EQ(value.x + value.y * 10 + value.z * 100 + value.w * 1000, 4321);
  const dim3 shape = 7;
  EXPECT_EQ(shape.x * 100 + shape.y * 10 + shape.z, 711u);
}

} // namespace
