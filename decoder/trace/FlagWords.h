// The words for the flags of the format.
#ifndef KPERF_DECODER_FLAG_WORDS_H
#define KPERF_DECODER_FLAG_WORDS_H

#include "decoder/trace/Fields.h"

#include <kperf/format_summary.h>

namespace kperf::decoder {

inline constexpr field::FlagWord<std::uint16_t> kWarpFlagWords[] = {
    {format::kWarpFinished, "finished"}, {format::kWarpReserved, "reserved"}, {format::kWarpContinued, "continued"},
    {format::kWarpForeign, "foreign"},   {format::kWarpWindow, "window"},     {format::kWarpOthersPlain, "others-plain"}};

inline constexpr field::FlagWord<std::uint32_t> kSummaryFlagWords[] = {
    {format::kSummaryByRegion, "region"},          {format::kSummaryByPath, "path"},
    {format::kSummaryKeepsLast, "keeps-last"},     {format::kSummaryGridVaries, "grid-varies"},
    {format::kSummaryBlockVaries, "block-varies"}, {format::kSummaryOthersPlain, "others-plain"}};

inline constexpr field::FlagWord<std::uint32_t> kSummaryRowFlagWords[] = {{format::kRowOverlaps, "overlaps"},
                                                                          {format::kRowExact, "exact"},
                                                                          {format::kRowWithoutExtremes, "without-extremes"},
                                                                          {format::kRowRecursive, "recursive"}};

inline constexpr field::FlagWord<std::uint32_t> kLaunchTimesFlagWords[] = {{format::kTimesPlain, "plain"}};

/// All flags that have a word.
template <typename Flag> constexpr Flag knownFlags(std::span<const field::FlagWord<Flag>> words) {
  Flag all = 0;
  for (const auto &[flag, word] : words)
    all |= flag;
  return all;
}

} // namespace kperf::decoder

#endif
