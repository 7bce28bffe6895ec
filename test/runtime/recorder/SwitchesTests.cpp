// Tests which kernels a list of patterns wants.
#include "runtime/recorder/Switches.h"

#include <gtest/gtest.h>

namespace kperf::test {
namespace {

using runtime::NamePatterns;

TEST(NamePatternsTest, NamesWithTemplateArgumentsMeanTheirTemplates) {
  const auto wants = [](const char *list, const char *kernel) { return NamePatterns(list, /*areOfKernels=*/true).wants(kernel); };
  for (const char *shown : {"gemm<float, 8>", "ns::gemm [T = float; N = 8]", "other,gemm [F = A<B, C>::d()<…>; …]", "*gemm<*>"})
    EXPECT_TRUE(wants(shown, "ns::gemm")) << shown;
  EXPECT_FALSE(wants("gemm<float, 8>", "ns::gemm_other"));
  EXPECT_FALSE(wants("gemm<a,b>,k", "b>"));
  EXPECT_TRUE(wants("gemm<a,b>,k", "k"));
  EXPECT_TRUE(wants("gem[lm],k", "gemm"));
  EXPECT_TRUE(wants("gem[lm],k", "k"));
  EXPECT_TRUE(wants("-gemm<float>", "gemm")) << "all instances would be left out";
  EXPECT_FALSE(NamePatterns("step<a>").wants("step")) << "of regions a name is a name";
}

TEST(NamePatternsTest, WhatMatchesNothingIsSaidAsItWasWritten) {
  NamePatterns patterns("gemm<a, b>,*copy*,-x<c>", /*areOfKernels=*/true);
  patterns.noteName("gemm");
  patterns.noteName("x");
  EXPECT_EQ(patterns.unmatched(), "'*copy*', 'x<c>'");
}

} // namespace
} // namespace kperf::test
