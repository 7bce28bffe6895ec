// How what probes cost a kernel is split, and what a budget leaves of it.
#include "decoder/plan/KernelCost.h"
#include "decoder/plan/Plan.h"
#include "test/decoder/plan/HandmadeProfile.h"

#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

/// 10000 warps of 4600 cycles each, whose records cost 1 % by the calibration; `measured`: what launches with probes take longer.
ProfiledKernel kernelOf(std::optional<double> measured, double probedShare = 1) {
  ProfiledKernel kernel;
  kernel.warps = 10000;
  ProfiledRow &row = kernel.rows.emplace_back();
  row.recordCost = row.costNow = 460000;
  kernel.cycles = 46e6;
  kernel.isCostKnown = kernel.run.hasEntryProbes = true;
  kernel.run.probedShare = probedShare;
  if (measured)
    kernel.measured = {.percent = *measured, .interval = {}, .plainNs = 0, .probed = 9, .plain = 9, .isOfOneRun = true};
  return kernel;
}

TEST(KernelCost, IsAtLeastRecordsAndTheInstructionsOfAnEntry) {
  const KernelCost cost = costOfKernel(kernelOf({}));
  EXPECT_FALSE(cost.isMeasured);
  EXPECT_DOUBLE_EQ(cost.asking, 1);
  EXPECT_DOUBLE_EQ(cost.entry, 87 / 46.0);
  EXPECT_DOUBLE_EQ(cost.now, 1 + 87 / 46.0 + 1);
  const KernelCost wide = costOfKernel(kernelOf({}, 1. / 87)); // of whose warps few are recorded
  EXPECT_DOUBLE_EQ(wide.now, 1 + 1 / 46.0 + 1);
  ProfiledKernel host = kernelOf({});
  host.run.hasEntryProbes = false;
  EXPECT_DOUBLE_EQ(costOfKernel(host).now, 1);
}

TEST(KernelCost, WhatTheModelDoesNotExplainEachWarpPays) {
  const KernelCost cost = costOfKernel(kernelOf(23, 0));
  EXPECT_TRUE(cost.isMeasured);
  EXPECT_DOUBLE_EQ(cost.now, 23);
  EXPECT_DOUBLE_EQ(cost.asking, 22); // 23, less 1 of records
  EXPECT_DOUBLE_EQ(cost.next(0, 1), 23);
  EXPECT_DOUBLE_EQ(cost.next(0, 0.5), 22.5); // half of the records
  EXPECT_DOUBLE_EQ(cost.next(0, 0), 22);
}

TEST(KernelCost, WhereTheModelSaysMoreThanWasMeasuredItsPartsAreLessInProportion) {
  const KernelCost cost = costOfKernel(kernelOf(1, 0)); // 2 by the model
  EXPECT_DOUBLE_EQ(cost.asking, 0.5);
  EXPECT_DOUBLE_EQ(cost.recordTimes, 0.5);
  EXPECT_DOUBLE_EQ(cost.next(0, 1), 1);
  EXPECT_DOUBLE_EQ(cost.next(0, 3), 2); // three times the records
  const KernelCost nothing = costOfKernel(kernelOf(-0.3));
  EXPECT_DOUBLE_EQ(nothing.now, 0);
  EXPECT_DOUBLE_EQ(nothing.next(1, 5), 0);
}

/// Where a budget chose launches records are of all of them, what was measured of those that were recorded.
TEST(KernelCost, OfChosenLaunchesIsThatOfOneThatIsRecorded) {
  ProfiledKernel kernel = kernelOf(23, 0);
  kernel.run.launchesOfRecorded = 10;
  kernel.rows.front().costNow /= 10;
  const KernelCost cost = costOfKernel(kernel);
  EXPECT_DOUBLE_EQ(cost.now, 2.3);
  EXPECT_DOUBLE_EQ(cost.asking, 22);
}

TEST(ChosenPercent, IsTheBudgetWhereThereAreManyLaunches) {
  EXPECT_EQ(chosenPercent(50, 2, 0, 0), 0);
  EXPECT_DOUBLE_EQ(chosenPercent(50, 2, 1, 0), 50); // the first one is recorded
  EXPECT_DOUBLE_EQ(chosenPercent(50, 2, 9, 0), 50 * 2 / 9.0);
  EXPECT_DOUBLE_EQ(chosenPercent(50, 2, 100000, 0), 2);
  EXPECT_NEAR(chosenPercent(1, 2, 100000, 0), 1, 0.001);
  // Two events take 6 us: of launches of 10 us, of which there are 1000, the first 8.
  EXPECT_NEAR(chosenPercent(1, 2, 1000, 10000) - chosenPercent(1, 2, 1000, 0), 100 * 8 * 6000 / 10000.0 / 1000, 1e-9);
}

