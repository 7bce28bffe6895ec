// Short names of kernels.
#include "decoder/span/ShortName.h"

#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

TEST(ShortName, LeavesOutTypeParametersAndNamespaces) {
  EXPECT_EQ(shortKernelName("gemm"), "gemm");
  EXPECT_EQ(shortKernelName("void ns::gemm<float>(float const*, int)"), "gemm<float>");
  EXPECT_EQ(shortKernelName("void (anonymous namespace)::k<int>(int*)"), "k<int>");
  EXPECT_EQ(shortKernelName("void ns::{anonymous}::k(T*) [with T = {anonymous}::t]"), "k [T = t]");
  EXPECT_EQ(shortKernelName("k [int N = 4]"), "k [int N = 4]"); // a short one
}

TEST(ShortName, KeepsWhatGccSaysOfArguments) {
  EXPECT_EQ(shortKernelName("void attention(const __half*, int) [with int HeadDim = 64]"), "attention [int HeadDim = 64]");
  EXPECT_EQ(
      shortKernelName("void gemm(Ref) [with Ref = n::Ref<float, n::RowMajor>; Scalar = float; Tile = n::Tile<16, 16>; Operation = int]"),
      "gemm [Ref = Ref<float, RowMajor>; Scalar = float; …]");
}

TEST(ShortName, LeavesOutArgumentsThatDoNotFit) {
  EXPECT_EQ(shortKernelName("void k<a<b>, c<d<e>, f>, g>(int)"), "k<a<b>, c<d<e>, f>, g>");
  const std::string first(30, 'a'), second(30, 'b');
  EXPECT_EQ(shortKernelName("void k<n::" + first + ", n::" + second + ">()"), "k<" + first + ", …>");
  EXPECT_EQ(shortKernelName("void k<c<d, e<" + first + ">>, " + second + ">()"), "k<c<d, e<…>>, " + second + ">");
  EXPECT_EQ(shortKernelName("void k<" + first + ", " + second.substr(1) + ">()"), "k<" + first + ", " + second.substr(1) + ">"); // 64
  EXPECT_EQ(shortKernelName("void k<a<b>::c, d>()"), "k<a<b>::c, d>");
}

TEST(ShortName, SaysTheLargestShapeOfWhatIsLeftOut) {
  const std::string mainloop =
      "flash::Mainloop<2, cute::tuple<cute::C<2>, cute::C<1>, cute::C<1>>, cute::tuple<cute::C<128>, cute::C<176>, "
      "cute::C<128>>, 128, cutlass::bfloat16_t, float, cutlass::arch::Sm90, false, false, true>";
  const std::string kernel =
      "flash::enable_sm90<flash::FlashAttnFwdSm90<" + mainloop + ", flash::Epilogue<cute::tuple<int, int>>, flash::Scheduler<false>>>";
  EXPECT_EQ(shortKernelName("void cutlass::device_kernel<" + kernel + ">(flash::P)"),
            "device_kernel<enable_sm90<FlashAttnFwdSm90<128×176×128, …>>>");
  EXPECT_EQ(shortKernelName("void cutlass::device_kernel(Operator::Params) [with Operator = " + kernel + "]"),
            "device_kernel<enable_sm90<FlashAttnFwdSm90<128×176×128, …>>>");
  EXPECT_EQ(shortKernelName("void k<cute::tuple<cute::C<64>, cute::C<8>>, cute::tuple<int, cute::C<8>>>()"), "k<64×8, tuple<int, C<8>>>");
}

TEST(ShortName, KeepsWhatTellsKernelsOfOneNameApart) {
  EXPECT_EQ(shortKernelName("k (m.cu:3)"), "k (m.cu:3)");
  EXPECT_EQ(shortKernelName("void n::k<n::T>(int (*)(float)) (a/m.cu, N=4)"), "k<T> (a/m.cu, N=4)");
  EXPECT_EQ(shortKernelName("void k(T*) [with T = int] #2"), "k [T = int] #2");
  EXPECT_EQ(shortKernelName("void k(int (*)(float))"), "k");
}

