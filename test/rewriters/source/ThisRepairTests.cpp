// Which `this->` is blanked, and which Clang reads as it stands.
#include "rewriters/source/ThisRepair.h"

#include <gtest/gtest.h>

namespace kperf {
namespace {

TEST(ThisRepair, StaticMembersInConditionsAreNamedAlone) {
  EXPECT_EQ(repairThis("static constexpr bool wide = 1; if constexpr (this->wide) f();"),
            "static constexpr bool wide = 1; if constexpr (      wide) f();");
  EXPECT_EQ(repairThis("constexpr static A<int> n{4}; static_assert(f(1) and this\n->n == 4);"),
            "constexpr static A<int> n{4}; static_assert(f(1) and     \n  n == 4);");
}

TEST(ThisRepair, WhatClangReadsIsLeftAlone) {
  EXPECT_EQ(repairThis("static constexpr int n = 1; if (this->n) f();"), std::nullopt);
  EXPECT_EQ(repairThis("static constexpr int n() { return 1; } if constexpr (this->n()) f();"), std::nullopt);
  EXPECT_EQ(repairThis("constexpr int n = 1; if constexpr (this->n) f();"), std::nullopt) << "of a base, perhaps";
  EXPECT_EQ(repairThis("static constexpr int n = 1; if constexpr (that->n) this->n;"), std::nullopt);
  EXPECT_EQ(repairThis("static constexpr int n = 1; // if constexpr (this->n)\n\"if constexpr (this->n)\""), std::nullopt);
  EXPECT_EQ(repairThis("static constexpr int n = 1; if constexpr (this->"), std::nullopt);
}

} // namespace
} // namespace kperf
