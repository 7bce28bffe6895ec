// Which records a region of each kind may produce, and what the decoder does with them: the one table of it.
#ifndef KPERF_DECODER_RECORD_RULES_H
#define KPERF_DECODER_RECORD_RULES_H

#include <kperf/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kperf::decoder {

enum class Action : std::uint8_t { Damaged, Skip, Take, Open, Close, Mark };

/// Rows: RecordKind. Columns: RegionKind Kernel, Scope, Range, Mark, Pragma, Automatic, Calibration, and last the kinds
/// of later minor versions.
inline constexpr auto kRecordRules = [] {
  constexpr Action skip = Action::Skip, take = Action::Take, open = Action::Open, close = Action::Close,
                   mark = Action::Mark, none = Action::Damaged;
  return std::to_array<std::array<Action, 8>>({
      {skip, skip, skip, skip, skip, skip, skip, skip},        // Empty
      {take, take, take, none, take, take, take, take},        // Span
      {open, open, open, none, open, open, open, open},        // Begin
      {close, close, close, none, close, close, close, close}, // End
      {none, none, none, mark, none, none, none, mark},        // Mark
  });
}();

inline Action actionFor(format::RecordKind record, format::RegionKind region) {
  const auto row = static_cast<std::uint32_t>(record);
  return row < kRecordRules.size() ? kRecordRules[row][std::min(static_cast<std::uint32_t>(region), 7u)]
                                   : Action::Damaged;
}

} // namespace kperf::decoder

#endif