TEST(ShortName, SaysWhichLambdaItIsFor) {
  EXPECT_EQ(shortKernelName("void generic<main::{lambda(int)#2}>(main::{lambda(int)#2})"), "generic<lambda #2 of main>");
  EXPECT_EQ(shortKernelName("void each<ns::W::go(int)::{lambda(void (*)(int))#1}, int>(int, ns::W)"), "each<lambda #1 of go, int>");
  EXPECT_EQ(shortKernelName("void k<a<ns::run<float>(float*)::{lambda()#1}>>()"), "k<a<lambda #1 of run>>");
  EXPECT_EQ(shortKernelName("void generic(F) [with F = main()::<lambda(int)>]"), "generic<lambda of main>");
  EXPECT_EQ(shortKernelName("void generic(F) [with F = ns::W::go()::<lambda(int)>] #4"), "generic<lambda #4 of go>");
  EXPECT_EQ(shortKernelName("void generic(F, T) [with F = main()::<lambda(int)>; T = int] #4"), "generic [F = lambda #4 of main; T = int]");
  EXPECT_EQ(shortKernelName("void generic(F) [F = (lambda at src/m.cu:8:12)]"), "generic<lambda at m.cu:8:12>");
  EXPECT_EQ(shortKernelName("void generic(F, T) [F = (lambda at m.cu:8:12), T = n::pair<int, char>] #2"),
            "generic [F = lambda at m.cu:8:12; T = pair<int, char>] #2");
  for (const char *name : {"generic<lambda #2 of main>", "generic<lambda at m.cu:8:12>", "generic [F = lambda #4 of main; T = int]"})
    EXPECT_EQ(shortKernelName(name), name);
}

TEST(ShortName, SaysBoolAsTheSourceDoes) {
  EXPECT_EQ(shortKernelName("void sgemm(const float*) [with __nv_bool Whole = true]"), "sgemm [bool Whole = true]");
  EXPECT_EQ(shortKernelName("void k(T*) [with T = __nv_bool]"), "k [T = bool]");
}

TEST(ShortName, SaysALambdaBeforeOtherArguments) {
  const std::string policy = "n::VectorisedAccessPolicy<float, 4>";
  const std::string kernel = "void n::vectorizedElementwiseKernel";
  const auto nvcc = [&](const char *lambda) { return kernel + "<float, " + policy + ", " + lambda + ">(float*)"; };
  EXPECT_EQ(shortKernelName(nvcc("main::{lambda(float)#2}")), "vectorizedElementwiseKernel<float, …, lambda #2 of main>");
  const auto gcc = [&](const char *lambda) { return kernel + "(T*) [with T = float; Policy = " + policy + "; F = " + lambda; };
  EXPECT_EQ(shortKernelName(gcc("main()::<lambda(float)>]")), "vectorizedElementwiseKernel [T = float; …; F = lambda of main]");
  EXPECT_EQ(shortKernelName(gcc("twice()::<lambda(float)>] #2")), "vectorizedElementwiseKernel […; F = lambda #2 of twice]");
  const std::vector<std::string> names{gcc("main()::<lambda(float)>]"), gcc("main()::<lambda(float)>] #2")};
  EXPECT_EQ(shortKernelNames(names), (std::vector<std::string>{"vectorizedElementwiseKernel [T = float; …; F = lambda of main]",
                                                               "vectorizedElementwiseKernel […; F = lambda #2 of main]"}));
  EXPECT_EQ(shortKernelName("void k<" + policy + ", " + std::string(40, 'x') + ", go::{lambda()#1}, int>()"),
            "k<VectorisedAccessPolicy<float, 4>, …, lambda #1 of go, …>");
}

TEST(ShortName, SaysWhereNamesThatWouldBeTheSameDiffer) {
  const std::string tail = std::string(40, 'x') + ", " + std::string(40, 'y') + ", ";
  const std::vector<std::string> names{"void k<" + tail + "float>()", "void k<" + tail + "double>()", "void m()"};
  EXPECT_EQ(shortKernelNames(names), (std::vector<std::string>{"k<" + std::string(40, 'x') + ", …> [… float …]",
                                                               "k<" + std::string(40, 'x') + ", …> [… double …]", "m"}));
}

TEST(ShortName, KeepsWholeNamesThatNoWordTellsApart) {
  const std::vector<std::string> names{"void k<x::T>(int)", "void k<x::T>(int, int)", "void m()"};
  EXPECT_EQ(shortKernelNames(names), (std::vector<std::string>{names[0], names[1], "m"}));
}

TEST(ShortName, BlanksAndParenthesesInArgumentsAreNoEnds) {
  EXPECT_EQ(shortKernelName("void k<unsigned int, (m::e)1>(int (*)(float))"), "k<unsigned int, (e)1>");
  EXPECT_EQ(shortKernelName("n::t<x y> n::k(int)"), "k");
  EXPECT_EQ(shortKernelName("void k<(anonymous namespace)::t>(int)"), "k<t>");
  EXPECT_EQ(shortKernelName("void k$1_x<4>(int)"), "k$1_x<4>");
}

