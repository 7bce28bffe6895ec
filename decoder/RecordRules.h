// Which records a region of each kind may produce, and what the decoder does with them: the one table of it.
#ifndef KPERF_DECODER_RECORD_RULES_H
#define KPERF_DECODER_RECORD_RULES_H

#include <kperf/format.h>

#include <algorithm>
#include <cstdint>

namespace kperf::decoder {

enum class Action : std::uint8_t { Damaged, Skip, Take, Open, Close, Mark };

/// Rows: RecordKind. Columns: RegionKind, and last the kinds of later minor versions.
inline constexpr Action kRecordRules[5][8] =
    {
        // Kernel        Scope            Range            Mark             Pragma           Automatic Calibration later
        {Action::Skip, Action::Skip, Action::Skip, Action::Skip, Action::Skip, Action::Skip, Action::Skip,
         Action::Skip}, // Empty
        {Action::Take, Action::Take, Action::Take, Action::Damaged, Action::Take, Action::Take, Action::Take,
         Action::Take}, // Span
        {Action::Open, Action::Open, Action::Open, Action::Damaged, Action::Open, Action::Open, Action::Open,
         Action::Open}, // Begin
        {Action::Close, Action::Close, Action::Close, Action::Damaged, Action::Close, Action::Close, Action::Close,
         Action::Close}, // End
        {Action::Damaged, Action::Damaged, Action::Damaged, Action::Mark, Action::Damaged, Action::Damaged,
         Action::Damaged, Action::Mark}, // Mark
};

inline Action actionFor(format::RecordKind record, format::RegionKind region) {
  const auto row = static_cast<std::uint32_t>(record);
  return row < 5 ? kRecordRules[row][std::min(static_cast<std::uint32_t>(region), 7u)] : Action::Damaged;
}

} // namespace kperf::decoder

#endif
