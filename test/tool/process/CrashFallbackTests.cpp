// What a fault becomes: the end of what may crash, where somebody prepared for it, and else the program that stands in.
#include "tool/process/CrashFallback.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <csignal>
#include <gtest/gtest.h>

namespace kperf::cc {
namespace {

const std::vector<std::string> kStandIn = {"/bin/sh", "-c", "exit 7"};

int faultsSurvived() {
  llvm::CrashRecoveryContext::Enable();
  const CrashFallback fallback("", kStandIn);
  int survived = 0;
  for (const int fault : {SIGSEGV, SIGSEGV, SIGABRT})
    survived += !llvm::CrashRecoveryContext().RunSafely([&] { raise(fault); });
  return survived;
}

TEST(CrashFallbackDeathTest, ComesBackWhereACrashIsPreparedFor) { EXPECT_EXIT(_exit(faultsSurvived()), testing::ExitedWithCode(3), ""); }

TEST(CrashFallbackDeathTest, BecomesTheCommandElsewhere) {
  EXPECT_EXIT(
      {
        faultsSurvived();
        const CrashFallback fallback("as it is\n", kStandIn);
        raise(SIGSEGV);
      },
      testing::ExitedWithCode(7), "as it is");
}

} // namespace
} // namespace kperf::cc
