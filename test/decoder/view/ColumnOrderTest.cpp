// In which order the columns of each table go where room is short: those that tell least first, and those of one priority from the left.
#include "decoder/text/Pack.h"
#include "decoder/view/View.h"
#include "decoder/view/Views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// A trace with regions, waits, accesses and launches.
const char *const kTrace = R"x(kperf 1.15 target=cuda
device 0 name="GPU" architecture="sm_90" multiprocessors=4 lanes=32 tick=1 khz=500000
region 0x20 kernel "walk" function="walk" file="k.cu" line=1
region 0x21 scope "load" function="walk" file="k.cu" line=2
region 0x22 scope "multiply" function="walk" file="k.cu" line=3
region 0x23 wait "sync" function="walk" file="k.cu" line=4 operation=barrier object=block-barrier
launch "walk()" grid=1x1x1 block=64x1x1
site 0xb1 load "in[4 * i]" region=load function="walk" file="k.cu" line=5 column=3 width=9 bytes=4
site 0xb2 load "tile[i][j]" function="walk" file="k.cu" line=7 column=3 width=10 bytes=4
warps
warp 0.0 kernel="walk" ns=10000..12000 cycles=5000..6000 block=64x1x1
  span "load" 5000..5400
  span "sync" 5400..5410
  span "multiply" 5410..5900
warp 0.1 kernel="walk" ns=10000..12000 cycles=5000..6000 block=64x1x1
  span "load" 5000..5200
  span "sync" 5200..5412
  span "multiply" 5300..5700
counters 0xb1 accesses=8 lanes=256 bytes=1024 distinct-bytes=1024 sectors=128 min-sectors=32 lines=32 min-lines=8 strided=8 stride-bytes=128
counters 0xb2 shared-accesses=2 shared-lanes=64 shared-bytes=256 wavefronts=8 min-wavefronts=2 shared-strided=2 shared-stride-bytes=32
)x";

/// The keys of what people may be shown, the first to go first; "+" goes with the one before it, "!" is never cut.
std::string orderOf(const Table &table) {
  std::vector<const Column *> columns;
  for (const Column &column : table.columns)
    if (column.role == Column::Role::Value && column.priority > 0)
      columns.push_back(&column);
  std::ranges::stable_sort(columns, {}, [](const Column *column) { return column->priority; });
  std::string out = table.name + ":";
  for (const Column *column : columns)
    out += " " + keyOf(*column) + (column->isWithPrevious ? "+" : "") + (column->isWhole ? "!" : "");
  return out + "\n";
}

std::string ordersOf(const std::string &name) {
  auto bytes = packText(kTrace, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  std::vector<Trace> traces;
  traces.push_back(std::move(*trace));
  std::string out;
  for (const View &view : views())
    if (view.name == name) {
      const auto tables = view.run(traces, {});
      EXPECT_TRUE(tables) << tables.error().text();
      for (const Table &table : *tables)
        out += orderOf(table);
    }
  return out;
}

TEST(ColumnOrder, OfReport) {
  EXPECT_EQ(
      ordersOf("report"),
      R"(regions: kind overlapping unmatched net-error_cycles net-self_cycles self_cycles net-total_cycles total_cycles min_cycles p95_cycles p99_cycles max_cycles p50_cycles net-mean_cycles mean_cycles total_percent net-self_ns net-total_ns sm-imbalance warp-imbalance p95-error_percent mean-error_percent count-error_percent p95_ns source max_ns p99-error_percent p99_ns p50-error_percent p50_ns net-mean_ns inside mean_ns total-error_percent total_ns self_ns count share_percent
)");
}

TEST(ColumnOrder, OfOverlap) {
  EXPECT_EQ(
      ordersOf("overlap"),
      R"(overlap: kind running_cycles overlapped_cycles exposed_cycles share_percent most-with overlapped_ns running_ns overlapped_percent exposed_ns
overlap-pairs: together_cycles together_ns share_percent with
waits: why-not-known other-blocks not-known time_cycles mean_cycles latency_ns max_ns of-waited_percent source count waited mean_ns released-by time_ns
critical-path: in-blocks time_cycles gain_cycles gain_ns kind source time_ns gain_percent share_percent
)");
}

TEST(ColumnOrder, OfMemory) {
  EXPECT_EQ(
      ordersOf("memory"),
      R"(global-memory: min-lines distinct-bytes_bytes same-address misaligned region lines bytes-per-line bytes_bytes traffic_bytes source kind lanes min-sectors accesses shape sectors efficiency_percent share_percent
shared-memory: same-address region bytes_bytes source kind stride_bytes lanes min-wavefronts accesses wavefronts conflict-ways share_percent
findings: source function kind access cause fix effect
)");
}

TEST(ColumnOrder, OfAnnotate) {
  EXPECT_EQ(ordersOf("annotate"),
            R"(lines: region wavefronts traffic_bytes count self_ns conflict-ways efficiency_percent traffic_percent share_percent
)");
}

TEST(ColumnOrder, OfDistribution) {
  EXPECT_EQ(ordersOf("distribution"), R"(distribution: from_cycles below_cycles up-to-here_percent from_ns below_ns count share_percent
)");
}

} // namespace
} // namespace kperf::decoder
