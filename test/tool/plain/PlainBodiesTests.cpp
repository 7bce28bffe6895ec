// Both bodies of a kernel behind one another.
#include "tool/plain/PlainBodies.h"

#include <gtest/gtest.h>

namespace kperf::plain {
namespace {

constexpr const char *kTile = "\t.shared .align 4 .b8 tile[1024];\n";

constexpr const char *kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string kernel(const std::string &body) { return ".visible .entry work(.param .u64 p)\n.maxntid 64, 1, 1\n{\n" + body + "}"; }

std::string copy(const std::string &body) {
  return "\n.file 1 \"a.cu\"\n.file\t2 \"b.cu\"\n// The same kernels without probes.\n.visible .entry work__kperf_plain(.param .u64 "
         "p)\n{\n" +
         body + "}\n";
}

/// A module with a kernel and its copy, of these declarations and instructions each.
std::string merged(const std::string &declarations, const std::string &body, const std::string &copiesDeclarations,
                   const std::string &copiesBody) {
  return kHead + kernel(declarations + body) + copy(copiesDeclarations + copiesBody);
}

constexpr const char *kProbed = "\t@%p1 bra $L__BB0_1;\n\t// kperf: go on without probes\n$L__BB0_1:\n\tmov.u32 %r1, %clock;\n\tret;\n";
constexpr const char *kCopied = "\tst.shared.u32 [tile], %r1;\n$L__BB1_1:\n\t@%p1 bra $L__BB1_1;\n\tret;\n";

TEST(PlainBodies, ABlockWithoutProbesStandsBehindTheKernelsOwnAndSharesItsMemory) {
  const std::string probed = "\t@%p1 bra $L__BB0_1;\n\tbra \t$kperf_plain_body;\n$L__BB0_1:\n\tmov.u32 %r1, %clock;\n\tret;\n";
  const std::string plain = "\n$kperf_plain_body:\n{\n\n\t\n\tst.shared.u32 [tile], %r1;\n"
                            "$L__BB1_1_plain:\n\t@%p1 bra $L__BB1_1_plain;\n\tret;\n}\n";
  EXPECT_EQ(withPlainBodies(merged(kTile, kProbed, kTile, kCopied), {}),
            kHead + copy(std::string(kTile) + kCopied) + "\n// Kernels with both bodies.\n" + kernel(kTile + probed + plain) + "\n");
}

TEST(PlainBodies, LinesOfTheBlockAreOfAFileOfTheirOwn) {
  const std::string text = withPlainBodies(merged(kTile, std::string("\t.loc\t1 2 3\n") + kProbed, kTile, kCopied), {});
  EXPECT_NE(text.find("$kperf_plain_body:\n{\n\t.loc\t3 1 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\t.file\t3 \"(kernels without probes)\"\n"), std::string::npos) << text;
}

TEST(PlainBodies, RecordedWarpsSayThatOthersHaveNoProbes) {
  const std::string flag = "\tmov.u32 %r7, 0; // kperf: others-plain\n", text = merged("", kProbed + flag, "", "\tret;\n");
  const std::string both = withPlainBodies(text, {});
  EXPECT_NE(both.find("\tmov.u32 %r7, 64;\n"), std::string::npos) << both;
  EXPECT_EQ(both.find("// kperf: others-plain"), std::string::npos);
  EXPECT_EQ(withPlainBodies(text, {"work"}), text); // with one body it stays as it is
}

TEST(PlainBodies, EachPlaceThatGoesOnDoes) {
  const std::string text = withPlainBodies(merged("", std::string(kProbed) + kProbed, "", "\tret;\n"), {});
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("bra \t$kperf_plain_body;", at)) != std::string::npos; ++at)
    ++count;
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(text.find("kperf: go on"), std::string::npos);
}

TEST(PlainBodies, AThreadsOwnMemoryIsTheSameWhereItIsEnough) {
  const auto of = [](int bytes) { return "\t.local .align 4 .b8 __local_depot0[" + std::to_string(bytes) + "];\n"; };
  const std::string copied = "\tmov.u64 %SPL, __local_depot1;\n\tret;\n";
  const std::string small = withPlainBodies(merged(of(8), kProbed, "\t.local .align 4 .b8 __local_depot1[8];\n", copied), {});
  EXPECT_NE(small.find("$kperf_plain_body:\n{\n\n\t\n\tmov.u64 %SPL, __local_depot0;\n"), std::string::npos) << small;
  const std::string large = withPlainBodies(merged(of(4), kProbed, "\t.local .align 4 .b8 __local_depot1[8];\n", copied), {});
  EXPECT_NE(large.find(".b8 __local_depot1_plain[8];\n\tmov.u64 %SPL, __local_depot1_plain;\n"), std::string::npos) << large;
}

TEST(PlainBodies, OtherKernelsStayAsTheyAre) {
  const auto isLeftOut = [](const std::string &text) { return withPlainBodies(text, {}) == text; };
  EXPECT_TRUE(isLeftOut(merged(kTile, "\tret;\n", kTile, kCopied))) << "it does not say where it goes on";
  EXPECT_TRUE(isLeftOut(merged("\t.shared .align 4 .b8 tile[512];\n", kProbed, kTile, kCopied))) << "other shared memory";
  EXPECT_TRUE(isLeftOut(merged("", kProbed, kTile, kCopied))) << "no shared memory with probes";
  EXPECT_TRUE(isLeftOut(merged(kTile, kProbed, kTile, "\twgmma.fence.sync.aligned;\n\tret;\n"))) << "warp groups";
  EXPECT_TRUE(isLeftOut(merged(kTile, kProbed, kTile, "\tsetmaxnreg.dec.sync.aligned.u32 40;\n\tret;\n"))) << "registers given away";
  EXPECT_TRUE(isLeftOut(merged(kTile, kProbed, kTile, std::string(200 * 1024, '\n')))) << "long";
  EXPECT_TRUE(isLeftOut(merged(kTile, kProbed, kTile, kCopied) + ".visible .entry other() { mov.u64 %rd1, work; }\n")) << "others name it";
  EXPECT_TRUE(isLeftOut("{")) << "no PTX";
  const std::string both = merged(kTile, kProbed, kTile, kCopied);
  EXPECT_EQ(withPlainBodies(both, {"work"}), both);
}

} // namespace
} // namespace kperf::plain
