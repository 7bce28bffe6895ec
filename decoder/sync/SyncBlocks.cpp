// Collects the warps of each block.
#include "decoder/sync/SyncBlocks.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/trace/Records.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kAlways = ~std::uint64_t{0};
/// Blocks that were given away too early and are remembered, so that what comes after is left out.
constexpr std::size_t kMaxSplitBlocks = std::size_t{1} << 18;
/// Blocks held at once, however few their records.
constexpr std::size_t kMaxOpen = std::size_t{1} << 17;

SyncWarp copyOf(const WarpSpans &warp, const RegionSet &regions) {
  SyncWarp out{warp.header.warp, warp.begin, warp.end, 0, kAlways, UnknownReason::None, {}, {}};
  const bool isCutShort = keptRecords(warp.header) > SpanDecoder::kMaxRecords;
  if (warp.counts.damaged > 0 || isCutShort) {
    out.completeFrom = kAlways;
    out.completeTo = 0;
    out.why = isCutShort ? UnknownReason::Dropped : UnknownReason::Damaged;
  } else if (warp.counts.dropped > 0) {
    out.why = UnknownReason::Dropped;
    if (warp.policy == format::KeepPolicy::Last)
      out.completeFrom = warp.kept.begin;
    else
      out.completeTo = warp.kept.end;
  }
  if (!warp.isFinished && out.completeTo > warp.end) {
    out.completeTo = warp.end;
    out.why = out.why == UnknownReason::None ? UnknownReason::Unfinished : out.why;
  }
  out.isFinished = warp.isFinished;
  out.open.assign(warp.open.begin(), warp.open.end());
  out.spans.assign(warp.spans.begin(), warp.spans.end());
  for (const Mark &mark : warp.marks)
    if (regions.kinds()[mark.region] == format::RegionKind::Signal)
      out.signals.push_back(mark);
  return out;
}

} // namespace

std::string text(UnknownReason why, const VendorTerms &terms) {
  switch (why) {
  case UnknownReason::None:
    return "";
  case UnknownReason::Dropped:
    return "records were dropped";
  case UnknownReason::Damaged:
    return "records were damaged";
  case UnknownReason::Unfinished:
    return fmt::format("a {} did not finish", terms.warp);
  case UnknownReason::Missing:
    return fmt::format("{}s of the {} are not in the trace", terms.warp, terms.block);
  case UnknownReason::Split:
    return fmt::format("the {}'s {}s stand too far apart", terms.block, terms.warp);
  case UnknownReason::Object:
    return "an object that kperf does not know";
  case UnknownReason::NoArrival:
    return "nothing came that let it go on";
  case UnknownReason::Counts:
    return fmt::format("the {}s' arrivals make no phases", terms.warp);
  case UnknownReason::Contradiction:
    return "the times contradict each other";
  }
  std::unreachable();
}

SyncBlocks::SyncBlocks(const RegionSet &regions, Look look, std::size_t maxHeld)
    : regions(regions), look(std::move(look)), hasWaits(regions.hasWaits()), maxHeld(maxHeld) {}

void SyncBlocks::add(std::uint32_t device, std::uint32_t kernel, std::uint64_t expected, const WarpSpans &warp) {
  if (!hasWaits)
    return;
  const WarpGroupKey key{warp.header.gridId, warp.header.block, device, kernel};
  if (split.contains(key))
    return;
  if (held >= maxHeld || open.size() >= kMaxOpen)
    makeRoom();
  Open &entry = open[key];
  SyncBlock &block = entry.block;
  if (block.warps.empty())
    block = {key.gridId, key.number, device, kernel, {}, UnknownReason::None, true, warp.begin, warp.end};
  entry.expected = expected;
  entry.touched = ++clock;
  block.begin = std::min(block.begin, warp.begin);
  block.end = std::max(block.end, warp.end);
  block.isFinished &= warp.isFinished;
  block.warps.push_back(copyOf(warp, regions));
  const std::size_t size = block.warps.back().spans.size() + block.warps.back().signals.size() + 4;
  entry.held += size;
  held += size;
  if (block.warps.size() != expected)
    return;
  give(entry, UnknownReason::None);
  open.erase(key);
}

void SyncBlocks::give(Open &entry, UnknownReason why) {
  entry.block.why = why;
  std::ranges::stable_sort(entry.block.warps, {}, &SyncWarp::index);
  look(entry.block);
  held -= entry.held;
}

/// Gives away the half of the blocks that had no warp for longest.
void SyncBlocks::makeRoom() {
  std::vector<std::pair<std::uint64_t, WarpGroupKey>> order;
  for (const auto &[key, entry] : open)
    order.emplace_back(entry.touched, key);
  std::ranges::sort(order, {}, &std::pair<std::uint64_t, WarpGroupKey>::first);
  order.resize((order.size() + 1) / 2);
  for (const auto &[touched, key] : order) {
    give(open.at(key), UnknownReason::Split);
    open.erase(key);
    if (split.size() < kMaxSplitBlocks)
      split.insert(key);
  }
}

void SyncBlocks::finish() {
  std::vector<std::pair<std::uint64_t, WarpGroupKey>> order; // so that the same trace gives the same sums, in the same order
  for (const auto &[key, entry] : open)
    order.emplace_back(entry.touched, key);
  std::ranges::sort(order, {}, &std::pair<std::uint64_t, WarpGroupKey>::first);
  for (const auto &[touched, key] : order)
    give(open.at(key), open.at(key).expected == 0 ? UnknownReason::None : UnknownReason::Missing);
  open.clear();
  split.clear();
}

} // namespace kperf::decoder
