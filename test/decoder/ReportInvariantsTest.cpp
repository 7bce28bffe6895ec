// What must hold of every report, whatever the trace: times add up, records are all accounted for, printers agree.
#include "PrintedTables.h"
#include "TraceGenerator.h"
#include "decoder/span/Nesting.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/view/OverlapView.h"
#include "decoder/view/ReportView.h"
#include "decoder/view/Views.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace kperf;
using namespace kperf::test;
using decoder::ByteSource;
using decoder::Cell;
using decoder::RegionSet;
using decoder::Table;
using decoder::Trace;
using decoder::Unit;

namespace {

constexpr unsigned kSeeds = 60;

TraceShape shapeOf(unsigned seed) {
  TraceShape shape;
  shape.keepsLast = seed % 2;
  shape.capacity = seed % 3 == 0 ? 8 : seed % 3 == 1 ? 64 : 1024;
  shape.hasUnfinished = seed % 5 == 0;
  shape.hasRanges = seed % 4 != 0;
  shape.hasParts = seed % 7 != 0;
  shape.hasWaits = seed % 4 < 2;
  shape.recordsPerWarp = seed % 6 == 0 ? 2 : 40;
  return shape;
}

Trace generated(unsigned seed, decoder::Status &status) {
  auto trace = Trace::read(ByteSource::memory(TraceGenerator(shapeOf(seed), seed).make()));
  EXPECT_TRUE(trace) << trace.error().text();
  if (!trace)
    status = decoder::failure(trace.error());
  return std::move(*trace);
}

std::size_t columnOf(const Table &table, std::string_view name, Unit unit) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == name && table.columns[i].unit == unit)
      return i;
  ADD_FAILURE() << "no column " << name;
  return 0;
}

double valueOf(const Cell &cell) {
  if (const auto *whole = std::get_if<std::uint64_t>(&cell))
    return static_cast<double>(*whole);
  const auto *real = std::get_if<double>(&cell);
  return real ? *real : 0;
}

/// Checks each warp by itself.
class WarpAccount final : public decoder::WarpSink {
public:
  explicit WarpAccount(const RegionSet &regions) : regions(regions) {}
  void warp(const decoder::WarpSpans &warp) override {
    ++warps;
    EXPECT_EQ(warp.counts.accounted(), warp.counts.produced);
    nesting.build(warp, regions);
    std::uint64_t exclusive = 0;
    for (const std::uint64_t cycles : nesting.exclusive())
      exclusive += cycles;
    EXPECT_EQ(exclusive, nesting.attributed()) << "the tree's times are its top level's";
    EXPECT_EQ(exclusive + nesting.unattributed() + nesting.notRecorded(), warp.cycles());
    for (const decoder::Span &span : warp.spans) {
      EXPECT_LE(span.begin, span.end);
      EXPECT_GE(span.begin, warp.begin);
      EXPECT_LE(span.end, warp.end);
    }
  }
  unsigned warps = 0;

private:
  const RegionSet &regions;
  decoder::Nesting nesting;
};

/// Sums by kernel over the rows of a report.
struct KernelSum {
  double self = 0, share = 0, life = 0;
};

std::map<std::string, KernelSum> sumsOf(const Table &table) {
  std::map<std::string, KernelSum> sums;
  const std::size_t self = columnOf(table, "self", Unit::Cycles), share = columnOf(table, "share", Unit::Percent),
                    life = columnOf(table, "warp-time", Unit::Cycles);
  for (const std::vector<Cell> &row : table.rows) {
    KernelSum &sum = sums[std::get<std::string>(row.front())];
    sum.self += valueOf(row[self]);
    sum.share += valueOf(row[share]);
    sum.life = valueOf(row[life]);
  }
  return sums;
}

} // namespace

TEST(ReportInvariants, EveryWarpsTimeAndRecordsAreAccountedFor) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    decoder::Status status;
    const Trace trace = generated(seed, status);
    RegionSet regions;
    regions.add(trace);
    WarpAccount account(regions);
    ASSERT_TRUE(decoder::SpanDecoder(regions, account).run(trace));
    EXPECT_EQ(account.warps, 24u) << "seed " << seed;
  }
}

