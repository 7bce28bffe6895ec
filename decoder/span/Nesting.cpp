// Builds the tree of a warp's spans and attributes its time to them.
#include "decoder/span/Nesting.h"

#include <algorithm>
#include <unordered_map>

namespace kperf::decoder {
namespace {

/// Spans in flight at once that are compared with each other; what begins beyond them is set aside unseen.
constexpr std::size_t kMaxInFlight = 256;

std::uint64_t overlap(std::uint64_t begin, std::uint64_t end, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t first = std::max(begin, from), last = std::min(end, to);
  return first < last ? last - first : 0;
}

} // namespace

void Nesting::build(const WarpSpans &warp, const RegionSet &regions) {
  const std::size_t count = warp.spans.size();
  parent.resize(count);
  own.resize(count);
  after.resize(count);
  stack.resize(count);
  recursive.clear();
  overlapCount = 0;
  if (!warp.sums.empty())
    return buildFromSums(warp);
  if (!sweep<false>(warp.spans)) {
    parent.assign(count, kTop);
    setAside(warp.spans, regions.kinds());
    stack.resize(count);
    sweep<true>(warp.spans);
  }
  account(warp);
}

/// Which spans lie inside entries that were summed up is unknown: all are set aside. The sums are of the whole warp, whatever
/// records were dropped; where their time is not known, the warp's is not.
void Nesting::buildFromSums(const WarpSpans &warp) {
  overlapCount = warp.spans.size();
  parent.assign(overlapCount, kOverlapping);
  own.assign(overlapCount, 0);
  for (std::uint32_t i = 0; i < overlapCount; ++i)
    after[i] = i + 1;
  attributedCycles = 0;
  for (const RegionSum &sum : warp.sums)
    attributedCycles += sum.around < 0 ? sum.cycles : 0;
  notRecordedCycles = warp.sums.front().isTimed ? 0 : warp.cycles();
  unattributedCycles = warp.cycles() - attributedCycles - notRecordedCycles;
}

/// Finds parents among the spans that are not set aside; false, early, when two of those cross.
template <bool hasSetAside> bool Nesting::sweep(std::span<const Span> spans) {
  const Span *const all = spans.data();
  const auto count = static_cast<std::uint32_t>(spans.size());
  std::uint32_t *const around = stack.data();
  std::uint32_t depth = 0;
  attributedCycles = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t begin = all[i].begin, end = all[i].end;
    if (hasSetAside && parent.data()[i] == kOverlapping) {
      own.data()[i] = 0;
      after.data()[i] = i + 1;
      continue;
    }
    while (depth > 0 && all[around[depth - 1]].end <= begin)
      after.data()[around[--depth]] = i;
    own.data()[i] = end - begin;
    if (depth > 0) {
      const std::uint32_t outer = around[depth - 1];
      if (end > all[outer].end)
        return false;
      parent.data()[i] = static_cast<std::int32_t>(outer);
      own.data()[outer] -= end - begin;
    } else {
      parent.data()[i] = kTop;
      attributedCycles += end - begin;
    }
    around[depth++] = i;
  }
  while (depth > 0)
    after.data()[around[--depth]] = count;
  return true;
}

void Nesting::setAside(std::span<const Span> spans, std::span<const format::RegionKind> kinds) {
  const auto isRange = [&](std::uint32_t i) { return kinds[spans[i].region] == format::RegionKind::Range; };
  const auto remove = [&](std::uint32_t i) {
    overlapCount += parent[i] != kOverlapping;
    parent[i] = kOverlapping;
  };
  std::vector<std::uint32_t> &inFlight = stack; // by end, the earliest last
  inFlight.clear();
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    while (!inFlight.empty() && spans[inFlight.back()].end <= spans[i].begin)
      inFlight.pop_back();
    if (inFlight.size() >= kMaxInFlight) {
      remove(i);
      continue;
    }
    std::size_t at = inFlight.size();
    for (; at > 0 && spans[inFlight[at - 1]].end < spans[i].end; --at) {
      const std::uint32_t other = inFlight[at - 1];
      if (isRange(i) || !isRange(other))
        remove(i);
      if (isRange(other) || !isRange(i))
        remove(other);
    }
    inFlight.insert(inFlight.begin() + static_cast<std::ptrdiff_t>(at), i);
  }
}

/// What lies where records were dropped is nobody's: a region around it may have held others there. Nor is what lies between regions
/// that others, dropped, may be around.
void Nesting::account(const WarpSpans &warp) {
  notRecordedCycles = warp.kept.begin - warp.begin + warp.end - warp.kept.end;
  if (notRecordedCycles > 0)
    for (std::size_t i = 0; i < warp.spans.size(); ++i) {
      const Span &span = warp.spans.data()[i];
      const std::int32_t around = parent.data()[i];
      const std::uint64_t beyond = around == kOverlapping ? 0
                                                          : overlap(span.begin, span.end, warp.begin, warp.kept.begin) +
                                                                overlap(span.begin, span.end, warp.kept.end, warp.end);
      own.data()[i] -= beyond;
      (around >= 0 ? own.data()[around] : attributedCycles) += around >= 0 ? beyond : 0 - beyond;
    }
  notRecordedCycles += outside(warp.spans, warp.kept.begin, warp.kept.enclosedUntil);
  notRecordedCycles += outside(warp.spans, warp.kept.enclosedFrom, warp.kept.end);
  unattributedCycles = warp.cycles() - attributedCycles - notRecordedCycles;
}

/// The time between `from` and `to` that lies in no span of the tree.
std::uint64_t Nesting::outside(std::span<const Span> spans, std::uint64_t from, std::uint64_t to) const {
  std::uint64_t out = to - from;
  for (std::size_t i = 0; out > 0 && i < spans.size(); ++i)
    if (parent.data()[i] == kTop)
      out -= overlap(spans.data()[i].begin, spans.data()[i].end, from, to);
  return out;
}

bool Nesting::isDeeplyRecursive(std::span<const Span> spans, std::size_t asked) const {
  if (recursive.empty()) {
    recursive.resize(spans.size());
    std::unordered_map<std::uint32_t, std::uint32_t> open; // how many spans of a region are around
    std::vector<std::uint32_t> around;
    for (std::uint32_t i = 0; i < spans.size(); ++i) {
      for (; !around.empty() && after[around.back()] <= i; around.pop_back())
        --open[spans[around.back()].region];
      if (parent[i] == kOverlapping)
        continue;
      recursive[i] = open[spans[i].region]++ > 0;
      around.push_back(i);
    }
  }
  return recursive[asked];
}

} // namespace kperf::decoder