/// One kernel of a GPU, of 10000 cycles and 1000 blocks, with a region.
Profile oneRegion() {
  Profile out = profileOfWalk(R"x(kperf 1.21
region 0x20 kernel "walk" function="walk" file="k.cu" line=1 endLine=50
region 0x21 scope "load" function="walk" file="k.cu" line=12 endLine=14
)x");
  out.target = format::Target::Cuda;
  return out;
}

/// `measured`: what launches with the kernel's probes take longer, in percent, of which 1 by the calibration is its region's records.
Plan measuredPlan(double measured, std::uint64_t launches, double total = 80) {
  Profile profile = oneRegion();
  profile.kernels.front().launches = launches;
  profile.kernels.front().measured = {.percent = measured, .interval = {}, .plainNs = 0, .probed = 9, .plain = 9, .isOfOneRun = true};
  ProfiledRow &row = profile.kernels.front().rows.emplace_back();
  row.region = profile.regions->find(0x21);
  row.self = row.total = total;
  row.recordCost = row.costNow = 100;
  return planFor(profile, 2);
}

TEST(Plan, GoesByWhatWasMeasured) {
  const Plan fits = measuredPlan(1.5, 100);
  EXPECT_EQ(fits.regions.front().choice, Choice::Record);
  EXPECT_EQ(fits.kernels.front().launchInterval, 1u);
  EXPECT_DOUBLE_EQ(fits.kernels.front().recordedPercent, 1.5);
  EXPECT_DOUBLE_EQ(fits.kernels.front().predictedPercent, chosenPercent(1.5, 2 * 64, 100, 0)); // all of what is not the first
  const Plan cheap = measuredPlan(2.5, 100); // 1.5 whatever is recorded: without the region, which takes 0.8 % of the time, nothing is
  EXPECT_EQ(cheap.regions.front().choice, Choice::LeftOut);
  EXPECT_DOUBLE_EQ(cheap.kernels.front().predictedPercent, 0);
}

/// The region's records are 1 % of 23: to leave it out, which the model alone would do, keeps no budget.
TEST(Plan, WhereTheEntryIsOverTheBudgetLaunchesAreSampledAndRegionsStay) {
  const Plan plan = measuredPlan(23, 1000);
  EXPECT_TRUE(plan.kernels.front().isEntryOver);
  EXPECT_EQ(plan.regions.front().choice, Choice::Record);
  EXPECT_EQ(plan.kernels.front().launchInterval, 16u);
  EXPECT_EQ(plan.kernels.front().samplingInterval, 1u);
  EXPECT_DOUBLE_EQ(plan.kernels.front().recordedPercent, 23);
  EXPECT_DOUBLE_EQ(plan.kernels.front().predictedPercent, 2);
  EXPECT_FALSE(plan.kernels.front().isOver);
  // Of two launches the first one is recorded. A region that takes little is left out, and with it the kernel's probes.
  EXPECT_EQ(measuredPlan(23, 2).regions.front().choice, Choice::LeftOut);
  const Plan over = measuredPlan(23, 2, 3000); // 30 % of the time: it stays, and blocks would pay all the same
  EXPECT_EQ(over.regions.front().choice, Choice::Record);
  EXPECT_EQ(over.kernels.front().samplingInterval, 1u);
  EXPECT_TRUE(over.kernels.front().isOver);
  EXPECT_DOUBLE_EQ(over.kernels.front().predictedPercent, chosenPercent(23, 2, 2, 0));
}

TEST(PartOfBudget, WhatOneKernelLeavesOthersGet) {
  const auto part = [](std::vector<BudgetShare> kernels) { return partOfBudget(kernels, 2); };
  EXPECT_NEAR(part({{1, 50}}), 1, 1e-6);
  EXPECT_NEAR(part({{1, 50}, {1, 0}}), 2, 1e-6);
  EXPECT_NEAR(part({{1, 50}, {1, 1}}), 1.5, 1e-6); // 3 and 1 are 2 and 2
  EXPECT_NEAR(part({{3, 50}, {1, 0}}), 4 / 3.0, 1e-6);
  EXPECT_NEAR(part({{1, 1}}), 64, 1e-3); // all of them cost less
}

} // namespace
} // namespace kperf::decoder
