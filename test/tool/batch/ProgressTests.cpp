// The words of the progress line.
#include "tool/batch/Progress.h"

#include <gtest/gtest.h>

namespace kperf::batch {
namespace {

TEST(Progress, SaysHowFarAndHowLong) {
  EXPECT_EQ(progressLine(0, 12, 0, "src/a.cu", 79), "[ 0/12] 0%: src/a.cu");
  EXPECT_EQ(progressLine(3, 12, 10, "src/a.cu", 79), "[ 3/12] 25%, 30 s left: src/a.cu");
  EXPECT_EQ(progressLine(12, 12, 10, "", 79), "[12/12] 100%");
  EXPECT_EQ(progressLine(3, 12, 10, "src/a.cu", 20), "[ 3/12] 25%, 30 s le");
}

TEST(Progress, WritesDurationsForPeople) {
  EXPECT_EQ(durationText(0.4), "0 s");
  EXPECT_EQ(durationText(59.4), "59 s");
  EXPECT_EQ(durationText(185), "3 min 05 s");
  EXPECT_EQ(durationText(3725), "1 h 02 min");
}

} // namespace
} // namespace kperf::batch
