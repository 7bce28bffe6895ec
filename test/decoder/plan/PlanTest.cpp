// What a plan decides of profiles made by hand: each threshold from both sides.
#include "decoder/plan/Plan.h"
#include "decoder/plan/PlanTable.h"
#include "test/decoder/plan/HandmadeProfile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace kperf::decoder {
namespace {

/// One kernel "walk" of 10000 cycles without probes and 1000 blocks in 100 launches, with rows for 0x21 "load", 0x22 "step" and 0x23
/// "sync".
Profile walk() {
  Profile out = profileOfWalk(R"x(kperf 1.14
region 0x20 kernel "walk" function="walk" file="k.cu" line=1 endLine=50
region 0x21 scope "load" function="walk" file="k.cu" line=12 endLine=14
region 0x22 scope "step" function="walk" file="k.cu" line=20 endLine=24
region 0x23 wait "sync" function="walk" file="k.cu" line=25 operation=barrier object=block-barrier
region 0x24 scope "load" function="walk" file="k.cu" line=10 endLine=11
region 0x25 automatic "loop" function="other [A=1]" file="k.cu" line=30 endLine=31
)x");
  ProfiledKernel &kernel = out.kernels.front();
  kernel.launches = 100;
  kernel.cyclesOfRecord = 1;
  return out;
}

/// A row that takes `total` of the kernel's 10000 cycles and costs `cost` of them to record; what it cost now is in neither.
ProfiledRow &add(Profile &profile, std::uint32_t id, double total, double cost, bool isSummable = false) {
  ProfiledRow &row = profile.kernels.front().rows.emplace_back();
  row.region = profile.regions->find(id);
  row.visits = 10;
  row.self = row.total = total;
  row.recordCost = cost;
  row.isSummable = isSummable;
  return row;
}

Choice choiceOf(const Profile &profile, const Plan &plan, std::uint32_t id) {
  const RegionDecision *const decision = plan.of(profile.regions->find(id));
  EXPECT_NE(decision, nullptr);
  return decision ? decision->choice : Choice::Record;
}

TEST(Plan, WhatCostsLittleStaysAsItIs) {
  Profile profile = walk();
  add(profile, 0x21, 50, 200); // half a percent of the time, and 2 % to record it: the budget
  const Plan plan = planFor(profile, 2);
  EXPECT_EQ(choiceOf(profile, plan, 0x21), Choice::Record);
  EXPECT_EQ(plan.budgetPercent, 2);
  ASSERT_EQ(plan.kernels.size(), 1u);
  EXPECT_DOUBLE_EQ(plan.kernels.front().predictedPercent, 2);
  EXPECT_FALSE(plan.kernels.front().isOver);
  EXPECT_EQ(plan.of(profile.regions->find(0x22)), nullptr); // no kernel entered it
}

TEST(Plan, WhatTakesLessThanAPercentGoesFirst) {
  const auto choice = [](double total, std::uint32_t id = 0x21) {
    Profile profile = walk();
    add(profile, id, total, 201);
    add(profile, 0x22, 3000, 0);
    return choiceOf(profile, planFor(profile, 2), id);
  };
  EXPECT_EQ(choice(99), Choice::LeftOut);
  EXPECT_EQ(choice(100), Choice::Record);      // one in two blocks then
  EXPECT_EQ(choice(99, 0x23), Choice::Record); // waits are kept, all or none
  Profile profile = walk();
  add(profile, 0x21, 80, 300);
  const Plan plan = planFor(profile, 2);
  EXPECT_EQ(plan.regions.front().reason, "0.8 % of the time, and to record it costs 3.0 %");
}

TEST(Plan, WhatSavesMostGoesFirstUntilTheBudgetIsKept) {
  Profile profile = walk();
  add(profile, 0x21, 50, 150);
  add(profile, 0x22, 60, 160);
  const Plan plan = planFor(profile, 2); // 3.1 % in all
  EXPECT_EQ(choiceOf(profile, plan, 0x22), Choice::LeftOut);
  EXPECT_EQ(choiceOf(profile, plan, 0x21), Choice::Record);
  EXPECT_DOUBLE_EQ(plan.kernels.front().predictedPercent, 1.5);
}

TEST(Plan, WhatCostsLessThanAFiftiethOfTheBudgetIsLeftAlone) {
  const auto choice = [](double cost) {
    Profile profile = walk();
    add(profile, 0x21, 50, cost);
    add(profile, 0x22, 3000, 300);
    return choiceOf(profile, planFor(profile, 2), 0x21);
  };
  EXPECT_EQ(choice(4), Choice::Record); // 0.04 %
  EXPECT_EQ(choice(4.1), Choice::LeftOut);
}

TEST(Plan, SumsCostHalfOfRecords) {
  Profile profile = walk();
  add(profile, 0x21, 3000, 400, true);
  const Plan plan = planFor(profile, 2); // half of 4 %
  EXPECT_EQ(choiceOf(profile, plan, 0x21), Choice::Sums);
  EXPECT_EQ(plan.regions.front().reason, "10 visits: each as a record costs 4.0 %");
  EXPECT_DOUBLE_EQ(plan.kernels.front().predictedPercent, 2);
  EXPECT_EQ(plan.kernels.front().samplingInterval, 1u);
  Profile more = walk();
  more.target = format::Target::Cuda;
  add(more, 0x21, 3000, 401, true); // sums are over too: entries of some blocks tell more
  const Plan sampled = planFor(more, 2);
  EXPECT_EQ(choiceOf(more, sampled, 0x21), Choice::Record);
  EXPECT_EQ(sampled.kernels.front().launchInterval, 4u);                 // 4.01 % by a power of two
  EXPECT_DOUBLE_EQ(sampled.kernels.front().recordedPercent, 4.01 + 0.2); // and its loops are timed: 20 records
  EXPECT_DOUBLE_EQ(sampled.kernels.front().predictedPercent, chosenPercent(4.01 + 0.2, 2, 100, 0));
  const ProfiledRow row{.region = 0, .recordCost = 8};
  EXPECT_EQ(costOf(row, Choice::Record), 8);
  EXPECT_EQ(costOf(row, Choice::Sums), 4);
  EXPECT_EQ(costOf(row, Choice::LeftOut), 0);
}

TEST(Plan, WhatBreaksTheBudgetSaysWhyItStays) {
  const auto reason = [](std::uint32_t id, bool isPair, double cost = 600) {
    Profile profile = walk();
    profile.kernels.front().blocks = 1;
    add(profile, id, 3000, cost).isPair = isPair;
    return planFor(profile, 2).regions.front().reason;
  };
  EXPECT_EQ(reason(0x21, false), "30.0 % of the time, and can't be summed up: it is not in the kernel's own body");
  EXPECT_EQ(reason(0x21, true),
            "30.0 % of the time, and can't be summed up: its KPERF_BEGIN and KPERF_END are a record each, as where they are in two blocks");
  EXPECT_EQ(reason(0x23, false), "waits and signals are never left out");
  EXPECT_EQ(reason(0x21, false, 200), ""); // the budget
  Profile profile = walk();
  add(profile, 0x21, 3000, 400, true).isPair = true;
  EXPECT_EQ(planFor(profile, 2).regions.front().reason, "10 visits: each as a record costs 4.0 % (if begun and ended in one block)");
}

/// The decision of a kernel whose only region costs so many percent, with a budget of 2.
KernelDecision sampledOf(double percent, double blocks, std::uint64_t launches, format::Target target = format::Target::Cuda) {
  Profile profile = walk();
  profile.target = target;
  profile.kernels.front().blocks = blocks;
  profile.kernels.front().launches = launches;
  add(profile, 0x21, 3000, 100 * percent);
  return planFor(profile, 2).kernels.front();
}

TEST(Plan, EightBlocksOrLaunchesAreEnoughToSample) {
  EXPECT_EQ(sampledOf(8, 32, 1).samplingInterval, 4u);
  EXPECT_EQ(sampledOf(8, 31, 1).samplingInterval, 1u);
  EXPECT_TRUE(sampledOf(8, 31, 1).isOver);
  EXPECT_EQ(sampledOf(8, 31, 32).launchInterval, 4u);
  EXPECT_EQ(sampledOf(8, 31, 32).samplingInterval, 1u);
  EXPECT_DOUBLE_EQ(sampledOf(8, 31, 32).predictedPercent, chosenPercent(8, 2, 32, 0));
  EXPECT_EQ(sampledOf(8, 31, 31).launchInterval, 1u);
  EXPECT_EQ(sampledOf(8, 31, 32, format::Target::Host).launchInterval, 1u); // whose launches are not chosen
  EXPECT_EQ(sampledOf(8, 31, 32, format::Target::Hip).launchInterval, 1u);  // nor are hipcc's
  EXPECT_EQ(sampledOf(8, 1000, 32).launchInterval, 4u);                     // of launches where there are enough
  EXPECT_EQ(sampledOf(8, 1000, 32).samplingInterval, 1u);
  EXPECT_EQ(sampledOf(8, 1000, 31).samplingInterval, 4u);
  Profile profile = walk();
  profile.target = format::Target::Cuda;
  add(profile, 0x21, 3000, 800);
  EXPECT_EQ(planFor(profile, 2).kernels.front().launchInterval, 4u); // of 100 launches
  EXPECT_EQ(planFor(profile, 2, false).kernels.front().samplingInterval, 4u);
  EXPECT_EQ(sampledOf(2.1, 16, 1).samplingInterval, 2u);
  EXPECT_EQ(sampledOf(8.1, 1000, 1).samplingInterval, 8u);
  EXPECT_EQ(sampledOf(2000, 1e6, 1).samplingInterval, 1024u);
  EXPECT_EQ(sampledOf(2048, 1e6, 1).samplingInterval, 1024u);
  EXPECT_EQ(sampledOf(2049, 1e6, 1).samplingInterval, 1u); // 1 in 1024 is the most
  EXPECT_FALSE(sampledOf(8, 1000, 1).isOver);
}

/// In launches of which one block in 8 is recorded, the others without probes.
TEST(Plan, BlocksWithoutProbesAreNotPaidFor) {
  Profile profile = walk();
  add(profile, 0x21, 80, 400).nextShare = 1. / 8; // 4 %, and 12 %, were each block recorded
  add(profile, 0x22, 3000, 1200).nextShare = 1. / 8;
  const Plan plan = planFor(profile, 2);
  EXPECT_EQ(choiceOf(profile, plan, 0x21), Choice::Record);
  EXPECT_EQ(choiceOf(profile, plan, 0x22), Choice::Record);
  EXPECT_DOUBLE_EQ(plan.kernels.front().predictedPercent, 2);
  EXPECT_FALSE(plan.kernels.front().isOver);
  EXPECT_EQ(planFor(profile, 1.9).regions.front().reason, "0.8 % of the time, and to record it costs 0.5 %");
}

/// How many blocks a build is told to record is of all blocks, however wide a launch is; how many launches is not.
TEST(Plan, BlocksAreSampledOutOfAll) {
  Profile profile = walk();
  profile.target = format::Target::Cuda;
  add(profile, 0x21, 3000, 3200).nextShare = 1. / 8; // 32 %: in what is recorded 4
  EXPECT_EQ(planFor(profile, 2).kernels.front().launchInterval, 2u);
  EXPECT_DOUBLE_EQ(planFor(profile, 2).kernels.front().predictedPercent, chosenPercent(4, 2, 100, 0));
  const KernelDecision blocks = planFor(profile, 2, false).kernels.front();
  EXPECT_EQ(blocks.samplingInterval, 16u);
  EXPECT_DOUBLE_EQ(blocks.predictedPercent, 2);
}

/// 1000 warps, 200 cycles each: 20 times the kernel, were each block recorded.
TEST(Plan, LoopsOfBlocksWithoutProbesAreNotPaidForEither) {
  Profile profile = walk();
  profile.kernels.front().unattributed = 10000;
  profile.kernels.front().cyclesOfRecord = 1;
  EXPECT_TRUE(planFor(profile, 2).closer.empty());
  profile.kernels.front().nextShare = 1. / 10;
  EXPECT_EQ(planFor(profile, 2).closer.size(), 1u);
}

TEST(Plan, ABudgetOfNothingIsNotDividedBy) {
  Profile profile = walk();
  add(profile, 0x21, 3000, 100);
  const KernelDecision decision = planFor(profile, 0).kernels.front();
  EXPECT_EQ(decision.samplingInterval, 1u); // no interval makes it nothing
  EXPECT_TRUE(decision.isOver);
}

TEST(Plan, WhereNothingElseHelpsLessThanFivePercentGoes) {
  const auto choice = [](double total) {
    Profile profile = walk();
    profile.kernels.front().blocks = profile.kernels.front().launches = 1;
    add(profile, 0x21, total, 300);
    return choiceOf(profile, planFor(profile, 2), 0x21);
  };
  EXPECT_EQ(choice(499), Choice::LeftOut);
  EXPECT_EQ(choice(500), Choice::Record);
}

TEST(Plan, AShareIsThatOfTheKernelWhereItIsLargest) {
  Profile profile = walk();
  add(profile, 0x21, 50, 300);
  ProfiledKernel second;
  second.name = second.function = "other";
  second.cycles = 100;
  ProfiledRow &row = second.rows.emplace_back();
  row.region = profile.regions->find(0x21);
  row.self = row.total = 60;
  profile.kernels.push_back(std::move(second));
  const Plan plan = planFor(profile, 2);
  EXPECT_EQ(choiceOf(profile, plan, 0x21), Choice::Record);
  EXPECT_EQ(plan.kernels.size(), 2u);
  EXPECT_EQ(plan.kernels[1].kernel, 1u);
}

TEST(Plan, NumbersAreByPlaceAmongThoseOfAName) {
  Profile profile = walk();
  add(profile, 0x21, 3000, 0);
  add(profile, 0x24, 3000, 0);
  add(profile, 0x22, 3000, 0);
  const Plan plan = planFor(profile, 2);
  EXPECT_EQ(plan.of(profile.regions->find(0x24))->number, 0u); // line 10
  EXPECT_EQ(plan.of(profile.regions->find(0x21))->number, 1u); // line 12
  EXPECT_EQ(plan.of(profile.regions->find(0x22))->number, 0u);
}

TEST(Profile, TimeWithoutProbesIsATenthAtLeast) {
  Profile profile = walk();
  ProfiledRow &row = add(profile, 0x21, 3000, 100);
  row.costInTimes = row.costNow = 2000;
  EXPECT_EQ(profile.kernels.front().netCycles(), 8000);
  EXPECT_DOUBLE_EQ(planFor(profile, 2).kernels.front().cost.now, 25);
  EXPECT_DOUBLE_EQ(planFor(profile, 2).kernels.front().predictedPercent, 1.25 + 0.25); // and its loops are timed
  row.costInTimes = row.costNow = 9500;
  EXPECT_EQ(profile.kernels.front().netCycles(), 1000);
  profile.kernels.front().cycles = 5;
  row.costInTimes = row.costNow = 5;
  EXPECT_EQ(profile.kernels.front().netCycles(), 1);
  EXPECT_EQ(percentOf(1, 0), 0);
  EXPECT_EQ(percentOf(1, 4), 25);
}

/// "function depth: reason" of what is looked into.
template <typename Set> std::string closer(Set set) {
  Profile profile = walk();
  set(profile, profile.kernels.front());
  std::string out;
  for (const CloserLook &look : planFor(profile, 50).closer)
    out += look.function + " " + std::to_string(look.depth) + ": " + look.reason + "\n";
  return out;
}

TEST(Plan, LooksIntoWhatIsInNoRegion) {
  EXPECT_EQ(closer([](Profile &, ProfiledKernel &it) { it.unattributed = 2000; }), "walk 1: 20 % of walk is in no region\n");
  EXPECT_EQ(closer([](Profile &, ProfiledKernel &it) { it.unattributed = 1999; }), "");
  EXPECT_EQ(closer([](Profile &, ProfiledKernel &it) { it.unattributed = 2000, it.isCostKnown = false; }), "");
  EXPECT_EQ(closer([](Profile &, ProfiledKernel &it) { it.unattributed = 2000, it.function = ""; }), "");
  EXPECT_EQ(closer([](Profile &, ProfiledKernel &it) { it.unattributed = 2000, it.function = "other"; }),
            "other 2: 20 % of walk is in no region\n"); // loops of which are timed already
  // Two records each time that it is entered: 1000 warps, of 10000 cycles; 2.5 cycles each are the budget.
  EXPECT_NE(closer([](Profile &, ProfiledKernel &it) { it.unattributed = 2000, it.cyclesOfRecord = 2.5; }), "");
  EXPECT_EQ(closer([](Profile &, ProfiledKernel &it) { it.unattributed = 2000, it.cyclesOfRecord = 2.6; }), "");
}

TEST(Plan, LooksIntoRegionsThatHoldNone) {
  const auto load = [](double self, double total, std::uint32_t id = 0x21) {
    return closer([=](Profile &profile, ProfiledKernel &) { add(profile, id, total, 0).self = self; });
  };
  EXPECT_EQ(load(2000, 2000), "walk 1: 20 % of walk is in load, which holds no region\n");
  EXPECT_EQ(load(1999, 1999), "");
  EXPECT_EQ(load(2998, 3000), "walk 1: 30 % of walk is in load, which holds no region\n"); // others in it take a thousandth
  EXPECT_EQ(load(2990, 3000), "");
  EXPECT_EQ(load(3000, 3000, 0x23), ""); // a wait
  EXPECT_EQ(load(3000, 3000, 0x25), "other 2: 30 % of walk is in loop, which holds no region\n");
}

TEST(Plan, LooksIntoEntriesOfManyLengths) {
  const auto lengths = [](double self, std::uint64_t most, std::uint32_t id = 0x21, std::uint64_t least = 100) {
    return closer([=](Profile &profile, ProfiledKernel &) {
      ProfiledRow &row = add(profile, id, 2 * self, 0);
      row.self = self;
      for (int i = 0; i < 20; ++i)
        row.lengths.add(i < 18 ? least : most); // the 95th percentile is the nineteenth
    });
  };
  const std::string found = "walk 1: entries of load differ 4 times and more in length\n";
  EXPECT_EQ(lengths(500, 400), found);
  EXPECT_EQ(lengths(499, 400), "");
  EXPECT_EQ(lengths(500, 399), "");
  EXPECT_EQ(lengths(500, 400, 0x23), "");
  EXPECT_EQ(lengths(500, 4, 0x21, 0), found); // a median of 0 counts as one cycle
  EXPECT_EQ(lengths(500, 3, 0x21, 0), "");
  EXPECT_EQ(closer([](Profile &profile, ProfiledKernel &) {
              ProfiledRow &row = add(profile, 0x21, 1000, 0);
              row.self = 500;
              row.lengths.add(1);
              row.lengths.addSum(30, 30000, std::nullopt); // of which no lengths are known
            }),
            "");
}

TEST(Plan, LooksIntoAFunctionOnce) {
  EXPECT_EQ(closer([](Profile &profile, ProfiledKernel &it) {
              it.unattributed = 2000;
              add(profile, 0x21, 3000, 0);
            }),
            "walk 1: 20 % of walk is in no region\n");
  Profile profile = walk();
  profile.kernels.front().unattributed = 2000;
  EXPECT_DOUBLE_EQ(planFor(profile, 50).kernels.front().predictedPercent, 20); // 2 · 1000 of 10000 are added
}

TEST(PlanTable, HasLengthsOfWhatIsKnown) {
  /// Median and 95th percentile of a region's entries in ns, then in cycles; "-": not known.
  const auto lengths = [](double nsPerCycle, const Quantiles &of) {
    Profile profile = walk();
    profile.kernels.front().nsPerCycle = nsPerCycle;
    add(profile, 0x21, 3000, 10).lengths.add(of);
    const Table table = planTable(profile, planFor(profile, 2));
    std::string out;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i].name == "p50" || table.columns[i].name == "p95") {
        const auto *const number = std::get_if<double>(&table.rows.at(0)[i]);
        out += (out.empty() ? "" : " ") + (number ? std::to_string(std::lround(*number)) : std::string("-"));
      }
    return out;
  };
  Quantiles none, one, two, summed;
  one.add(100);
  two.add(100);
  two.add(300);
  summed.addSum(2, 400, std::nullopt);
  EXPECT_EQ(lengths(2, one), "200 200 100 100");
  EXPECT_EQ(lengths(0.5, two), "50 150 100 300");
  EXPECT_EQ(lengths(0, two), "- - 100 300"); // how long a cycle takes is not known
  EXPECT_EQ(lengths(2, none), "- - - -");
  EXPECT_EQ(lengths(2, summed), "- - - -");
}

} // namespace
} // namespace kperf::decoder
