// What the text form of a trace leaves out: shared by dump and pack.
#ifndef KPERF_DECODER_TEXT_DEFAULTS_H
#define KPERF_DECODER_TEXT_DEFAULTS_H

#include <kperf/format_summary.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace kperf::decoder {

struct TextDefaults {
  static constexpr format::Target target = format::Target::Cuda;
  static constexpr std::uint32_t warpLanes = 32;
  static constexpr std::uint32_t lanes = 0xffffffff;

  /// A finished warp of a one-block launch with room for its `kept` records.
  static format::WarpHeader warp(std::uint64_t kept) {
    format::WarpHeader out{};
    out.gridId = 1;
    out.produced = static_cast<std::uint32_t>(kept);
    out.capacity = static_cast<std::uint32_t>(std::bit_ceil(std::clamp<std::uint64_t>(kept, 64, 1u << 31)));
    out.gridX = out.gridY = out.gridZ = 1;
    out.blockX = 32;
    out.blockY = out.blockZ = 1;
    out.flags = format::kWarpFinished;
    return out;
  }

  /// A further part of `warp`, which reserves its records.
  static format::WarpHeader more(format::WarpHeader warp, std::uint64_t kept) {
    const format::WarpHeader usual = TextDefaults::warp(kept);
    warp.produced = usual.produced;
    warp.capacity = usual.capacity;
    warp.flags = (warp.flags & format::kWarpFinished) | format::kWarpReserved | format::kWarpContinued;
    return warp;
  }
};

/// Calls `visit(key, member, default)` for each number of a kernel's row.
template <typename Row, typename Visit> void forNeeds(Row &row, Visit visit) {
  visit("device", row.device, 0u);
  visit("threads", row.blockThreads, TextDefaults::warpLanes);
  visit("shared", row.dynamicSharedBytes, 0u);
  visit("registers", row.registers, 0u);
  visit("local", row.localBytes, 0u);
  visit("static", row.staticSharedBytes, 0u);
  visit("most-threads", row.mostThreads, 0u);
  visit("resident", row.residentBlocks, 0u);
  visit("launches", row.launches, 0u);
  visit("total", row.totalNs, 0u);
  visit("least", row.leastNs, 0u);
  visit("median", row.medianNs, 0u);
}

inline constexpr std::pair<std::uint16_t, const char *> kWarpFlagWords[] = {
    {format::kWarpFinished, "finished"}, {format::kWarpReserved, "reserved"}, {format::kWarpContinued, "continued"},
    {format::kWarpForeign, "foreign"},     {format::kWarpWindow, "window"}};

inline constexpr std::pair<std::uint32_t, const char *> kSummaryFlagWords[] = {{format::kSummaryByRegion, "region"},
                                                                               {format::kSummaryByPath, "path"},
                                                                               {format::kSummaryKeepsLast, "keeps-last"},
                                                                               {format::kSummaryGridVaries, "grid-varies"},
                                                                               {format::kSummaryBlockVaries, "block-varies"}};
inline constexpr std::pair<std::uint32_t, const char *> kSummaryRowFlagWords[] = {{format::kRowOverlaps, "overlaps"},
                                                                                  {format::kRowExact, "exact"},
                                                                                  {format::kRowWithoutExtremes, "without-extremes"}};

/// "finished,reserved", "none", or a number where there are flags without a word. `words`: one of the tables above.
template <typename Flags, std::size_t N>
std::string flagWords(Flags flags, const std::pair<Flags, const char *> (&words)[N]) {
  std::string out;
  Flags left = flags;
  for (const auto &[flag, word] : words)
    if (flags & flag) {
      out += (out.empty() ? "" : ",") + std::string(word);
      left &= static_cast<Flags>(~flag);
    }
  return left != 0 ? fmt::format("{:#x}", flags) : out.empty() ? "none" : out;
}

} // namespace kperf::decoder

#endif
