// The table of which records a region of each kind may produce, and what the decoder does with them.
#ifndef KPERF_DECODER_RECORD_RULES_H
#define KPERF_DECODER_RECORD_RULES_H

#include <kperf/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kperf::decoder {

enum class Action : std::uint8_t { Damaged, Skip, Take, Open, Close, Mark, Sum };

/// Rows: RecordKind. Columns: RegionKind Kernel, Scope, Range, Mark, Pragma, Automatic, Calibration, Wait, Signal, and last
/// the kinds of later minor versions.
inline constexpr auto kRecordRules = [] {
  constexpr Action skip = Action::Skip, take = Action::Take, open = Action::Open, close = Action::Close, mark = Action::Mark,
                   sums = Action::Sum, none = Action::Damaged;
  return std::to_array<std::array<Action, 10>>({
      {skip, skip, skip, skip, skip, skip, skip, skip, skip, skip},        // Empty
      {take, take, take, none, take, take, take, take, none, take},        // Span
      {open, open, open, none, open, open, open, none, none, open},        // Begin
      {close, close, close, none, close, close, close, none, none, close}, // End
      {none, none, none, mark, none, none, none, none, mark, mark},        // Mark
      {none, sums, sums, none, sums, sums, none, none, none, sums},        // Sum
      {none, sums, sums, none, sums, sums, none, none, none, sums},        // Extremes
      {none, sums, sums, none, sums, sums, none, none, none, sums},        // Total
      {none, sums, sums, none, sums, sums, none, none, none, sums},        // Lengths
      {none, none, none, none, none, none, none, none, none, none},        // Adjacent: SpanDecoder takes it apart before
  });
}();

inline Action actionFor(format::RecordKind record, format::RegionKind region) {
  const auto row = static_cast<std::uint32_t>(record);
  return row < kRecordRules.size() ? kRecordRules[row][std::min(static_cast<std::uint32_t>(region), 9u)] : Action::Damaged;
}

/// Whether `first` is a clock in a record of this kind; not of one that is taken apart before anybody asks.
inline bool hasClock(format::RecordKind record) {
  return record == format::RecordKind::Span || record == format::RecordKind::Begin || record == format::RecordKind::End ||
         record == format::RecordKind::Mark;
}

} // namespace kperf::decoder

#endif
