// What regions ask of tensor cores: by the shapes that instructions name, and on the ways that control takes.
#include "tool/placement/Products.h"

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
  EXPECT_EQ(tensorWorkOf("HGMMA.64x160x16.F32", "sm_90a"), (TensorWork{81920, 20}));
  EXPECT_EQ(tensorWorkOf("QGMMA.64x128x32.F32.E4M3.E4M3", "sm_90a"), (TensorWork{131072, 16}));
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32", "sm_80"), (TensorWork{4096, 2}));
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32.BF16", "sm_90"), (TensorWork{4096, 1}));
  EXPECT_EQ(tensorWorkOf("HMMA.1688.F32.TF32", "sm_80"), (TensorWork{2048, 2}));
  EXPECT_EQ(tensorWorkOf("IMMA.16832.S8.S8", "sm_90"), (TensorWork{8192, 1}));
  EXPECT_EQ(tensorWorkOf("IMMA.8816.U8.S8", "sm_80"), (TensorWork{2048, 0.5}));
  EXPECT_EQ(tensorWorkOf("DMMA.884", "sm_80"), (TensorWork{512, 4}));
  EXPECT_EQ(tensorWorkOf("DMMA.8x8x4", "sm_90"), (TensorWork{512, 2}));
}

TEST(TensorWork, TakesNoTimeThatIsNotKnown) {
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32", "sm_86"), (TensorWork{4096, {}}));
  EXPECT_EQ(tensorWorkOf("HMMA.16816.F32", ""), (TensorWork{4096, {}}));
  EXPECT_EQ(tensorWorkOf("IMMA.16864.S4.S4", "sm_80"), (TensorWork{16384, {}}));
  EXPECT_EQ(tensorWorkOf("BMMA.168256.XOR.POPC", "sm_80"), (TensorWork{65536, {}}));
}

TEST(TensorWork, IsNotKnownOfShapesThatAreNotTheWork) {
  EXPECT_EQ(tensorWorkOf("HMMA.SP.16832.F32", "sm_80"), std::nullopt);
  EXPECT_EQ(tensorWorkOf("HMMA.884.F32.F32.STEP0", "sm_70"), std::nullopt);
  EXPECT_EQ(tensorWorkOf("HMMA.NEW", "sm_90"), std::nullopt);
}

/// Code of one region: "begin" opens it, "end" closes it, "inner" is a product of a region within; others are as nvdisasm says.
RegionProducts productsIn(const std::vector<std::string> &code, std::vector<bool> *counted = nullptr) {
  std::string text = "//--------------------- .text.kernel ----\n";
  RegionCode region{.begins = {}, .closes = {}, .isInner = {}};
  for (const std::string &line : code) {
    if (line.ends_with(":")) {
      text += line + "\n";
      continue;
    }
    const bool isInner = line == "inner";
    if (line == "begin")
      region.begins.push_back(region.closes.size());
    region.closes.push_back(line == "end");
    region.isInner.push_back(isInner);
    text += fmt::format("        /*0000*/  {} ;\n", isInner ? "HMMA.16816.F32 R4" : line);
  }
  const Listing listing = readListing(text);
  const Function &function = listing.functions.at(0);
  std::vector<bool> isCounted(function.instructions.size(), false);
  RegionProducts found = productsOf(function, readFlow(function), region, "sm_90", isCounted);
  if (counted)
    *counted = isCounted;
  for (auto &[name, count] : found.instructions)
    EXPECT_EQ(name, "HMMA.16816.F32") << count; // whose text ends with the listing's
  return found;
}

constexpr const char *product = "HMMA.16816.F32 R4";

TEST(Products, AreThoseBetweenBeginAndEnd) {
  const RegionProducts found = productsIn({product, "begin", product, "FADD R1", product, "end", product, "EXIT"});
  EXPECT_EQ(found.ofEntry, (TensorWork{8192, 2}));
  EXPECT_EQ(found.instructions.begin()->second, 2u);
}

TEST(Products, AreNoneWhereThereAreNone) {
  EXPECT_EQ(productsIn({product, "begin", "FADD R1", "end", "EXIT"}).ofEntry, (TensorWork{0, 0}));
}

TEST(Products, OfEachIterationAreThoseOfAnEntry) {
  EXPECT_EQ(productsIn({".L_x_0:", "begin", product, "end", "@P0 BRA `(.L_x_0)", "EXIT"}).ofEntry, (TensorWork{4096, 1}));
}

TEST(Products, InALoopAreNotKnown) {
  EXPECT_EQ(productsIn({"begin", ".L_x_0:", product, "@P0 BRA `(.L_x_0)", "end", "EXIT"}).ofEntry, std::nullopt);
}

TEST(Products, OnOnePathOnlyAreNotKnown) {
  EXPECT_EQ(productsIn({"begin", "@P0 BRA `(.L_x_0)", product, ".L_x_0:", "FADD R1", "end", "EXIT"}).ofEntry, std::nullopt);
  EXPECT_EQ(productsIn({"begin", "@P0 HMMA.16816.F32 R4", "end", "EXIT"}).ofEntry, std::nullopt);
}

TEST(Products, OfCopiesThatAreAlikeAreThoseOfOne) {
  EXPECT_EQ(productsIn({"begin", product, "end", "begin", product, "end", "EXIT"}).ofEntry, (TensorWork{4096, 1}));
  EXPECT_EQ(productsIn({"begin", product, "end", "begin", product, product, "end", "EXIT"}).ofEntry, std::nullopt);
}

TEST(Products, OfARegionWithinAreNotOfTheOuterOne) {
  std::vector<bool> counted;
  EXPECT_EQ(productsIn({"begin", product, "inner", "end", "EXIT"}, &counted).ofEntry, (TensorWork{4096, 1}));
  EXPECT_EQ(std::ranges::count(counted, true), 1);
}

} // namespace
} // namespace kperf::placement
