// Kernels without probes beside those with probes, in one module.
#include "tool/plain/PtxMerge.h"

#include <gtest/gtest.h>

namespace kperf::plain {
namespace {

constexpr const char *kPlain = R"(.version 9.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 counter;
.global .align 1 .b8 $str[3] = {104, 105, 0};
.func (.param .b32 ret) helper(.param .b32 x)
{ // {
	.loc 1 2 3
	ret;
}
.visible .entry work(
	.param .u64 p // a , (
)
.maxntid 128, 1, 1
{
	ld.global.u32 %r1, [counter];
	call (ret), helper, (x);
	mov.u64 %rd1, $str;
	ret;
}
.visible .entry same() { ret; }
)";

std::string probed(std::string head = ".visible .global .align 4 .u32 counter;\n") {
  return ".version 9.0\n.target sm_90\n.address_size 64\n" + head + R"(.global .align 1 .b8 $str[4] = {97, 98, 99, 0};
.func (.param .b32 ret) helper(.param .b32 x)
{
	mov.u32 %r9, %clock;
	ret;
}
.visible .entry work(.param .u64 p)
{
	mov.u32 %r9, %clock;
	call (ret), helper, (x);
	ret;
}
.visible .entry same() { ret; }
)";
}

TEST(PtxMerge, ACopyHasItsOwnFunctionsAndTextsAndTheSameVariables) {
  const MergedPtx merged = llvm::cantFail(withPlainKernels(probed(), kPlain));
  EXPECT_EQ(merged.kernels, std::vector<std::string>{"work"}); // of what has no probes there is no copy
  const llvm::StringRef text = merged.text;
  EXPECT_TRUE(text.starts_with(probed()));
  EXPECT_EQ(text.count(".entry work__kperf_plain("), 1u);
  EXPECT_EQ(text.count(".maxntid 128, 1, 1"), 1u);
  EXPECT_TRUE(text.contains("call (ret), helper__kperf_plain, (x);"));
  EXPECT_EQ(text.count(".func (.param .b32 ret) helper__kperf_plain("), 1u);
  EXPECT_EQ(text.count(".u32 counter;"), 1u);
  EXPECT_TRUE(text.contains("ld.global.u32 %r1, [counter];"));
  EXPECT_TRUE(text.contains("mov.u64 %rd1, $str__kperf_plain;"));
  EXPECT_FALSE(text.contains("same__kperf_plain"));
  EXPECT_FALSE(text.drop_front(probed().size()).contains(".loc"));
}

TEST(PtxMerge, AVariableThatTheTwoDeclareDifferentlyIsRefused) {
  auto merged = withPlainKernels(probed(".visible .global .align 4 .u32 counter[2];\n"), kPlain);
  ASSERT_FALSE(static_cast<bool>(merged));
  EXPECT_EQ(llvm::toString(merged.takeError()), "variable 'counter' is another one with probes");
}

TEST(PtxMerge, NamesOfFunctionsInTextsAreTheirOwn) {
  const std::string head = ".version 9.0\n", used = ".visible .entry k()\n{\n\tmov.u64 %rd1, __unnamed_1;\n";
  const std::string ours = head + ".global .align 1 .b8 __unnamed_1[2] = {98};\n" + used + "\tmov.u32 %r1, %clock;\n}\n";
  const MergedPtx merged = llvm::cantFail(withPlainKernels(ours, head + ".global .align 1 .b8 __unnamed_1[2] = {97};\n" + used + "}\n"));
  EXPECT_EQ(merged.kernels, std::vector<std::string>{"k"});
  EXPECT_NE(merged.text.find("__unnamed_1__kperf_plain[2] = {97};"), std::string::npos);
  EXPECT_NE(merged.text.find("mov.u64 %rd1, __unnamed_1__kperf_plain;"), std::string::npos);
}

TEST(PtxMerge, WithDebugInformationThereIsNoCopy) {
  auto merged = withPlainKernels(".version 9.0\n.target sm_90, debug\n", kPlain);
  ASSERT_FALSE(static_cast<bool>(merged));
  EXPECT_EQ(llvm::toString(merged.takeError()), "it has device debug information");
}

