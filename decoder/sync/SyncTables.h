// Makes the tables of who waited for whom: waits, asynchronous work, the critical path, and one block's path step by step.
#ifndef KPERF_DECODER_SYNC_TABLES_H
#define KPERF_DECODER_SYNC_TABLES_H

#include "decoder/span/ClockFit.h"
#include "decoder/span/RegionSet.h"
#include "decoder/sync/SyncTotals.h"
#include "decoder/table/Table.h"

#include <string>
#include <vector>

namespace kperf::decoder {

/// One block's path: a copy, for the block is gone when tables are made.
struct ListedPath {
  struct Row {
    PathStep step;
    std::uint64_t begin, end; ///< from the block's begin
    std::uint32_t warp;
    std::string by; ///< who let the warp go on; "" for nobody
  };
  std::uint32_t kernel; ///< as the caller numbers them
  std::uint64_t gridId, block, cycles;
  std::vector<Row> rows;
  std::uint64_t leftOut = 0; ///< rows
};

/// The path of the block that `totals` looked at last.
ListedPath listPath(const SyncTotals &totals, const SyncBlock &block, const RegionSet &regions);

class SyncTables {
public:
  explicit SyncTables(const RegionSet &regions) : regions(regions) {}

  void add(const std::string &kernel, const KernelSync &sync, const ClockRate &rate);
  void add(const std::string &kernel, const ListedPath &path, const ClockRate &rate);
  /// Those that have rows.
  std::vector<Table> build();

private:
  void addWaits(const std::string &kernel, const KernelSync &sync);
  void addSteps(const std::string &kernel, const KernelSync &sync);
  void addFlights(const std::string &kernel, const KernelSync &sync);
  void note(const std::string &kernel, const KernelSync &sync);
  Cell ns(double cycles) const { return rate.isKnown() ? Cell(cycles * rate.nsPerCycle) : Cell(); }
  Cell ns(std::uint64_t cycles) const { return ns(static_cast<double>(cycles)); }

  const RegionSet &regions;
  ClockRate rate;
  bool hasLaterSteps = false, hasCommits = false, hasBounds = false;
  Table waits{.name = "waits",
              .columns = {{"kernel", Unit::None, Column::Role::Group},
                          {"wait", Unit::None, Column::Role::Label},
                          {"source", Unit::None, Column::Role::Value, 75},
                          {"count", Unit::None, Column::Role::Value, 80},
                          {"waited", Unit::None, Column::Role::Value, 85},
                          {"other-blocks", Unit::None, Column::Role::Value, 9},
                          {"not-known", Unit::None, Column::Role::Value, 9},
                          summed({"time", Unit::Nanoseconds, Column::Role::Value, 99}),
                          {"mean", Unit::Nanoseconds, Column::Role::Value, 90},
                          {"max", Unit::Nanoseconds, Column::Role::Value, 60},
                          {"latency", Unit::Nanoseconds, Column::Role::Value, 30},
                          {"released-by", Unit::None, Column::Role::Value, 98},
                          {"of-waited", Unit::Percent, Column::Role::Value, 70},
                          {"why-not-known", Unit::None, Column::Role::Value, 8},
                          summed({"time", Unit::Cycles, Column::Role::Value, 20}),
                          {"mean", Unit::Cycles, Column::Role::Value, 20}},
              .title = "who was waited for"};
  Table steps{.name = "critical-path",
              .columns = {{"kernel", Unit::None, Column::Role::Group},
                          {"blocks", Unit::None, Column::Role::Group},
                          {"path", Unit::Cycles, Column::Role::Group},
                          {"covered", Unit::Percent, Column::Role::Group},
                          {"segment", Unit::None, Column::Role::Label},
                          {"kind", Unit::None, Column::Role::Value, 50},
                          {"time", Unit::Nanoseconds, Column::Role::Value, 90},
                          {"share", Unit::Percent, Column::Role::Value, 99},
                          {"gain", Unit::Nanoseconds, Column::Role::Value, 40},
                          {"gain", Unit::Percent, Column::Role::Value, 98},
                          {"in-blocks", Unit::None, Column::Role::Value, 20},
                          {"source", Unit::None, Column::Role::Value, 70},
                          {"time", Unit::Cycles, Column::Role::Value, 20},
                          {"gain", Unit::Cycles, Column::Role::Value, 20}},
              .title = "the critical path"};
  Table flights{.name = "in-flight",
                .columns = {{"kernel", Unit::None, Column::Role::Group},
                            {"work", Unit::None, Column::Role::Label},
                            {"source", Unit::None, Column::Role::Value, 50},
                            {"from", Unit::None, Column::Role::Value, 96},
                            {"count", Unit::None, Column::Role::Value, 80},
                            {"mean", Unit::Nanoseconds, Column::Role::Value, 95},
                            {"p50", Unit::Nanoseconds, Column::Role::Value, 60},
                            {"p95", Unit::Nanoseconds, Column::Role::Value, 70},
                            summed({"exposed", Unit::Nanoseconds, Column::Role::Value, 97}),
                            {"hidden", Unit::Percent, Column::Role::Value, 98},
                            {"upper-bounds", Unit::None, Column::Role::Value, 90},
                            summed({"total", Unit::Cycles, Column::Role::Value, 20}),
                            {"mean", Unit::Cycles, Column::Role::Value, 20},
                            summed({"exposed", Unit::Cycles, Column::Role::Value, 20})},
                .title = "asynchronous work, to observed completion"};
  Table path{.name = "path",
             .columns = {{"kernel", Unit::None, Column::Role::Group},
                         {"grid-id", Unit::None, Column::Role::Group},
                         {"block", Unit::None, Column::Role::Group},
                         {"path", Unit::Cycles, Column::Role::Group},
                         {"segment", Unit::None, Column::Role::Label},
                         {"kind", Unit::None, Column::Role::Value, 50},
                         {"warp", Unit::None, Column::Role::Value, 90},
                         {"from", Unit::Nanoseconds, Column::Role::Value, 60},
                         {"time", Unit::Nanoseconds, Column::Role::Value, 95},
                         {"from", Unit::Cycles, Column::Role::Value, 20},
                         {"time", Unit::Cycles, Column::Role::Value, 20},
                         {"released-by", Unit::None, Column::Role::Value, 92}},
             .title = "one block's critical path, step by step"};
};

} // namespace kperf::decoder

#endif
