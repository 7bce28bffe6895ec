// What ptxas -v says of kernels with probes against their copies without.
#include "tool/plain/PtxasReport.h"

#include <gtest/gtest.h>

namespace kperf::plain {
namespace {

std::string kernel(const std::string &name, unsigned registers, unsigned shared, unsigned stack = 0, unsigned stores = 0,
                   const std::string &architecture = "sm_90a") {
  const std::string number = std::to_string(stack), spilled = std::to_string(stores);
  return "ptxas info    : Compiling entry function '" + name + "' for '" + architecture + "'\nptxas info    : Function properties for " +
         name + "\n    " + number + " bytes stack frame, " + spilled + " bytes spill stores, " + spilled +
         " bytes spill loads\nptxas info    : Used " + std::to_string(registers) + " registers, used 1 barriers, " +
         std::to_string(shared) + " bytes smem, 384 bytes cmem[0]\nptxas info    : Compile time = 1.0 ms\n";
}

std::vector<Change> changes(const std::string &output, const std::map<std::string, unsigned> &blockLimits = {}) {
  return changesIn(readPtxasReport(output), blockLimits);
}

TEST(PtxasReport, SaysWhatProbesChanged) {
  const auto found = changes("ptxas info    : 76 bytes gmem\n" + kernel("k__kperf_plain", 12, 128) + kernel("k", 22, 1024, 24, 8));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kernel, "k");
  EXPECT_EQ(found[0].text, "registers 12 -> 22, spill stores 0 -> 8 bytes, spill loads 0 -> 8 bytes, stack 0 -> 24 bytes, static shared "
                           "memory 128 -> 1024 bytes");
  EXPECT_TRUE(found[0].isLarge);
  EXPECT_EQ(found[0].movesToStack, "stack 0 -> 24 bytes"); // of which spills explain sixteen at most
  const auto padded = changes(kernel("k__kperf_plain", 168, 0) + kernel("k", 168, 0, 24, 16));
  ASSERT_EQ(padded.size(), 1u);
  EXPECT_EQ(padded[0].movesToStack, "");
}

TEST(PtxasReport, RegistersAreALargeChangeWhereFewerWarpsCanBeResident) {
  const auto found = changes(kernel("k", 32, 0) + kernel("k__kperf_plain", 12, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text, "registers 12 -> 32");
  EXPECT_FALSE(found[0].isLarge);
  EXPECT_EQ(found[0].movesToStack, "");
  const auto more = changes(kernel("k", 40, 0) + kernel("k__kperf_plain", 32, 0));
  ASSERT_EQ(more.size(), 1u);
  EXPECT_EQ(more[0].text, "registers 32 -> 40 (enough for 48 warps a multiprocessor, not 64)"); // 12 in each quarter of it
  EXPECT_TRUE(more[0].isLarge);
  EXPECT_FALSE(changes(kernel("k", 168, 0) + kernel("k__kperf_plain", 162, 0))[0].isLarge);
  EXPECT_TRUE(changes(kernel("k", 12, 0) + kernel("k__kperf_plain", 12, 0)).empty());
  EXPECT_TRUE(changes(kernel("alone", 20, 0)).empty());
}

TEST(PtxasReport, ABlockIsResidentAsAWhole) {
  const auto text = [](unsigned plain, unsigned probed, unsigned threads) {
    return changes(kernel("k", probed, 0) + kernel("k__kperf_plain", plain, 0), {{"k", threads}, {"k__kperf_plain", threads}}).at(0).text;
  };
  EXPECT_EQ(text(30, 48, 128), "registers 30 -> 48 (enough for 10 blocks of 128 threads a multiprocessor, not 16)");
  EXPECT_EQ(text(30, 54, 256), "registers 30 -> 54 (enough for 4 blocks of 256 threads a multiprocessor, not 8)"); // 36 warps
  EXPECT_EQ(text(30, 54, 200), "registers 30 -> 54 (enough for 5 blocks of 200 threads a multiprocessor, not 9)");
  EXPECT_EQ(text(32, 40, 1024), "registers 32 -> 40 (enough for 1 block of 1024 threads a multiprocessor, not 2)");
  EXPECT_EQ(text(40, 44, 1024), "registers 40 -> 44 (enough for 40 warps a multiprocessor, not 48)"); // of blocks, one either way
  EXPECT_EQ(text(30, 48, 32), "registers 30 -> 48 (enough for 40 warps a multiprocessor, not 64)");
}

TEST(PtxasReport, KernelsThatLeaveNoRoomForAllWarpsAreLimited) {
  const auto report =
      readPtxasReport(kernel("a", 64, 0) + kernel("a__kperf_plain", 48, 0) + kernel("b", 32, 0) + kernel("b__kperf_plain", 20, 0) +
                      kernel("c", 38, 0) + kernel("c__kperf_plain", 27, 0) + kernel("d", 33, 0) + kernel("d__kperf_plain", 32, 0) +
                      kernel("e", 40, 0) + kernel("e__kperf_plain", 32, 0) + kernel("f", 41, 0) + kernel("f__kperf_plain", 32, 0) +
                      kernel("alone", 99, 0)); // f: not without spills
  EXPECT_EQ(limitsForResidency(report), (std::map<std::string, unsigned>{{"c", 32}, {"d", 32}, {"e", 32}}));
}

TEST(PtxasReport, AMultiprocessorHoldsAsManyWarpsAsItsArchitectureSays) {
  const auto both = [](const std::string &architecture, unsigned plain, unsigned probed) {
    return kernel("k", probed, 0, 0, 0, architecture) + kernel("k__kperf_plain", plain, 0, 0, 0, architecture);
  };
  const auto text = [&](const std::string &architecture, unsigned plain, unsigned probed) {
    return changes(both(architecture, plain, probed)).at(0).text;
  };
  const auto limit = [&](const std::string &architecture, unsigned plain, unsigned probed) {
    const auto limits = limitsForResidency(readPtxasReport(both(architecture, plain, probed)));
    return limits.contains("k") ? limits.at("k") : 0;
  };
  EXPECT_EQ(text("sm_75", 27, 58), "registers 27 -> 58"); // 32 warps have room either way
  EXPECT_EQ(text("sm_75", 64, 65), "registers 64 -> 65 (enough for 28 warps a multiprocessor, not 32)");
  for (const char *of48 : {"sm_86", "sm_87", "sm_88", "sm_89", "sm_110a", "sm_120", "sm_120a", "sm_121f"}) {
    EXPECT_EQ(text(of48, 30, 40), "registers 30 -> 40");
    EXPECT_EQ(text(of48, 30, 41), "registers 30 -> 41 (enough for 40 warps a multiprocessor, not 48)");
    EXPECT_EQ(limit(of48, 40, 41), 40u);
    EXPECT_EQ(limit(of48, 32, 40), 0u);
  }
  for (const char *of64 : {"sm_70", "sm_80", "sm_90", "sm_100a", "sm_103", "sm_999"})
    EXPECT_EQ(text(of64, 30, 41), "registers 30 -> 41 (enough for 40 warps a multiprocessor, not 64)");
  EXPECT_EQ(limit("sm_75", 27, 58), 0u);
  EXPECT_EQ(limit("sm_75", 60, 66), 64u);
}

TEST(PtxasReport, KernelsThatCouldNotStartAsLargeBlocksAreLimited) {
  const auto limits = [](unsigned probed, unsigned plain) {
    return limitsForBlocks(readPtxasReport(kernel("k", probed, 0) + kernel("k__kperf_plain", plain, 0)));
  };
  const auto limit = [](unsigned registers) { return std::map<std::string, unsigned>{{"k", registers}}; };
  EXPECT_EQ(limits(72, 36), limit(64)); // blocks of 1024 threads
  EXPECT_EQ(limits(66, 64), limit(64));
  EXPECT_TRUE(limits(64, 36).empty());
  EXPECT_EQ(limits(80, 36), limit(64));
  EXPECT_TRUE(limits(81, 36).empty()); // not without spills
  EXPECT_TRUE(limits(90, 80).empty()); // blocks of 1024 threads do not start without probes either
  EXPECT_TRUE(limits(40, 40).empty());
  EXPECT_TRUE(limitsForBlocks(readPtxasReport(kernel("alone", 99, 0))).empty());
}

TEST(PtxasReport, ALimitIsWorthNoSpills) {
  const auto one = [](unsigned registers, unsigned spilled) {
    return readPtxasReport(kernel("k", registers, 0, spilled, spilled)).at("k");
  };
  EXPECT_TRUE(isWorthLimiting(one(38, 0), one(32, 0), 32));
  EXPECT_FALSE(isWorthLimiting(one(38, 0), one(32, 4), 32));
  EXPECT_FALSE(isWorthLimiting(one(38, 0), one(34, 0), 32)); // as ptxas does for a kernel that calls functions
  EXPECT_TRUE(isWorthLimiting(one(38, 12), one(32, 12), 32));
}

/// A multiprocessor's 65 536 registers are those of four parts, and are given to warps by 256.
TEST(PtxasReport, AsManyWarpsAsWithTheseRegisters) {
  const auto most = [](unsigned registers) { return registersForAsManyWarps(readPtxasReport(kernel("k", registers, 0)).at("k")); };
  EXPECT_EQ(most(4), 32u); // 64 warps
  EXPECT_EQ(most(32), 32u);
  EXPECT_EQ(most(33), 40u);   // 48
  EXPECT_EQ(most(56), 56u);   // 36
  EXPECT_EQ(most(97), 128u);  // 16
  EXPECT_EQ(most(129), 168u); // 12
  EXPECT_EQ(most(255), 255u); // 8
}

TEST(PtxasReport, OnlySerialisationThatTheKernelLacksIsNew) {
  const std::string both =
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to a call in the function 'k'\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to a call in the function "
      "'k__kperf_plain'\n";
  const std::string more = "ptxas info    : (C7519) warpgroup.arrive is injected in around line 758 by compiler in function 'k'\n";
  EXPECT_TRUE(changes(both + kernel("k", 9, 0) + kernel("k__kperf_plain", 9, 0)).empty());
  const auto found = changes(more + both + kernel("k", 9, 0) + kernel("k__kperf_plain", 9, 0));
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].newlySerialised.size(), 1u);
  EXPECT_EQ(found[0].newlySerialised.at("C7519"), "warpgroup.arrive is injected in around line 758 by compiler");
  EXPECT_EQ(found[0].text, "C7519");
  const auto called = changes(both.substr(0, both.find('\n') + 1) + kernel("k", 9, 0) + kernel("k__kperf_plain", 9, 0));
  ASSERT_EQ(called.size(), 1u);
  EXPECT_EQ(called[0].newlySerialised.at("C7510"), "Potential Performance Loss: wgmma.mma_async instructions are serialized due to a call");
}

TEST(PtxasReport, TheUserReadsOfItsOwnKernelsOnly) {
  const std::string warning = "ptxas warning : Registers are spilled to local memory in function 'k', 8 bytes spill stores\n";
  const std::string own = kernel("k", 20, 0);
  EXPECT_EQ(withoutPlainKernels(kernel("k__kperf_plain", 12, 0) + warning + own, true), warning + own);
  EXPECT_EQ(withoutPlainKernels(kernel("k__kperf_plain", 12, 0) + warning + own, false), warning);
  const std::string limit = "ptxas info    : Overriding maximum register limit 256 for 'k' with 32 of maxrregcount option\n";
  EXPECT_EQ(withoutPlainKernels(limit + own, true), limit + own);
  EXPECT_EQ(withoutPlainKernels(limit + own, false), "");
}

} // namespace
} // namespace kperf::plain
