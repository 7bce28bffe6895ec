// What probes cost by the needs and times of two builds, computed by hand.
#include "decoder/compare/Perturb.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

Trace needsOf(const std::string &rows) {
  auto bytes = packText("kperf 1.15 target=cuda\ndevice 0 name=\"GPU\"\n" + rows, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  return std::move(*trace);
}

const std::string kRows = " threads=128 static=8 resident=4 registers=";
/// Ten launches of k of 1000 ns and 30 of m of 100: 13000 in all.
const std::string kClean =
    "needs \"k\"" + kRows + "32 launches=10 total=20000 median=1000\nneeds \"m\"" + kRows + "20 launches=30 total=3000 median=100\n";

struct Result {
  explicit Result(const std::vector<std::string> &builds, PerturbOptions options = {}, const std::string &clean = kClean) {
    const Trace first = needsOf(clean);
    std::vector<Trace> traces;
    for (const std::string &build : builds)
      traces.push_back(needsOf(build));
    auto out = perturbation(first, traces, options);
    error = out ? "" : out.error().message;
    if (out)
      all = std::move(*out);
  }
  std::string verdict() const { return all.table.notes.empty() ? error : all.table.notes.back(); }
  Perturbation all{.table = {}};
  std::string error;
};

/// k takes 1100 and m 120 ns: 14600 for 13000 is 12.3 % more.
const std::string kBuilt =
    "needs \"k\"" + kRows + "40 launches=20 total=50000 median=1100\nneeds \"m\"" + kRows + "20 launches=30 total=3900 median=120\n";

TEST(Perturb, SumsWhatTheCleanLaunchesWouldTake) {
  const Result result({kBuilt});
  ASSERT_EQ(result.all.table.rows.size(), 2u);
  EXPECT_NEAR(*result.all.lastOverheadPercent, 100 * (14600 / 13000.0 - 1), 1e-9);
  EXPECT_TRUE(result.verdict().ends_with(" costs 12.3 % of the kernels' time")) << result.verdict();
  const auto &row = result.all.table.rows[0];
  EXPECT_EQ(std::get<std::string>(row[0]), "k");
  EXPECT_EQ(std::get<std::string>(row[2]), "32 → 40");
  EXPECT_EQ(std::get<std::string>(row[5]), "4");
  EXPECT_EQ(std::get<double>(row[6]), 1000);
  EXPECT_EQ(std::get<double>(row[7]), 1100);
  EXPECT_NEAR(std::get<double>(row[8]), 10, 1e-9);
  EXPECT_EQ(std::get<std::uint64_t>(row[9]), 10u);
  EXPECT_NEAR(*Result({kBuilt}, {.kernel = "m"}).all.lastOverheadPercent, 20, 1e-9);
  EXPECT_EQ(Result({kBuilt}, {.kernel = "x"}).error, "no kernel's name matches");
}

TEST(Perturb, SaysWhatWasNotTimedAndWhatIsNeededMore) {
  const Result untimed({"needs \"k\"" + kRows + "40 launches=20 total=50000 median=1100\nneeds \"m\"" + kRows + "20 local=16\n"});
  EXPECT_TRUE(untimed.verdict().ends_with(" costs 10.0 % of the time of 1 of 2 kernels, a kernel has more local memory"))
      << untimed.verdict();
  const Result fewer(
      {"needs \"k\" threads=128 static=8 resident=3 local=4 registers=40\nneeds \"m\" threads=128 static=8 resident=3 local=4 "
       "registers=40\n"});
  EXPECT_TRUE(fewer.verdict().ends_with(
      " nothing is known of time: run both with KPERF_LAUNCH_TIMES=1, 2 kernels have more local memory, 2 kernels "
      "have fewer resident blocks"))
      << fewer.verdict();
  const Result other(
      {"needs \"k\" threads=256 static=8 resident=4 registers=40\nneeds \"m\"" + kRows + "20 launches=3 total=300 median=100\n"});
  EXPECT_EQ(other.all.table.rows.size(), 1u); // k ran in other blocks
  EXPECT_TRUE(other.all.table.notes.front().starts_with("1 row is missing"));
  EXPECT_EQ(Result({""}).error, "the trace says nothing of what kernels need");
}

TEST(Perturb, BudgetsAreKeptByTheFirstThatDoes) {
  const std::string less =
      "needs \"k\"" + kRows + "40 launches=20 total=50000 median=1010\nneeds \"m\"" + kRows + "20 launches=30 total=3900 median=100\n";
  const auto with = [&](double budget) { return Result({kBuilt, less}, {.budgetPercent = budget}); };
  EXPECT_FALSE(with(12.4).all.isOver); // 12.3
  EXPECT_FALSE(with(0.8).all.isOver);  // 100 of 13000
  EXPECT_TRUE(with(0.7).all.isOver);
  EXPECT_TRUE(with(0.8).verdict().ends_with(" keeps the budget of 0.8 %"));
  EXPECT_TRUE(
      with(0.7).verdict().contains(": none keeps the budget of 0.7 %; --aggregate=* keeps sums only, --sample=2 records one block in 2"))
      << with(0.7).verdict();
  EXPECT_TRUE(with(0.1).verdict().contains("--sample=8 records one block in 8")); // 7.7 times
}

TEST(Perturb, BlocksAreAPowerOfTwoThatKeepsTheBudget) {
  EXPECT_EQ(blocksForBudget(1, 2), 2u);
  EXPECT_EQ(blocksForBudget(4, 2), 2u);
  EXPECT_EQ(blocksForBudget(4.1, 2), 4u);
  EXPECT_EQ(blocksForBudget(8, 2), 4u);
  EXPECT_EQ(blocksForBudget(100, 1), 128u);
  EXPECT_EQ(blocksForBudget(1, 0), 128u); // a budget of a hundredth at least
  EXPECT_EQ(blocksForBudget(1e9, 1), 1024u);
}

} // namespace
} // namespace kperf::decoder