TEST(ReportInvariants, SharesAreAllOfTheKernel) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    decoder::Status status;
    const Trace trace = generated(seed, status);
    for (const decoder::By by : {decoder::By::Region, decoder::By::Path}) {
      const auto tables = decoder::reportView(std::span(&trace, 1), {.by = by});
      ASSERT_TRUE(tables) << tables.error().text();
      for (const auto &[kernel, sum] : sumsOf(tables->front())) {
        EXPECT_EQ(sum.self, sum.life) << kernel << " seed " << seed << " by " << name(by);
        EXPECT_NEAR(sum.share, 100, 1e-9) << kernel << " seed " << seed << " by " << name(by);
      }
    }
  }
}

TEST(ReportInvariants, TheCriticalPathIsAllOfTheBlocksAndNoGainIsMoreThanItsShare) {
  unsigned rows = 0, gains = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    decoder::Status status;
    const Trace trace = generated(seed, status);
    const auto tables = decoder::overlapView(std::span(&trace, 1), {});
    ASSERT_TRUE(tables) << tables.error().text();
    for (const Table &table : *tables) {
      if (table.name != "critical-path")
        continue;
      const std::size_t path = columnOf(table, "path", Unit::Cycles), time = columnOf(table, "time", Unit::Cycles),
                        share = columnOf(table, "share", Unit::Percent), gain = columnOf(table, "gain", Unit::Cycles);
      double cycles = 0, percent = 0;
      for (const std::vector<Cell> &row : table.rows) {
        cycles += valueOf(row[time]);
        percent += valueOf(row[share]);
        EXPECT_LE(valueOf(row[gain]), valueOf(row[time])) << "seed " << seed;
        ++rows;
        gains += valueOf(row[gain]) > 0;
      }
      EXPECT_EQ(cycles, valueOf(table.rows.front()[path])) << "seed " << seed;
      EXPECT_NEAR(percent, 100, 1e-9) << "seed " << seed;
    }
  }
  EXPECT_GT(rows, 100u);
  EXPECT_GT(gains, 20u);
}

TEST(ReportInvariants, ASpanIsCountedOnceHoweverTheRowsAreMade) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    TraceShape shape = shapeOf(seed);
    shape.capacity = 1 << 14; // nothing is dropped, so the truth is what the report must say
    shape.hasUnfinished = false;
    TraceGenerator generator(shape, seed);
    const auto trace = Trace::read(ByteSource::memory(generator.make()));
    ASSERT_TRUE(trace);
    for (const decoder::By by : {decoder::By::Region, decoder::By::Path}) {
      const auto tables = decoder::reportView(std::span(&*trace, 1), {.by = by});
      ASSERT_TRUE(tables);
      const Table &table = tables->front();
      const std::size_t count = columnOf(table, "count", Unit::None), kind = columnOf(table, "kind", Unit::None),
                        mean = columnOf(table, "mean", Unit::Cycles);
      double spans = 0, cycles = 0;
      for (const std::vector<Cell> &row : table.rows) {
        const auto *word = std::get_if<std::string>(&row[kind]);
        if (!word || *word == "mark" || *word == "signal")
          continue;
        spans += valueOf(row[count]);
        cycles += valueOf(row[count]) * valueOf(row[mean]);
      }
      EXPECT_EQ(spans, static_cast<double>(generator.truth().spans)) << "seed " << seed << " by " << name(by);
      EXPECT_NEAR(cycles / static_cast<double>(generator.truth().spanCycles), 1, 1e-9) << "seed " << seed;
    }
  }
}

TEST(ReportInvariants, EveryPrinterGivesTheSameNumbers) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    decoder::Status status;
    const Trace trace = generated(seed, status);
    for (const decoder::View &view : decoder::views()) {
      const auto tables = view.run(std::span(&trace, 1), {});
      ASSERT_TRUE(tables) << view.name << ": " << tables.error().text();
      for (const Table &table : *tables)
        expectPrintersAgree(table);
    }
  }
}
