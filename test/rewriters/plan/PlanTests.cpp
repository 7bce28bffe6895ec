// The plan and what rewriters add to it: each region, site and edit once, indices that stay, and conflicts.
#include "rewriters/plan/PlanAdditions.h"

#include <gtest/gtest.h>

namespace kperf {
namespace {

class PlanTest : public testing::Test {
protected:
  void add(PlanAdditions additions) {
    plan.add(std::move(additions), [&](llvm::StringRef) -> const SourceFile & { return file; });
  }

  static Region regionAt(unsigned offset) {
    Region region;
    region.path = "/a.cu";
    region.name = "load";
    region.offset = offset;
    return region;
  }

  const SourceFile file{.text = "0123", .name = "a.cu", .isMain = true, .original = "/a.cu", .variant = "", .rest = ""};
  Plan plan;
};

TEST_F(PlanTest, KeepsTheIndexOfARegionThatComesAgain) {
  PlanAdditions first(plan);
  EXPECT_EQ(first.addRegion(regionAt(1)), 0u);
  EXPECT_EQ(first.addRegion(regionAt(2)), 1u);
  EXPECT_EQ(first.addRegion(regionAt(1)), 0u);
  add(std::move(first));
  PlanAdditions second(plan);
  EXPECT_EQ(second.addRegion(regionAt(2)), 1u);
  EXPECT_EQ(second.addRegion(regionAt(3)), 2u);
  second.setNext(0, 2);
  add(std::move(second));
  ASSERT_EQ(plan.regions().size(), 3u);
  EXPECT_EQ(plan.regions()[2].offset, 3u);
  EXPECT_EQ(plan.regions()[0].next, 2u);
}

TEST_F(PlanTest, KnowsNothingOfWhatIsNotAddedYet) {
  PlanAdditions additions(plan);
  additions.addRegion(regionAt(1));
  additions.addEdit({"/a.cu", 1, EditOrder::Open, "x"});
  EXPECT_TRUE(plan.isEmpty());
  EXPECT_TRUE(plan.files().empty());
  add(std::move(additions));
  EXPECT_EQ(plan.textOf("/a.cu"), "0x123");
}

TEST_F(PlanTest, AppliesAnEditOnceWhoeverAddsIt) {
  for (int time = 0; time < 2; ++time) {
    PlanAdditions additions(plan);
    additions.addEdit({"/a.cu", 2, EditOrder::Open, "x"});
    additions.addEdit({"/a.cu", 2, EditOrder::Open, "x"});
    add(std::move(additions));
  }
  EXPECT_EQ(plan.textOf("/a.cu"), "01x23");
  EXPECT_TRUE(plan.conflicts().empty());
}

TEST_F(PlanTest, NamesReplacementsThatOverlap) {
  PlanAdditions additions(plan);
  additions.addEdit({"/a.cu", 0, EditOrder::Open, "x", std::nullopt, {}, 2});
  additions.addEdit({"/a.cu", 1, EditOrder::Open, "y", std::nullopt, {}, 2});
  add(std::move(additions));
  ASSERT_EQ(plan.conflicts().size(), 1u);
  EXPECT_EQ(plan.conflicts()[0], "two different edits at byte 1 of 'a.cu': 'x' and 'y'");
}

} // namespace
} // namespace kperf
