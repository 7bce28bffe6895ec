// Budgets: how they are read, each relation at its limit, and which rows they are about.
#include "decoder/compare/Budget.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

using Relation = Budget::Relation;

std::string errorOf(const std::string &text) {
  const auto budget = parseBudget(text);
  return budget ? "" : budget.error().expected + " at " + std::to_string(budget.error().column);
}

TEST(Budget, IsReadAsItIsWritten) {
  const auto budget = parseBudget("report.regions.\"a b\".p95_ns <= 1.5e3");
  ASSERT_TRUE(budget);
  EXPECT_EQ(budget->view, "report");
  EXPECT_EQ(budget->table, "regions");
  EXPECT_EQ(budget->row, "a b");
  EXPECT_EQ(budget->column, "p95_ns");
  EXPECT_EQ(budget->relation, Relation::AtMost);
  EXPECT_EQ(budget->limit, 1500);
  const auto tight = parseBudget("regions.load.share_percent<20");
  ASSERT_TRUE(tight);
  EXPECT_EQ(tight->view, "");
  EXPECT_EQ(tight->row, "load");
  EXPECT_EQ(tight->relation, Relation::Less);
  const auto all = parseBudget(" \t regions . count\t!= -2 \t");
  ASSERT_TRUE(all);
  EXPECT_FALSE(all->row);
  EXPECT_EQ(all->table, "regions");
  EXPECT_EQ(all->limit, -2);
  EXPECT_EQ(all->relation, Relation::Different);
  const auto quoted = parseBudget("report.\"load\".count == 1"); // not a view: the quoted one is a row
  ASSERT_TRUE(quoted);
  EXPECT_EQ(quoted->view, "");
  EXPECT_EQ(quoted->table, "report");
  EXPECT_EQ(quoted->row, "load");
  const auto two = parseBudget("info.launches > 1"); // of a table of that name
  ASSERT_TRUE(two);
  EXPECT_EQ(two->view, "");
  EXPECT_EQ(two->table, "info");
}

TEST(Budget, ErrorsSayWhereAndWhatIsExpected) {
  EXPECT_EQ(errorOf(""), "a name: table.\"row\".column at 1");
  EXPECT_EQ(errorOf("  <1"), "a name: table.\"row\".column at 3");
  EXPECT_EQ(errorOf("a..b<1"), "a name: table.\"row\".column at 3");
  EXPECT_EQ(errorOf("a.\"b"), "a closing quote at 3");
  EXPECT_EQ(errorOf("a.\"\".b<1"), "a name: table.\"row\".column at 3");
  EXPECT_EQ(errorOf("a <1"), "table.\"row\".column or table.column before the relation at 3");
  EXPECT_EQ(errorOf("a.b.c.d<1"), "table.\"row\".column or table.column before the relation at 8");
  EXPECT_EQ(errorOf("report.a.b.c.d<1"), "table.\"row\".column or table.column before the relation at 15");
  EXPECT_EQ(errorOf("a.b"), "<, <=, >, >=, == or != at 4");
  EXPECT_EQ(errorOf("a.b = 1"), "<, <=, >, >=, == or != at 5");
  EXPECT_EQ(errorOf("a.b < x"), "a number at 7");
  EXPECT_EQ(errorOf("a.b < 1 x"), "nothing behind the number, which is in its column's unit at 9");
  EXPECT_EQ(errorOf("a.b < 1"), "");
}

TEST(Budget, HoldsAtItsLimitOrNot) {
  const auto holds = [](Relation relation) {
    const Budget budget{.relation = relation, .limit = 10};
    return std::string(budget.holds(9) ? "1" : "0") + (budget.holds(10) ? "1" : "0") + (budget.holds(11) ? "1" : "0");
  };
  EXPECT_EQ(holds(Relation::Less), "100");
  EXPECT_EQ(holds(Relation::AtMost), "110");
  EXPECT_EQ(holds(Relation::More), "001");
  EXPECT_EQ(holds(Relation::AtLeast), "011");
  EXPECT_EQ(holds(Relation::Equal), "010");
  EXPECT_EQ(holds(Relation::Different), "101");
}

