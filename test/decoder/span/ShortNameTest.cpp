// Short names of kernels.
#include "decoder/span/ShortName.h"

#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

TEST(ShortName, LeavesOutTypeParametersAndNamespaces) {
  EXPECT_EQ(shortKernelName("gemm"), "gemm");
  EXPECT_EQ(shortKernelName("void ns::gemm<float>(float const*, int)"), "gemm<float>");
  EXPECT_EQ(shortKernelName("void (anonymous namespace)::k<int>(int*)"), "k<int>");
}

TEST(ShortName, KeepsWhatGccSaysOfArguments) {
  EXPECT_EQ(shortKernelName("void attention(const __half*, int) [with int HeadDim = 64]"), "attention [int HeadDim = 64]");
}

TEST(ShortName, CutsDeepArguments) {
  EXPECT_EQ(shortKernelName("void cutlass::device_kernel<flash::Fwd<flash::Main<2, cute::tuple<int, int>>, true>>(flash::P)"),
            "device_kernel<Fwd<Main<…>, true>>");
}

TEST(ShortName, KeepsWholeNamesThatWouldBeTheSame) {
  const std::vector<std::string> names{"void a::k<x::T>()", "void b::k<x::T>()", "void m()"};
  EXPECT_EQ(shortKernelNames(names), (std::vector<std::string>{names[0], names[1], "m"}));
}

TEST(ShortName, TakesAnything) {
  for (const char *name : {"", "(", "<<<<", ">>>>", "::", " ", "operator<(", "kernel 0x123"})
    shortKernelName(name);
  EXPECT_EQ(shortKernelName(""), "");
}

} // namespace
} // namespace kperf::decoder
