// Where control goes in machine code: jumps with and without a condition, barriers, calls.
#include "tool/placement/Flow.h"

#include <gtest/gtest.h>

namespace kperf::placement {
namespace {

using Successors = std::vector<std::vector<std::size_t>>;

/// Of code whose labels stand on lines of their own.
Flow flowOf(const std::vector<std::string> &lines) {
  std::string text = "//--------------------- .text.kernel ----\n";
  for (const std::string &line : lines)
    text += line.ends_with(":") ? line + "\n" : "        /*0000*/  " + line + " ;\n";
  static Listing listing;
  listing = readListing(std::move(text));
  return readFlow(listing.functions.at(0));
}

TEST(Flow, GoesOnBehindWhatIsNoJump) { EXPECT_EQ(flowOf({"NOP", "IADD3 R1, R2", "EXIT"}).successors, (Successors{{1}, {2}, {}})); }

TEST(Flow, KnowsConditionsInFrontAndAmongTheOperands) {
  EXPECT_EQ(flowOf({"BRA `(.L_x_1)", "NOP", ".L_x_1:", "EXIT"}).successors, (Successors{{2}, {2}, {}}));
  EXPECT_EQ(flowOf({"@!P0 BRA `(.L_x_1)", "NOP", ".L_x_1:", "EXIT"}).successors, (Successors{{2, 1}, {2}, {}}));
  EXPECT_EQ(flowOf({"BRA.U UP0, `(.L_x_1)", "NOP", ".L_x_1:", "EXIT"}).successors, (Successors{{2, 1}, {2}, {}}));
  EXPECT_EQ(flowOf({"BRA.DIV ~URZ, `(.L_x_1)", "NOP", ".L_x_1:", "EXIT"}).successors, (Successors{{2, 1}, {2}, {}}));
  EXPECT_EQ(flowOf({"@P1 EXIT", "EXIT"}).successors, (Successors{{1}, {}}));
}

TEST(Flow, GoesOnBehindBarriersWhereLanesMeet) {
  EXPECT_EQ(flowOf({"BSSY B0, `(.L_x_2)", "@P0 BRA `(.L_x_1)", "BSYNC B0", ".L_x_1:", "BSYNC B0", ".L_x_2:", "EXIT"}).successors,
            (Successors{{1}, {3, 2}, {4}, {4}, {}}));
}

TEST(Flow, StepsOverCallsOfFunctionsAndFollowsThoseThatAreJumps) {
  const Flow flow = flowOf(
      {"CALL.REL.NOINC `($other)", "@!P2 CALL.REL.NOINC `(.L_x_1)", "NOP", ".L_x_1:", "EXIT", "$other:", "RET.REL.NODEC R20 `(kernel)"});
  EXPECT_EQ(flow.successors, (Successors{{1}, {3, 2}, {3}, {}, {}}));
  EXPECT_EQ(flow.entries, (std::vector<std::size_t>{0, 4}));
}

TEST(Flow, TakesJumpsToNowhereForNone) {
  EXPECT_EQ(flowOf({"@P0 BRA `(.L_x_9)", "BRX R4 -0x10", "NOP"}).successors, (Successors{{1}, {}, {}}));
}

} // namespace
} // namespace kperf::placement
