// How numbers are written, and which columns of a table have room: each threshold from both sides.
#include "decoder/print/TextLayout.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

TEST(NumberFormat, ScalesBeginWhereTheyAreSaidTo) {
  EXPECT_EQ(formatted(9999, Unit::Nanoseconds, true), "9999 ns");
  EXPECT_EQ(formatted(10000, Unit::Nanoseconds, true), "10.00 µs");
  EXPECT_EQ(formatted(99990, Unit::Nanoseconds, true), "99.99 µs");
  EXPECT_EQ(formatted(100000, Unit::Nanoseconds, true), "100.0 µs");
  EXPECT_EQ(formatted(1e7, Unit::Nanoseconds, true), "10.00 ms");
  EXPECT_EQ(formatted(1e10, Unit::Nanoseconds, true), "10.00 s");
  EXPECT_EQ(formatted(1e14, Unit::Nanoseconds, true), "100000.0 s");
  EXPECT_EQ(formatted(999999, Unit::Cycles, true), "999999 cycles"); // cycles are read one by one for longer
  EXPECT_EQ(formatted(1e6, Unit::Cycles, true), "1000.0 kcycles");
  EXPECT_EQ(formatted(1e9, Unit::Cycles, true), "1000.0 Mcycles");
  EXPECT_EQ(formatted(207882100, Unit::Cycles, true), "207.9 Mcycles");
  EXPECT_EQ(formatted(1e12, Unit::Cycles, true), "1000.0 Gcycles");
  EXPECT_EQ(formatted(9999, Unit::Bytes, true), "9999 B");
  EXPECT_EQ(formatted(10240, Unit::Bytes, true), "10.00 KiB");
  EXPECT_EQ(formatted(10485760, Unit::Bytes, true), "10.00 MiB");
  EXPECT_EQ(formatted(10737418240, Unit::Bytes, true), "10.00 GiB");
  EXPECT_EQ(formatted(9999, Unit::Kilohertz, true), "9999 kHz");
  EXPECT_EQ(formatted(1500000, Unit::Kilohertz, true), "1500.0 MHz");
  EXPECT_EQ(formatted(1.5e7, Unit::Kilohertz, true), "15.00 GHz");
  EXPECT_EQ(formatted(123456, Unit::None, true), "123456");
}

TEST(NumberFormat, DecimalsFollowTheSize) {
  EXPECT_EQ(formatted(9.5, Unit::None, false), "9.500");
  EXPECT_EQ(formatted(10, Unit::None, false), "10.00");
  EXPECT_EQ(formatted(99.5, Unit::None, false), "99.50");
  EXPECT_EQ(formatted(100, Unit::None, false), "100.0");
  EXPECT_EQ(formatted(1.25, Unit::Percent, false), "1.2 %");
  EXPECT_EQ(formatted(33.3, Unit::Percent, true), "33 %");
  EXPECT_EQ(formatted(2.5, Unit::Ratio, false), "2.50");
  EXPECT_EQ(formatted(0.05, Unit::Percent, false), "0.05 %"); // what would be 0 has more of them
  EXPECT_EQ(formatted(0.1, Unit::Percent, false), "0.1 %");
  EXPECT_EQ(formatted(0.000001, Unit::Percent, false), "0.000001 %");
  EXPECT_EQ(formatted(0.0000001, Unit::Percent, false), "0.000000 %"); // six at most
  EXPECT_EQ(formatted(-0.05, Unit::Percent, false), "-0.05 %");
  EXPECT_EQ(formatted(0, Unit::Percent, false), "0.0 %");
}

std::string columnsOfLayout(const Table &table, std::size_t columns) {
  const TextLayout layout(table, columns);
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (layout.isShown(i))
      out += table.columns[i].name + ":" + std::to_string(layout.width(i)) + (layout.isWrapped(i) ? "w " : " ");
  return out + "+" + std::to_string(layout.leftOut());
}

/// A label of 4 and three numbers of 3 columns each: with gaps of 2 it takes 19.
Table numbers() {
  Table out;
  out.columns = {{"name", Unit::None, Role::Label},
                 {"one", Unit::None, Role::Value, 60},
                 {"two", Unit::None, Role::Value, 40},
                 {"six", Unit::None, Role::Value, 50}};
  out.rows = {{std::string("a"), std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{6}}};
  return out;
}

