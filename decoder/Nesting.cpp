// Which span of a warp lies inside which, and whose time is whose.
#include "Nesting.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

/// Spans in flight at once that are compared with each other; what begins beyond them is set aside unseen.
constexpr std::size_t kMostInFlight = 256;

std::uint64_t overlap(std::uint64_t begin, std::uint64_t end, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t first = std::max(begin, from), last = std::min(end, to);
  return first < last ? last - first : 0;
}

} // namespace

void Nesting::build(const WarpSpans &warp, const RegionSet &regions) {
  const std::size_t count = warp.spans.size();
  parent.assign(count, kTop);
  own.resize(count);
  overlapCount = 0;
  if (!sweep(warp.spans)) {
    parent.assign(count, kTop);
    setAside(warp.spans, regions.kinds());
    sweep(warp.spans);
  }
  account(warp);
}

/// Finds parents among the spans that are not set aside; false, early, when two of those cross.
bool Nesting::sweep(std::span<const Span> spans) {
  stack.clear();
  const Span *const all = spans.data();
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    const Span span = all[i];
    if (parent.data()[i] == kOverlapping) {
      own.data()[i] = 0;
      continue;
    }
    while (!stack.empty() && all[stack.back()].end <= span.begin)
      stack.pop_back();
    own.data()[i] = span.cycles();
    if (!stack.empty()) {
      const std::uint32_t around = stack.back();
      if (span.end > all[around].end)
        return false;
      parent.data()[i] = static_cast<std::int32_t>(around);
      own.data()[around] -= span.cycles();
    }
    stack.push_back(i);
  }
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
    if (inFlight.size() >= kMostInFlight) {
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

void Nesting::account(const WarpSpans &warp) {
  attributedCycles = 0;
  std::uint64_t beyond = 0; // attributed, but where records were dropped
  const bool isCut = warp.knownBegin > warp.begin || warp.knownEnd < warp.end;
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    if (parent.data()[i] != kTop)
      continue;
    const Span &span = warp.spans.data()[i];
    attributedCycles += span.cycles();
    if (isCut)
      beyond += overlap(span.begin, span.end, warp.begin, warp.knownBegin) +
                overlap(span.begin, span.end, warp.knownEnd, warp.end);
  }
  notRecordedCycles = warp.knownBegin - warp.begin + warp.end - warp.knownEnd - beyond;
  unattributedCycles = warp.cycles() - attributedCycles - notRecordedCycles;
}

} // namespace kperf::decoder
