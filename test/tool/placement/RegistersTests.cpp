// Which registers instructions read and write, by their text.
#include "tool/placement/Registers.h"

#include <gtest/gtest.h>

namespace kperf::placement {
namespace {

TEST(Registers, AreWrittenByTheFirstOperand) {
  EXPECT_EQ(destinationOf("CS2R.32 R12, SR_CLOCKLO"), "R12");
  EXPECT_EQ(destinationOf("@!P0 S2UR UR4, SR_CLOCKLO"), "UR4");
  EXPECT_EQ(destinationOf("STG.E.128 desc[UR10][R2.64], R12"), "");
  EXPECT_EQ(destinationOf("NOP"), "");
}

TEST(Registers, AreReadByTheOthers) {
  EXPECT_TRUE(isReadBy("VIADD R2, R13, UR4", "UR4"));
  EXPECT_TRUE(isReadBy("@P0 IMAD.IADD R4, R4, 0x1, -R9.reuse", "R4"));
  EXPECT_TRUE(isReadBy("STG.E desc[UR10][R2.64+0x10], R12", "UR10"));
  EXPECT_FALSE(isReadBy("IADD3 R4, R14, R40, RZ", "R4"));
  EXPECT_FALSE(isReadBy("VIADD R2, R13, UR4", "R4"));
  EXPECT_FALSE(isReadBy("EXIT", "R4"));
}

TEST(Registers, AreReadInPairsAndFours) {
  EXPECT_TRUE(isReadBy("STG.E.128 desc[UR10][R2.64], R12", "R15"));
  EXPECT_FALSE(isReadBy("STG.E.128 desc[UR10][R2.64], R12", "R16"));
  EXPECT_TRUE(isReadBy("STG.E.64 [R20], R12", "R13"));
  EXPECT_FALSE(isReadBy("STG.E.64 [R20], R12", "R14"));
  EXPECT_FALSE(isReadBy("STG.E [R20], R12", "R13"));
}

} // namespace
} // namespace kperf::placement
