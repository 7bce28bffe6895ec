// What repairs of inline assembly do with text that no compiler takes.
#include "rewriters/source/AsmRepair.h"

#include <gtest/gtest.h>

namespace kperf {
namespace {

TEST(AsmRepair, RawStringWithoutParenthesisIsLeftAlone) {
  EXPECT_EQ(repairAsm("asm(R\"~\n %p"), std::nullopt);
  EXPECT_EQ(repairAsm("asm(\"%p\" : : R\"x"), "asm(\"_p\" : : R\"x") << "what stands before it is repaired";
}

TEST(AsmRepair, MacroWithinTheTemplateIsNoOperand) {
  EXPECT_EQ(repairAsm("asm(\"add.\" NAME(f32) \" %0, 1;\" : \"+f\"(a));"), std::nullopt);
  EXPECT_EQ(repairAsm("asm(NAME(a) \"%0;\" NAME(b) \"\" :: \"r\"(a) \"r\"(b));"), "asm(NAME(a) \"%0;\" NAME(b) \"\" :: \"r\"(a),\"r\"(b));")
      << "operands do get their comma";
}

} // namespace
} // namespace kperf