TEST(PtxMerge, TextThatEndsWithinAStatementIsRefused) {
  auto merged = withPlainKernels(probed(), ".version 9.0\n.visible .entry work() { ret;");
  ASSERT_FALSE(static_cast<bool>(merged));
  EXPECT_EQ(llvm::toString(merged.takeError()), "a statement of its PTX has no end: '.visible .entry work() { ret;'");
}

TEST(PtxMerge, AKernelThatIsRefusedItsProbesIsMadeLikeItsCopy) {
  const std::string merged = llvm::cantFail(withPlainKernels(probed(), kPlain)).text;
  EXPECT_EQ(kernelsReaching(merged, {"work"}, {"helper"}), std::vector<std::string>{"work"});
  EXPECT_EQ(kernelsReaching(merged, {"work"}, {"other"}), std::vector<std::string>{});
  EXPECT_EQ(functionsWith(kPlain, "ld.global"), std::vector<std::string>{"work"}); // not in what it calls
  EXPECT_EQ(functionsWith(kPlain, "$str"), std::vector<std::string>{"work"});      // no variable
  EXPECT_EQ(kernelsWithCopies(merged), std::vector<std::string>{"work"});
  EXPECT_TRUE(kernelsWithCopies(kPlain).empty());
  const std::string without = withoutProbes(merged, {"work"});
  const llvm::StringRef body = llvm::StringRef(without).split(".visible .entry work(").second.split("\n}").first;
  EXPECT_FALSE(body.contains("%clock"));
  EXPECT_TRUE(body.contains("call (ret), helper__kperf_plain, (x);"));
  EXPECT_EQ(llvm::StringRef(without).count(".entry work__kperf_plain("), 1u); // which is registered
}

TEST(PtxMerge, WithoutLinesItIsAsIfNoneHadBeenAskedFor) {
  const std::string plain = ".version 9.0\n.entry k()\n{\n\tld.global.u32 %r1, [x];\n$L__BB0_2:\n\tret;\n\n}\n";
  const std::string lined = ".version 9.0\n.entry k()\n{\n\t.loc\t1 3 0\n$L__func_begin0:\n\t.loc\t1 3 0\n\tld.global.u32 %r1, [x];\n"
                            "$L__BB0_2:\n\t.loc\t1 9 1, function_name $L__info_string0, inlined_at 1 4 3\n$L__tmp7:\n\tret;\n"
                            "$L__func_end0:\n\n}\n\t.file\t1 \"/a/b.cu\"\n\t.section\t.debug_str\n\t{\n$L__info_string0:\n.b8 95\n\t}\n";
  EXPECT_EQ(withoutLines(lined), plain);
  EXPECT_EQ(withoutLines(plain), plain);
  EXPECT_EQ(withoutLines(".version 9.0"), ".version 9.0");
  const std::string local = ".entry k()\n{\n\t.local .align 16 .b8 \t__local_depot0[32];\n\tret;\n}\n.local .b8 all[4];\n";
  EXPECT_EQ(withoutLines(local), local);
}

TEST(PtxMerge, KernelsOfBoundedBlocksAreThoseThatSaySo) {
  EXPECT_EQ(blockLimits(".entry free() { .maxntid; }\n.entry most()\n.maxntid 256, 1, 1\n{ ret; }\n.entry wide()\n.maxntid 8,4 , 2\n"
                        ".minnctapersm 3\n{ ret; }\n.entry exact()\n.reqntid 64\n{ ret; }\n.func none() { ret; }"),
            (std::map<std::string, unsigned>{{"most", 256}, {"wide", 64}, {"exact", 64}}));
}

TEST(PtxMerge, KernelsGetALimitOfRegistersBehindWhatTheyHave) {
  const std::string limited = withRegisterLimits(kPlain, {{"work", 48}, {"helper", 8}, {"none", 8}});
  EXPECT_EQ(llvm::StringRef(limited).count(".maxnreg"), 1u); // functions have none
  EXPECT_NE(limited.find(".maxntid 128, 1, 1\n.maxnreg 48\n{\n\tld.global"), std::string::npos);
  EXPECT_EQ(withRegisterLimits(kPlain, {}), kPlain);
  EXPECT_EQ(withRegisterLimits(".entry k(.param .u64 p /* { */) // {\n{ ret; }", {{"k", 32}}),
            ".entry k(.param .u64 p /* { */) // {\n.maxnreg 32\n{ ret; }");
}

} // namespace
} // namespace kperf::plain
