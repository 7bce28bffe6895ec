// Says in the report's table where the truth lies, of numbers that are not those of all blocks or of all records.
#ifndef KPERF_DECODER_REPORT_BOUNDS_H
#define KPERF_DECODER_REPORT_BOUNDS_H

#include "decoder/table/Table.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/trace/VendorTerms.h"

#include <string>

namespace kperf::decoder {

/// Of one kernel, whose sums are estimates for all blocks by now.
class ReportBounds {
public:
  /// All live longer than this.
  ReportBounds(const KernelTotals &kernel, const LaunchLedger::Group &launches, const ClockRate &rate, const VendorTerms &terms);

  /// What is missing from the kernel's numbers, with what to do about it; "" where nothing is.
  const std::string &remedy() const { return missing; }

  /// Of the last row of the table, which is a region's: adds bounds, or the remedy where nothing is known of how far off a number is.
  void addRegion(Table &table, const RowTotals &row) const { add(table, Row{&row, row.errors, false}); }
  /// The same of (unattributed) and of (not recorded).
  void addRest(Table &table, bool isNotRecorded) const;

private:
  struct Row {
    const RowTotals *totals; ///< null: of what no region is
    RowErrors errors;
    bool isNotRecorded;
  };
  struct Limits;

  void add(Table &table, const Row &row) const;
  std::optional<Limits> limitsOf(const Column &column, double value, const Row &row) const;
  std::optional<Limits> ofSample(const Column &column, double value, const Row &row) const;
  std::optional<Limits> ofPercentile(const std::string &name, Unit unit, const Row &row) const;
  std::optional<Limits> ofDropped(const Column &column, Limits limits, const Row &row) const;
  std::optional<Limits> ofLost(const Column &column, Limits limits) const;
  double inUnit(double cycles, Unit unit) const;

  const KernelTotals &kernel;
  const ClockRate &rate;
  std::string missing;
  bool isSampled, isDropped, isLost;
};

} // namespace kperf::decoder

#endif