TEST(ShortName, WordsOfMoreThan48CharactersAreCut) {
  EXPECT_EQ(shortKernelName(std::string(48, 'k') + "<int>(int)"), std::string(48, 'k') + "<int>");
  EXPECT_EQ(shortKernelName(std::string(49, 'k') + "<int>(int)"), std::string(24, 'k') + "…" + std::string(23, 'k') + "<int>");
  EXPECT_EQ(shortKernelName(std::string(70, 'k')), std::string(24, 'k') + "…" + std::string(23, 'k'));
}

TEST(ShortName, OfThreeThatWouldBeTheSameAllAreTold) {
  const std::vector<std::string> names{"void a::k()", "void m()", "void b::k()", "void c::k()", "void m()"};
  EXPECT_EQ(shortKernelNames(names), (std::vector<std::string>{"k [… a …]", "m", "k [… b …]", "k [… c …]", "m"}));
}

TEST(ShortName, SpellsAKernelAsItIsCalled) {
  EXPECT_EQ(spelledKernelName("void n::turn<float, 8>(float*, int)"), "n::turn<float,8>");
  EXPECT_EQ(spelledKernelName("void n::turn(T*, int) [with T = float; int N = 8]"), "n::turn<float,8>");
  EXPECT_EQ(spelledKernelName("void turn(T) [with T = n::pair<a, b>]"), "turn<n::pair<a,b>>");
  EXPECT_EQ(spelledKernelName("turn"), "turn");
  EXPECT_EQ(spelledKernelName("void (anonymous namespace)::turn<1>()"), "turn<1>");
}

TEST(ShortName, NothingIsLeftOutOfWhatFits) {
  EXPECT_EQ(shortKernelName("void k<tuple<C<2>, C<3>, C<4>>>()"), "k<2×3×4>");
  EXPECT_EQ(shortKernelName("void k<>(int)"), "k<>");
  EXPECT_EQ(shortKernelName("void k<a<>, b<c<>>>(int)"), "k<a<>, b<c<>>>");
  EXPECT_EQ(shortKernelName("void k<a, b, c, d, e, f, g, h>()"), "k<a, b, c, d, e, f, g, h>");
}

TEST(ShortName, OfManyArgumentsAsManyAreSaidAsFit) {
  std::string arguments, said;
  for (char letter = 'a'; letter < 'i'; ++letter) { // eleven letters each: four take 56 columns, with what is left out
    arguments += (letter == 'a' ? "" : ", ") + std::string(11, letter);
    said += letter < 'e' ? std::string(11, letter) + ", " : "";
  }
  EXPECT_EQ(shortKernelName("void k<" + arguments + ">()"), "k<" + said + "…>");
}

TEST(ShortName, AShapeIsATupleOfSeveralNumbers) {
  EXPECT_EQ(shortKernelName("void k<cute::tuple<cute::C<64>>>()"), "k<tuple<C<64>>>");
  EXPECT_EQ(shortKernelName("void k<cute::tuple<cute::C<6x>, cute::C<4>>>()"), "k<tuple<C<6x>, C<4>>>");
  EXPECT_EQ(shortKernelName("void k<cute::tuple<cute::C<6>, cute::D<4>>>()"), "k<tuple<C<6>, D<4>>>");
  EXPECT_EQ(shortKernelName("void k<pair<C<6>, C<4>>>()"), "k<pair<C<6>, C<4>>>");
}

TEST(ShortName, ClangsArgumentsAreCutAtTheirOwnCommas) {
  EXPECT_EQ(shortKernelName("void k(T, U) [T = n::pair<int, char>, U = int]"), "k [T = pair<int, char>; U = int]");
  EXPECT_EQ(shortKernelName("void k(T, U) [T = void (*)(int, char), U = int]"), "k [T = void (*)(int, char); U = int]");
  EXPECT_EQ(shortKernelName("void k(T, U) [T = int, U = char] (a/m.cu:3)"), "k [T = int; U = char] (a/m.cu:3)");
  EXPECT_EQ(shortKernelName("void k(T, U) [T = int, U = int[4]]"), "k [T = int; U = int[4]]");
}

TEST(ShortName, ATypeStandsForTheOnlyArgument) {
  EXPECT_EQ(shortKernelName("void k(T) [with T = n::a<int>]"), "k<a<int>>");
  EXPECT_EQ(shortKernelName("void k(T) [with T = int]"), "k [T = int]");
  EXPECT_EQ(shortKernelName("void k() [with n::E T = n::a<int>]"), "k [n::E T = a<int>]"); // a value
  EXPECT_EQ(shortKernelName("void k(T) [with T = a<int>; U = b<int>]"), "k [T = a<int>; U = b<int>]");
}

