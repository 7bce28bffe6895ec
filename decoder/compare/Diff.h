// Compares traces taken before and after a change: what became slower, what did not, what can't be told.
#ifndef KPERF_DECODER_DIFF_H
#define KPERF_DECODER_DIFF_H

#include "decoder/table/Table.h"
#include "decoder/totals/LaunchSamples.h"

#include <optional>
#include <string>

namespace kperf::decoder {

struct DiffOptions {
  std::string kernel; ///< shell pattern; "" for all
  Measure measure = Measure::Mean;
  double marginPercent = 1; ///< a change that is surely smaller is none
};

struct Diff {
  Table table;
  /// The greatest change that the verdict calls one, in percent, and whose it is.
  std::optional<double> maxSlower;
  std::string slowest;
  /// Rows without a verdict whose interval reaches this far up, in percent; the greatest.
  std::optional<double> maxUndecided;
  std::size_t onlyInOne = 0; ///< rows of what only one side has
};

/// `before` and `after`: at least one trace each, each side of one build; a trace is a run, and runs are compared as
/// RunChange.h says. Regions are the same when function, name and their order among equals are, whichever annotation asks for them; kernels
/// when their names are, or the names without template arguments where those belong to one kernel on each side. A change is one when the
/// test says so for all rows together (S. Holm, Scandinavian Journal of Statistics 6, 1979; 5 %), its interval is not within the margin,
/// and with one run of a side it is 5 % or more; none when the 95 % interval is within. Under the virtual clock what differs is a change
/// (exactChange()), or where not all blocks were recorded, what differs by more than the choice of blocks (sampledChange()).
Expected<Diff> diffTraces(std::span<const Trace> before, std::span<const Trace> after, const DiffOptions &options);

} // namespace kperf::decoder

#endif