TEST(Budget, OfARangeIsDecidedWhereAllOfItSaysTheSame) {
  const auto decided = [](Relation relation, double least, double most) {
    return Budget{.relation = relation, .limit = 10}.isDecidedWithin(least, most);
  };
  EXPECT_TRUE(decided(Relation::Less, 8, 9));
  EXPECT_FALSE(decided(Relation::Less, 9, 10));
  EXPECT_TRUE(decided(Relation::AtMost, 9, 10));
  EXPECT_TRUE(decided(Relation::Less, 10, 11));
  for (const Relation relation : {Relation::Equal, Relation::Different}) {
    EXPECT_TRUE(decided(relation, 8, 9));
    EXPECT_FALSE(decided(relation, 9, 10));
    EXPECT_FALSE(decided(relation, 9, 11));
    EXPECT_FALSE(decided(relation, 10, 11));
    EXPECT_TRUE(decided(relation, 11, 12));
  }
}

const std::string kTwoKernels =
    "kperf 1.0 target=host\nregion 0xa0 kernel \"k\" file=\"k.cu\" line=1\nregion 0xa1 scope \"load\" file=\"k.cu\" line=2 column=7\n"
    "region 0xa2 scope \"store\" file=\"k.cu\" line=3\nregion 0xa3 kernel \"other\"\n"
    "warp 0.0 ns=0..1000 cycles=0..1000 kernel=\"k\"\n  span load 0..500\n  span load 500..700\n  span store 700..900\n"
    "warp 0.0 gridId=2 ns=2000..2100 cycles=2000..2100 kernel=\"other\"\n  span load 2000..2050\n";