TEST(TextLayout, LeavesOutWhatIsLeastImportantFirst) {
  EXPECT_EQ(columnsOfLayout(numbers(), 19), "name:4 one:3 two:3 six:3 +0");
  EXPECT_EQ(columnsOfLayout(numbers(), 18), "name:4 one:3 six:3 +1");
  EXPECT_EQ(columnsOfLayout(numbers(), 14), "name:4 one:3 six:3 +1");
  EXPECT_EQ(columnsOfLayout(numbers(), 13), "name:4 one:3 +2");
  EXPECT_EQ(columnsOfLayout(numbers(), 8), "name:4 +3");
  EXPECT_EQ(columnsOfLayout(numbers(), 1), "name:4 +3"); // labels stay
  Table equal = numbers();
  equal.columns[3].priority = 40; // of equals the first
  EXPECT_EQ(columnsOfLayout(equal, 18), "name:4 one:3 six:3 +1");
  Table together = numbers();
  together.columns[3].isWithPrevious = true;
  EXPECT_EQ(columnsOfLayout(together, 18), "name:4 one:3 +2");
  together.columns[2].priority = 70;
  EXPECT_EQ(columnsOfLayout(together, 18), "name:4 two:3 six:3 +1"); // alone it does not go
  Table hidden = numbers();
  hidden.columns[1].priority = 0;
  EXPECT_EQ(columnsOfLayout(hidden, 80), "name:4 two:3 six:3 +0");
}

TEST(TextLayout, WidthsAreThoseOfNamesUnitsAndCells) {
  Table table = numbers();
  table.rows.push_back({std::string("abcdefgh"), std::uint64_t{12345}, std::monostate(), 1.5});
  table.columns[2].unit = Unit::Cycles;
  EXPECT_EQ(columnsOfLayout(table, 80), "name:8 one:5 two:6 six:5 +0"); // "cycles", "1.500"
  const TextLayout layout(table, 80);
  EXPECT_EQ(layout.cell(0, 3), "6"); // which is whole
  EXPECT_EQ(layout.cell(1, 3), "1.500");
  EXPECT_EQ(layout.cell(1, 1), "12345");
  EXPECT_EQ(layout.cell(1, 2), "");
  EXPECT_EQ(layout.unit(2), "cycles");
  EXPECT_TRUE(layout.isText(0));
  EXPECT_FALSE(layout.isText(1));
  table.rows[0][2] = std::monostate(); // nothing to say
  EXPECT_EQ(columnsOfLayout(table, 80), "name:8 one:5 six:5 +0");
}

/// Columns of times, one row of them.
Table timesOf(std::vector<std::pair<Column, double>> columns) {
  Table out;
  out.rows.emplace_back();
  for (const auto &[column, value] : columns) {
    out.columns.push_back(column);
    out.rows.front().emplace_back(value);
  }
  return out;
}

std::string cellsOf(const Table &table) {
  const TextLayout layout(table, 200);
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (layout.isShown(i))
      out += (out.empty() ? "" : ", ") + layout.cell(0, i) + " " + layout.unit(i);
  return out;
}

TEST(TextLayout, TimesOfARowHaveOneUnitSumsHaveOneOfTheirOwn) {
  const auto time = [](const char *name, Unit unit = Unit::Nanoseconds) { return Column{name, unit, Role::Value, 50}; };
  const auto row = [&](double total, double mean, double p50, double max) {
    return timesOf({{summed(time("total")), total}, {time("mean"), mean}, {time("p50"), p50}, {time("max"), max}});
  };
  EXPECT_EQ(cellsOf(row(2e9, 9999, 12, 999999)), "2000.0 ms, 9999.0 ns, 12.00 ns, 999999.0 ns"); // by the least of mean, p50 and max,
  EXPECT_EQ(cellsOf(row(2e9, 9999, 12, 1e6)), "2000.0 ms, 9.999 µs, 0.012 µs, 1000.0 µs");       // as long as no number takes seven digits
  EXPECT_EQ(cellsOf(row(9999, 1e4, 2e4, 9e9)), "9999.0 ns, 0.010 ms, 0.020 ms, 9000.0 ms");
  EXPECT_EQ(cellsOf(row(9999, 1e4, 0, 2e4)), "9999.0 ns, 10.00 µs, 0.000 µs, 20.00 µs"); // which 0 does not choose
  Table hidden = row(2e9, 2e4, 12, 2e4);
  hidden.columns[2].priority = 0; // nor what nobody sees
  EXPECT_EQ(cellsOf(hidden), "2000.0 ms, 20.00 µs, 20.00 µs");
  EXPECT_EQ(cellsOf(timesOf({{time("a", Unit::Cycles), 999999}, {time("b", Unit::Cycles), 5}, {time("c"), 1e4}})),
            "999999.0 cycles, 5.000 cycles, 10.00 µs");
  EXPECT_EQ(cellsOf(timesOf({{time("a", Unit::Cycles), 1e6}, {time("b", Unit::Cycles), 5000}})), "1000.0 kcycles, 5.000 kcycles");
  EXPECT_EQ(cellsOf(timesOf({{summed(time("a", Unit::Bytes)), 3e6}, {time("b", Unit::Bytes), 128}})), "2929.7 KiB, 128.0 B");
  EXPECT_EQ(cellsOf(timesOf({{time("a", Unit::Percent), 3e6}, {time("b"), 5}, {time("c", Unit::Ratio), 3e6}})),
            "3000000.0 %, 5.000 ns, 3000000.00 ");
}

