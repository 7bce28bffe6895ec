// Which chevrons are brought together, and which only look like those of a launch.
#include "rewriters/source/LaunchRepair.h"

#include <gtest/gtest.h>

namespace kperf {
namespace {

TEST(LaunchRepair, ChevronsAreBroughtTogetherInPlace) {
  EXPECT_EQ(repairLaunches("k<1> << <grid, block >> > (p);"), "k<1> <<< grid, block >>>  (p);");
  EXPECT_EQ(repairLaunches("k< <<(n + 1) >> 2, 32> >>(p);"), "k<<< (n + 1) >> 2, 32>>> (p);");
  EXPECT_EQ(repairLaunches("k<<<1, 32>> >(p);"), "k<<<1, 32>>> (p);");
  EXPECT_EQ(repairLaunches("k << < 1, sizeof(A<B>) > > > (p); k<<<1, 2>>>(q);"), "k <<<  1, sizeof(A<B>) >>>   (p); k<<<1, 2>>>(q);");
}

TEST(LaunchRepair, WhatIsNoLaunchIsLeftAlone) {
  EXPECT_EQ(repairLaunches("a << b; std::vector<std::vector<A<B> >>(3);"), std::nullopt);
  EXPECT_EQ(repairLaunches("operator<< <A<B<int> >>(out);"), std::nullopt);
  EXPECT_EQ(repairLaunches("// k<< <1, 2>> >(p)\n\"k<< <1, 2>> >(p)\" R\"(k<< <1, 2>> >(p))\""), std::nullopt);
  EXPECT_EQ(repairLaunches("k<< <1, 2; f >> >(p);"), std::nullopt);
  EXPECT_EQ(repairLaunches("(k<< <1, 2) >> >(p);"), std::nullopt);
  EXPECT_EQ(repairLaunches("k<< <1, 2>>\n>(p);"), std::nullopt) << "no line may move";
  EXPECT_EQ(repairLaunches("k<< <"), std::nullopt);
}

TEST(LaunchRepair, LengthOfChevronsHoldsTheirBlanks) {
  EXPECT_EQ(chevronsLength("k<<<1", 1), 3u);
  EXPECT_EQ(chevronsLength("k<< <1", 1), 4u);
  EXPECT_EQ(chevronsLength("k> >\t>(", 1), 5u);
}

} // namespace
} // namespace kperf