/// What becomes of a budget: "value row kernel verdict; …", or the error.
std::string checked(const std::string &text, const std::string &kernel = "", const std::string &traced = kTwoKernels) {
  auto bytes = packText(traced, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  std::vector<Trace> traces;
  traces.push_back(std::move(*trace));
  auto budget = parseBudget(text);
  EXPECT_TRUE(budget);
  budget->kernel = kernel;
  const BudgetResults results = checkBudgets(traces, std::vector<Budget>{*budget});
  EXPECT_EQ(results.table.rows.size(), results.table.findings.size());
  if (!results.failures.empty())
    return results.failures.front().message + ": " + results.failures.front().expected;
  std::string out;
  std::size_t broken = 0;
  for (const Finding &finding : results.table.findings) {
    out += finding.subject + " " + finding.row + (finding.isViolation ? " broken; " : " kept; ");
    broken += finding.isViolation;
  }
  EXPECT_EQ(broken, results.broken);
  return out;
}

TEST(Budget, IsAboutTheRowsThatItNames) {
  EXPECT_EQ(checked("regions.\"store\".count == 1"), "k store kept; ");
  EXPECT_EQ(checked("regions.\"load\".count == 2"), "k load kept; other load broken; ");
  EXPECT_EQ(checked("regions.\"load\".count == 1", "o*"), "other load kept; ");
  EXPECT_EQ(checked("regions.\"*o*\".count > 0", "k"), "k load kept; k store kept; ");
  EXPECT_EQ(checked("regions.\"k\".count > 1"), "k load kept; k store broken; "); // a group's text
  EXPECT_EQ(checked("regions.count > 0", "other"), "other load kept; ");          // what has no count is skipped
  EXPECT_EQ(checked("regions.\"load\".mean > 0").substr(0, 60), "budget regions.\"load\".mean > 0: table regions has 'mean' in ");
}

TEST(Budget, SaysWhatThereIsInstead) {
  EXPECT_EQ(checked("regions.\"laod\".count > 0"),
            "budget regions.\"laod\".count > 0: table regions has no row \"laod\": (unattributed), load, store");
  EXPECT_EQ(checked("regions.\"load\".count > 0", "x"),
            "budget regions.\"load\".count > 0: table regions has no row \"load\" of kernel 'x': k, other");
  EXPECT_EQ(checked("regions.\"laod\".count > 0", "other"),
            "budget regions.\"laod\".count > 0: table regions has no row \"laod\" of kernel 'other': (unattributed), load");
  const std::string column = checked("regions.\"load\".p95ns > 0");
  EXPECT_TRUE(column.starts_with("budget regions.\"load\".p95ns > 0: table regions has no column 'p95ns': ")) << column;
  EXPECT_TRUE(column.contains("p95_ns") && !column.contains("kernel")) << column; // those that are most alike
  EXPECT_EQ(std::count(column.begin(), column.end(), ','), 11);                   // twelve of them
  EXPECT_TRUE(checked("regoins.count > 0").starts_with("budget regoins.count > 0: no table 'regoins': "));
}

TEST(Budget, MeansAKernelByAnyOfItsNames) {
  const std::string whole = "void gpu::rows(const float*, int) [with int N = 4]";
  const std::string traced = "kperf 1.0 target=host\nregion 0xa0 kernel \"rows\"\nregion 0xa1 scope \"load\"\n"
                             "warp 0.0 ns=0..1000 cycles=0..1000 kernel=\"rows\" name=\"" +
                             whole + "\"\n  span load 0..500\n";
  for (const std::string &name : std::vector<std::string>{whole, "gpu::rows", "rows", "rows [int N = 4]", "*rows*"}) {
    EXPECT_EQ(checked("regions.\"load\".count == 1", name, traced), whole + " load kept; ") << name;
    EXPECT_EQ(checked("kernels.\"" + name + "\".warps == 1", "", traced), whole + " " + whole + " kept; ") << name;
  }
  EXPECT_TRUE(checked("regions.\"load\".count == 1", "columns", traced).contains("of kernel 'columns'"));
}

TEST(Budget, WhatOtherTracesLostIsNotZero) {
  const std::string loss = "loss warps-without-buffer count=3\n";
  std::vector<Trace> traces;
  for (const std::string &text : {kTwoKernels, kTwoKernels + loss}) {
    auto bytes = packText(text, "text");
    ASSERT_TRUE(bytes) << bytes.error().text();
    traces.push_back(std::move(*Trace::read(ByteSource::memory(std::move(*bytes)))));
  }
  const BudgetResults results = checkBudgets(traces, std::vector<Budget>{*parseBudget("losses.count == 0")});
  EXPECT_TRUE(results.failures.empty());
  EXPECT_EQ(results.broken, 1u);
  ASSERT_EQ(results.table.rows.size(), 1u);
  EXPECT_EQ(results.table.rows[0][2], Cell(3.0));
}

TEST(Budget, WhatWasNotLostIsZero) {
  EXPECT_EQ(checked("losses.count == 0"), "losses nothing kept; ");
  const std::string dropped = "kperf 1.0 target=host\nregion 0xa0 kernel \"k\"\nregion 0xa1 scope \"a\"\n"
                              "warp 0.0 ns=0..1000 cycles=0..1000 produced=3 capacity=1\n  span a 0..500\n";
  EXPECT_TRUE(checked("losses.count == 0", "", dropped).contains("but records were dropped"));
}

TEST(Budget, NamesUpToTwelveRowsThatThereAre) {
  const auto error = [](int scopes) {
    std::string regions = "kperf 1.0 target=host\nregion 0xa0 kernel \"k\"\n", spans;
    for (int i = 0; i < scopes; ++i) {
      const std::string name = std::string(i < 10 ? "r0" : "r") + std::to_string(i), number = std::to_string(i);
      regions += "region " + std::to_string(0xb0 + i) + " scope \"" + name + "\"\n";
      spans += "  span " + name + " " + number + "0.." + number + "5\n";
    }
    return checked("regions.\"x\".count > 0", "", regions + "warp 0.0 ns=0..1000 cycles=0..1000 kernel=\"k\"\n" + spans);
  };
  const std::string twelve = "budget regions.\"x\".count > 0: table regions has no row \"x\": "
                             "(unattributed), r00, r01, r02, r03, r04, r05, r06, r07, r08, r09, r10";
  EXPECT_EQ(error(11), twelve);
  EXPECT_EQ(error(12), twelve + ", …");
  EXPECT_EQ(error(20), twelve + ", …");
}

} // namespace
} // namespace kperf::decoder
