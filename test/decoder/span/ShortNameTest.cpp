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

TEST(ShortName, ArgumentsAreSaidToTheSecondLevel) {
  EXPECT_EQ(shortKernelName("void k<a<b>, c<d<e>, f>, g>(int)"), "k<a<b>, c<d<…>, f>, g>");
  EXPECT_EQ(shortKernelName("void k<a<b<c<d>, e>>, f>(int)"), "k<a<b<…>>, f>");
}

TEST(ShortName, BlanksAndParenthesesInArgumentsAreNoEnds) {
  EXPECT_EQ(shortKernelName("void k<unsigned int, (m::e)1>(int (*)(float))"), "k<unsigned int, (e)1>");
  EXPECT_EQ(shortKernelName("n::t<x y> n::k(int)"), "k");
  EXPECT_EQ(shortKernelName("void k<(anonymous namespace)::t>(int)"), "k<t>");
  EXPECT_EQ(shortKernelName("void k$1_x<4>(int)"), "k$1_x<4>");
}

TEST(ShortName, NamesOfMoreThan64CharactersAreCut) {
  EXPECT_EQ(shortKernelName(std::string(64, 'k') + "<int>(int)"), std::string(64, 'k') + "<int>");
  EXPECT_EQ(shortKernelName(std::string(65, 'k') + "<int>(int)"), std::string(64, 'k') + "<int>");
  EXPECT_EQ(shortKernelName(std::string(70, 'k')), std::string(64, 'k'));
}

TEST(ShortName, OfThreeThatWouldBeTheSameAllAreWhole) {
  const std::vector<std::string> names{"void a::k()", "void m()", "void b::k()", "void c::k()", "void m()"};
  EXPECT_EQ(shortKernelNames(names), (std::vector<std::string>{names[0], "m", names[2], names[3], "m"}));
}

TEST(ShortName, TakesAnything) {
  for (const char *name : {"", "(", "<<<<", ">>>>", "::", " ", "operator<(", "kernel 0x123"})
    shortKernelName(name);
  EXPECT_EQ(shortKernelName(""), "");
}

} // namespace
} // namespace kperf::decoder
