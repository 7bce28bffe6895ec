// What regions ask of tensor cores and floating-point units: by what instructions name, and on the ways that control takes.
#include "tool/placement/FloatWork.h"
#include "tool/placement/RegionWork.h"
#include "tool/placement/TensorWork.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kperf::placement {
namespace {

TEST(TensorWork, NamesProductsBehindTheirPredicate) {
  EXPECT_EQ(productName("HGMMA.64x160x16.F32 R24, gdesc[UR4], !UPT"), "HGMMA.64x160x16.F32");
  EXPECT_EQ(productName("@!P0 HMMA.16816.F32 R4, R8, R12, R4"), "HMMA.16816.F32");
  EXPECT_EQ(productName("FFMA R1, R2, R3, R1"), "");
  EXPECT_EQ(productName("HADD2.MMA R1, R2, -RZ, -RZ"), "");
}

TEST(TensorWork, IsTheProductOfTheShape) {
  // 2 · 64 · 160 · 16 operations of four warps; 64 · 160 · 16 / 4 products at 2048 a cycle
  EXPECT_EQ(tensorWorkOf("HGMMA.64x160x16.F32", "sm_90a"), (Work{81920, 20}));
  EXPECT_EQ(tensorWorkOf("QGMMA.64x128x32.F32.E4M3.E4M3", "sm_90a"), (Work{131072, 16}));
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32", "sm_80"), (Work{4096, 2}));
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32.BF16", "sm_90"), (Work{4096, 1}));
  EXPECT_EQ(tensorWorkOf("HMMA.1688.F32.TF32", "sm_80"), (Work{2048, 2}));
  EXPECT_EQ(tensorWorkOf("IMMA.16832.S8.S8", "sm_90"), (Work{8192, 1}));
  EXPECT_EQ(tensorWorkOf("IMMA.8816.U8.S8", "sm_80"), (Work{2048, 0.5}));
  EXPECT_EQ(tensorWorkOf("DMMA.884", "sm_80"), (Work{512, 4}));
  EXPECT_EQ(tensorWorkOf("DMMA.8x8x4", "sm_90"), (Work{512, 2}));
}

TEST(TensorWork, TakesNoTimeThatIsNotKnown) {
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32", "sm_86"), (Work{4096, {}}));
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32", ""), (Work{4096, {}}));
  EXPECT_EQ(tensorWorkOf("IMMA.16864.S4.S4", "sm_80"), (Work{16384, {}}));
  EXPECT_EQ(tensorWorkOf("BMMA.168256.XOR.POPC", "sm_80"), (Work{65536, {}}));
}

TEST(TensorWork, IsNotKnownOfShapesThatAreNotTheWork) {
  EXPECT_EQ(tensorWorkOf("HMMA.SP.16832.F32", "sm_80"), std::nullopt);
  EXPECT_EQ(tensorWorkOf("HMMA.884.F32.F32.STEP0", "sm_70"), std::nullopt);
  EXPECT_EQ(tensorWorkOf("HMMA.NEW", "sm_90"), std::nullopt);
}

/// Code of one region: "begin" opens it, "end" closes it, "inner" is a product of a region within; others are as nvdisasm says.
UnitWork workIn(const std::vector<std::string> &code, UnitWork RegionWork::*unit = &RegionWork::tensor,
                std::vector<bool> *counted = nullptr) {
  std::string text = "//--------------------- .text.kernel ----\n";
  RegionCode region{.begins = {}, .closes = {}, .isOthers = {}};
  for (const std::string &line : code) {
    if (line.ends_with(":")) {
      text += line + "\n";
      continue;
    }
    const bool isInner = line == "inner";
    if (line == "begin")
      region.begins.push_back(region.closes.size());
    region.closes.push_back(line == "end");
    region.isOthers.push_back(isInner);
    text += fmt::format("        /*0000*/  {} ;\n", isInner ? "HMMA.16816.F32 R4" : line);
  }
  const Listing listing = readListing(text);
  const Function &function = listing.functions.at(0);
  std::vector<bool> isCounted(function.instructions.size(), false);
  const UnitWork found = workOf(function, readFlow(function), region, "sm_90", isCounted).*unit;
  if (counted)
    *counted = isCounted;
  UnitWork out{.ofEntry = found.ofEntry, .instructions = {}};
  for (const auto &[name, count] : found.instructions) // names end with the listing's text
    out.instructions[name == "FADD" ? "FADD" : name == "FFMA" ? "FFMA" : name == "HMMA.16816.F32" ? "HMMA.16816.F32" : "another"] = count;
  return out;
}

std::optional<Work> floatsIn(const std::vector<std::string> &code) { return workIn(code, &RegionWork::floats).ofEntry; }

constexpr const char *product = "HMMA.16816.F32 R4";

TEST(RegionWork, AreThoseBetweenBeginAndEnd) {
  const UnitWork found = workIn({product, "begin", product, "FADD R1", product, "end", product, "EXIT"});
  EXPECT_EQ(found.ofEntry, (Work{8192, 2}));
  EXPECT_EQ(found.instructions.begin()->second, 2u);
}

TEST(RegionWork, AreNoneWhereThereAreNone) { EXPECT_EQ(workIn({product, "begin", "FADD R1", "end", "EXIT"}).ofEntry, (Work{0, 0})); }

TEST(RegionWork, OfEachIterationAreThoseOfAnEntry) {
  EXPECT_EQ(workIn({".L_x_0:", "begin", product, "end", "@P0 BRA `(.L_x_0)", "EXIT"}).ofEntry, (Work{4096, 1}));
}

TEST(RegionWork, InALoopAreNotKnown) {
  EXPECT_EQ(workIn({"begin", ".L_x_0:", product, "@P0 BRA `(.L_x_0)", "end", "EXIT"}).ofEntry, std::nullopt);
}

TEST(RegionWork, OnOnePathOnlyAreNotKnown) {
  EXPECT_EQ(workIn({"begin", "@P0 BRA `(.L_x_0)", product, ".L_x_0:", "FADD R1", "end", "EXIT"}).ofEntry, std::nullopt);
  EXPECT_EQ(workIn({"begin", "@P0 HMMA.16816.F32 R4", "end", "EXIT"}).ofEntry, std::nullopt);
}

TEST(RegionWork, OfCopiesThatAreAlikeAreThoseOfOne) {
  EXPECT_EQ(workIn({"begin", product, "end", "begin", product, "end", "EXIT"}).ofEntry, (Work{4096, 1}));
  EXPECT_EQ(workIn({"begin", product, "end", "begin", product, product, "end", "EXIT"}).ofEntry, std::nullopt);
}

TEST(RegionWork, OfARegionWithinAreNotOfTheOuterOne) {
  std::vector<bool> counted;
  EXPECT_EQ(workIn({"begin", product, "inner", "end", "EXIT"}, &RegionWork::tensor, &counted).ofEntry, (Work{4096, 1}));
  EXPECT_EQ(std::ranges::count(counted, true), 1);
}

TEST(FloatWork, NamesWhatAddsOrMultiplies) {
  EXPECT_EQ(floatName("FFMA.FTZ R1, R2, R3, R1"), "FFMA");
  EXPECT_EQ(floatName("@!P0 DADD R4, R8, R12"), "DADD");
  EXPECT_EQ(floatName("HFMA2 R4, R8, R12, R4"), "HFMA2");
  EXPECT_EQ(floatName("HFMA2.MMA R4, R8, R12, R4"), "HFMA2");
  EXPECT_EQ(floatName("HFMA2.BF16_V2 R4, R8, R12, R4"), "HFMA2.BF16_V2");
  EXPECT_EQ(floatName("HMMA.16816.F32 R4, R8, R12, R4"), "");
  EXPECT_EQ(floatName("IMAD R4, R8, R12, R4"), "");
  EXPECT_EQ(floatName("FSETP.GT.AND P0, PT, R2, RZ, PT"), "");
  EXPECT_EQ(floatName("EXIT"), "");
}

TEST(FloatWork, IsNotThatOfConversionsAndConstants) {
  EXPECT_EQ(floatName("HADD2.F32 R13, -RZ, R8.H0_H0"), "");
  EXPECT_EQ(floatName("HFMA2 R9, -RZ, RZ, 0, 0"), "");
  EXPECT_EQ(floatName("HFMA2.MMA R9, -RZ, RZ, 1.875, 0"), "");
}

TEST(FloatWork, IsOfAllLanesAtTheRateOfTheArchitecture) {
  EXPECT_EQ(floatWorkOf("FFMA", "sm_90"), (Work{64, 0.25}));
  EXPECT_EQ(floatWorkOf("FADD", "sm_80"), (Work{32, 0.5}));
  EXPECT_EQ(floatWorkOf("FMUL", "sm_86"), (Work{32, 0.25}));
  EXPECT_EQ(floatWorkOf("DFMA", "sm_90"), (Work{64, 0.5}));
  EXPECT_EQ(floatWorkOf("DFMA", "sm_89"), (Work{64, 16}));
  EXPECT_EQ(floatWorkOf("HFMA2", "sm_90"), (Work{128, 0.25}));
  EXPECT_EQ(floatWorkOf("HFMA2.BF16_V2", "sm_80"), (Work{128, 0.5}));
  EXPECT_EQ(floatWorkOf("FFMA", "sm_75"), (Work{64, {}}));
  EXPECT_EQ(floatWorkOf("FFMA2", "sm_100"), (Work{128, {}}));
}

TEST(FloatWork, IsThatBetweenBeginAndEnd) {
  const UnitWork found =
      workIn({"FADD R1", "begin", "FFMA R1", product, "FFMA R2", "FADD R1", "end", "FFMA R1", "EXIT"}, &RegionWork::floats);
  EXPECT_EQ(found.ofEntry, (Work{160, 0.75}));
  EXPECT_EQ(found.instructions, (std::map<std::string_view, std::uint64_t>{{"FADD", 1}, {"FFMA", 2}}));
}

TEST(FloatWork, BehindAJoinIsOfTheEntryToo) {
  EXPECT_EQ(floatsIn({"begin", "FFMA R1", "@P0 BRA `(.L_x_0)", "MOV R1, R2", ".L_x_0:", "FFMA R1", "end", "EXIT"}), (Work{128, 0.5}));
}

TEST(FloatWork, OnOnePathOrInALoopIsNotKnown) {
  EXPECT_EQ(floatsIn({"begin", "FFMA R1", "@P0 BRA `(.L_x_0)", "FFMA R1", ".L_x_0:", "MOV R1", "end", "EXIT"}), std::nullopt);
  EXPECT_EQ(floatsIn({"begin", "FFMA R1", "@P0 FFMA R1", "end", "EXIT"}), std::nullopt);
  EXPECT_EQ(floatsIn({"begin", "FFMA R1", ".L_x_0:", "FFMA R1", "@P0 BRA `(.L_x_0)", "end", "EXIT"}), std::nullopt);
  EXPECT_EQ(floatsIn({"begin", "FFMA R1", "end", "FFMA R1", "begin", "FFMA R1", "FFMA R1", "end", "EXIT"}), std::nullopt);
}

TEST(FloatWork, InNoRegionIsCountedApart) {
  const Listing listing = readListing("//--------------------- .text.kernel ----\n        /*0000*/  FFMA R1, R2, R3, R4 ;\n"
                                      "        /*0010*/  FFMA R1, R2, R3, R4 ;\n        /*0020*/  HMMA.16816.F32 R4, R5, R6, R7 ;\n");
  const RegionWork other = otherWork(listing.functions.at(0), {true, false, false});
  EXPECT_EQ(other.floats.instructions, (std::map<std::string_view, std::uint64_t>{{"FFMA", 1}}));
  EXPECT_EQ(other.tensor.instructions, (std::map<std::string_view, std::uint64_t>{{"HMMA.16816.F32", 1}}));
  EXPECT_EQ(other.floats.ofEntry, std::nullopt);
}

} // namespace
} // namespace kperf::placement