TEST(TextLayout, DepthIndentsLabels) {
  Table table = numbers();
  table.columns[1].role = Role::Depth;
  table.rows[0][1] = std::uint64_t{3};
  EXPECT_EQ(TextLayout(table, 80).cell(0, 0), "      a");
  table.rows[0][1] = std::uint64_t{21}; // by twenty levels at most
  EXPECT_EQ(TextLayout(table, 80).cell(0, 0), std::string(40, ' ') + "a");
  table.rows[0][1] = std::uint64_t{20};
  EXPECT_EQ(TextLayout(table, 80).cell(0, 0), std::string(40, ' ') + "a");
}

/// One label of 40 characters and a number.
Table wide(const std::string &label = std::string(40, 'x')) {
  Table out;
  out.columns = {{"name", Unit::None, Role::Label}, {"one", Unit::None, Role::Value, 60}};
  out.rows = {{label, std::uint64_t{1}}};
  return out;
}

TEST(TextLayout, CutsTextsToThirtyAndThenToFourteen) {
  EXPECT_EQ(columnsOfLayout(wide(), 45), "name:40 one:3 +0");
  EXPECT_EQ(columnsOfLayout(wide(), 44), "name:39 one:3 +0");
  EXPECT_EQ(columnsOfLayout(wide(), 35), "name:30 one:3 +0");
  EXPECT_EQ(columnsOfLayout(wide(), 34), "name:30 +1"); // then columns go
  EXPECT_EQ(columnsOfLayout(wide(), 29), "name:29 +1");
  EXPECT_EQ(columnsOfLayout(wide(), 5), "name:14 +1");
  Table whole = wide();
  whole.columns[0].isWhole = true;
  EXPECT_EQ(columnsOfLayout(whole, 35), "name:40 one:3 +0"); // goes on behind the edge
  EXPECT_EQ(columnsOfLayout(whole, 34), "name:40 +1");
}

TEST(TextLayout, LabelsThatWouldLookAlikeAreNotCut) {
  Table table = wide(std::string(20, 'x') + "1" + std::string(20, 'x'));
  table.rows.push_back({std::string(20, 'x') + "2" + std::string(20, 'x'), std::uint64_t{2}});
  EXPECT_EQ(columnsOfLayout(table, 20), "name:20w +1"); // on a line of its own
  EXPECT_EQ(columnsOfLayout(table, 60), "name:41 one:3 +0");
  Table second = table;
  second.columns.insert(second.columns.begin(), {"a", Unit::None, Role::Label});
  for (auto &row : second.rows)
    row.insert(row.begin(), std::string("b"));
  EXPECT_EQ(columnsOfLayout(second, 20), "a:1 name:41 +1"); // another keeps its width
  Table groups = table;
  groups.columns.push_back({"group", Unit::None, Role::Group});
  groups.rows[0].push_back(std::string("g"));
  groups.rows[1].push_back(std::string("h")); // told apart by their group
  EXPECT_EQ(columnsOfLayout(groups, 20), "name:20 +1");
  groups.rows[1].back() = std::string("g");
  EXPECT_EQ(columnsOfLayout(groups, 20), "name:20w +1");
}