TEST(ShortName, LabelsBeginBehindABlank) {
  EXPECT_EQ(spelledKernelName("k #2"), "k");
  EXPECT_EQ(spelledKernelName("k#2"), "k#2");
  EXPECT_EQ(spelledKernelName("<x>(int)"), "<x>"); // whatever that is
  EXPECT_EQ(spelledKernelName("k<int> (m.cu:3)"), "k<int>");
  EXPECT_EQ(shortKernelName("void k(int) (m.cu:3)"), "k (m.cu:3)");
  EXPECT_EQ(shortKernelName("void k(int (*)(int)) (a (b).cu)"), "k (a (b).cu)");
}

TEST(ShortName, SeveralLambdasAreToldEachByItsOwnFunction) {
  EXPECT_EQ(shortKernelName("void k<main::{lambda(int)#1}, main::{lambda(char)#2}>()"), "k<lambda #1 of main, lambda #2 of main>");
  EXPECT_EQ(shortKernelName("void k<x, a::b<c>(d)::{lambda(e(*)(f))#3}, y>()"), "k<x, lambda #3 of b, y>");
  EXPECT_EQ(shortKernelName("void k<f(g(int))::{lambda()#1}>()"), "k<lambda #1 of f>");
  EXPECT_EQ(shortKernelName("void generic(F, G) [with F = a()::<lambda(int)>; G = b()::<lambda(int)>] #2"),
            "generic [F = lambda #2 of a; G = lambda of b]");
}

TEST(ShortName, NumbersOfSeveralLambdasAreEachForItsOwn) {
  const std::string form = "void k(F) [with F = fill<int, main()::<lambda(int)> >(main()::<lambda(int)>, context_t&)::<lambda(int)>]";
  EXPECT_EQ(shortKernelName(form), "k<lambda of fill<lambda of main>>");
  EXPECT_EQ(shortKernelName(form + " #2,2,1"), "k<lambda of fill<lambda #2 of main>>");
  EXPECT_EQ(shortKernelName(form + " #1,1,3"), "k<lambda #3 of fill<lambda of main>>");
  EXPECT_EQ(shortKernelName(form + " #1,1,1,2"), "k<lambda of fill<lambda of main>> #2") << "of a local type";
}

TEST(ShortName, SaysAllWordsInWhichLongNamesDiffer) {
  const std::string box = "void ns::launch_box_cta_k(func_t, int, args_t ...) [with launch_box = launch_params_t<128, 1, 1, 0>; func_t = "
                          "detail::transform_f<launch_params_t<128, 1, 1, 0> >; args_t = {",
                    fill = "fill_function<int, main()::<lambda(int)> >(main()::<lambda(int)>, size_t)::<lambda(int)>, long unsigned int}]",
                    text = "launch_box_cta_k [launch_box = launch_params_t<128, …>; …]";
  EXPECT_EQ(shortKernelNames({box + "main()::<lambda(int)>, long unsigned int}] #3", box + fill, box + fill + " #2,2,1"}),
            (std::vector<std::string>{text + " [… #3 of main …]", text + " [… fill_function … main …]",
                                      text + " [… fill_function … #2 of main …]"}));
}

TEST(ShortName, TellsLambdasOfInstancesApartByTheirArguments) {
  const auto scan = [](const std::string &input) {
    return "void ns::launch_box_cta_k(func_t, int, args_t ...) [with launch_box = launch_params_t<512, 3>; func_t = "
           "scan_event<ns::exclusive, " +
           input + ", int*, plus_t<int> >(" + input + ", int, int*, plus_t<int>, context_t&)::<lambda(int, int)>; args_t = {}] #3";
  };
  const std::string fix = "void ns::launch_box_cta_k(func_t, int, args_t ...) [with launch_box = launch_params_t<512, 1, 1, 0>; func_t = "
                          "fixup<best_t<3>*>(best_t<3>*, int, context_t&)::<lambda(int, int)>; args_t = {}]",
                    text = "launch_box_cta_k […; func_t = lambda #3 of scan_event; …]";
  EXPECT_EQ(shortKernelNames({fix, scan("const int*"), scan("int*")}),
            (std::vector<std::string>{"launch_box_cta_k […; func_t = lambda of fixup; …]", text + " [… const …]", text + " [… int …]"}));
}

TEST(ShortName, TakesAnything) {
  for (const char *name : {"", "(", "<<<<", ">>>>", "::", " ", "operator<(", "kernel 0x123", "::{lambda(", "f::{lambda(#", "f::{lambda()}",
                           "f::<lambda()> #", ") [", "k(T) [T", ") [(lambda at", "]"})
    spelledKernelName(shortKernelName(name));
  EXPECT_EQ(shortKernelName(""), "");
}

} // namespace
} // namespace kperf::decoder