TEST(TextLayout, WhatTellsRowsOfOneLabelApartStays) {
  Table table;
  table.columns = {{"name", Unit::None, Role::Label}, {"kind", Unit::None, Role::Value, 1}, {"one", Unit::None, Role::Value, 60}};
  table.rows = {{std::string("aaaaaaaaaa"), std::string("load"), std::uint64_t{1}},
                {std::string("aaaaaaaaaa"), std::string("store"), std::uint64_t{2}}};
  EXPECT_EQ(columnsOfLayout(table, 17), "name:10 kind:5 +1");
  table.rows[1][0] = std::string("bbbbbbbbbb"); // labels do
  EXPECT_EQ(columnsOfLayout(table, 17), "name:10 one:3 +1");
  table.rows[1][0] = std::string("aaaaaaaaaa");
  table.rows[0][1] = std::string(31, 'k'); // too long for that
  EXPECT_EQ(columnsOfLayout(table, 17), "name:10 one:3 +1");
  table.rows[0][1] = std::string(30, 'k');
  EXPECT_EQ(columnsOfLayout(table, 17), "name:10 kind:30 +1");
}

TEST(TextLayout, RowsInOneRowAreToldApartRowsInOthersAre) {
  Table table;
  table.columns = {{"depth", Unit::None, Role::Depth},
                   {"name", Unit::None, Role::Label},
                   {"kind", Unit::None, Role::Value, 1},
                   {"one", Unit::None, Role::Value, 60}};
  const auto row = [](std::uint64_t depth, const char *name, const char *kind) {
    return std::vector<Cell>{depth, std::string(name), std::string(kind), std::uint64_t{1}};
  };
  table.rows = {row(0, "f", "k"), row(1, "aaaaaaaa", "load"), row(0, "g", "k"), row(1, "aaaaaaaa", "store")};
  EXPECT_EQ(columnsOfLayout(table, 17), "name:10 one:3 +1");
  table.rows = {row(0, "f", "k"), row(1, "aaaaaaaa", "load"), row(2, "b", "k"), row(1, "aaaaaaaa", "store")};
  EXPECT_EQ(columnsOfLayout(table, 17), "name:10 kind:5 +1");
}

Table rowsAt(const std::string &folder) {
  Table table{"t", {{"region", Unit::None, Role::Label}, {"count"}, {"source", Unit::None, Role::Value, 10}}, {}, {}};
  for (const char *place : {"attention.cu:11", "attention.cu:13"})
    table.rows.push_back({std::string("__syncthreads"), std::uint64_t{1}, folder + place});
  return table;
}

TEST(TextLayout, PlacesThatTellRowsApartAreCutFromTheLeft) {
  const Table table = rowsAt("src/kernels/attention/implementation/cuda/");
  EXPECT_EQ(TextLayout(table, 80).cell(1, 2), "src/kernels/attention/implementation/cuda/attention.cu:13");
  EXPECT_EQ(TextLayout(table, 60).cell(1, 2), "…/implementation/cuda/attention.cu:13");
  EXPECT_EQ(TextLayout(table, 44).cell(1, 2), "…/cuda/attention.cu:13");
  EXPECT_EQ(columnsOfLayout(table, 44), "region:13 count:5 source:22 +0");
}

TEST(TextLayout, LabelsAreShortenedLast) {
  Table table{"t", {{"budget", Unit::None, Role::Label}, {"count"}, {"row", Unit::None, Role::Value, 90}}, {}, {}};
  table.rows.push_back({std::string(36, 'a'), std::uint64_t{1}, std::string(70, 'b')});
  EXPECT_EQ(columnsOfLayout(table, 90), "budget:36 count:5 row:45 +0");
  EXPECT_EQ(columnsOfLayout(table, 70), "budget:31 count:5 row:30 +0"); // by what the others, cut to 30, leave too little
}

TEST(TextLayout, PlacesThatWouldBeTheSameAreNotCut) {
  Table table = rowsAt("src/kernels/attention/implementation/cuda/");
  table.rows[0][2] = std::string("src/kernels/elementwise/implementation/cuda/attention.cu:13");
  EXPECT_EQ(TextLayout(table, 60).cell(1, 2), "src/kernels/attention/implementation/cuda/attention.cu:13");
}

} // namespace
} // namespace kperf::decoder
