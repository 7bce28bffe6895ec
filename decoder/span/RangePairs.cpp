// Pairs the begins and ends of ranges.
#include "decoder/span/RangePairs.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kOpen = ~std::uint64_t{0}; ///< end of a span whose End has not come

} // namespace

void RangePairs::clear() {
  events.clear();
  severalPartsHaveEvents = false;
  for (const std::uint32_t region : pairedRegions)
    isPaired[region] = 0;
  pairedRegions.clear();
}

RangePairs::Queue &RangePairs::queueOf(std::uint32_t region) {
  Queue &queue = queues[region];
  if (!queue.isTouched) {
    queue = {};
    queue.isTouched = true;
    touched.push_back(region);
  }
  return queue;
}

/// Ends at the front of a ring whose Begins were overwritten.
void RangePairs::countOrphans() {
  for (const Event &event : events) {
    Queue &queue = queueOf(event.region);
    queue.balance += event.isBegin ? 1 : -1;
    queue.minBalance = std::min(queue.minBalance, queue.balance);
  }
  for (const std::uint32_t region : touched)
    queues[region].orphanEnds =
        static_cast<std::uint64_t>(std::max({std::int64_t{0}, -queues[region].balance, -queues[region].minBalance}));
}

void RangePairs::pair(std::vector<Span> &spans, RecordCounts &counts, bool hasLostOldest) {
  unmatchedList.clear();
  firstOpen = kOpen;
  lastOrphan = 0;
  if (events.empty())
    return;
  if (severalPartsHaveEvents)
    std::ranges::stable_sort(events, {}, &Event::at);
  if (hasLostOldest)
    countOrphans();
  const std::size_t firstPair = spans.size();
  following.resize(firstPair + events.size());
  for (const Event &event : events) {
    Queue &queue = queueOf(event.region);
    if (event.isBegin) {
      const auto index = static_cast<std::uint32_t>(spans.size());
      spans.push_back({event.at, kOpen, event.region, event.lanes});
      following[index] = kNoSpan;
      (queue.head == kNoSpan ? queue.head : following[queue.tail]) = index;
      queue.tail = index;
      ++queue.begins;
    } else if (queue.orphanEnds > 0 || queue.head == kNoSpan) {
      queue.orphanEnds -= queue.orphanEnds > 0;
      ++queue.unmatchedEnds;
      lastOrphan = std::max(lastOrphan, event.at);
    } else {
      Span &span = spans[queue.head];
      span.end = std::max(event.at, span.begin);
      queue.head = following[queue.head];
      ++queue.ends;
    }
  }
  for (const std::uint32_t region : touched) {
    Queue &queue = queues[region];
    queue.isTouched = false;
    counts.pairs += queue.ends;
    counts.unmatchedBegins += queue.begins - queue.ends;
    counts.unmatchedEnds += queue.unmatchedEnds;
    if (queue.ends > 0) {
      isPaired[region] = 1;
      pairedRegions.push_back(region);
    }
    if (queue.begins != queue.ends || queue.unmatchedEnds > 0)
      unmatchedList.push_back({region, queue.begins - queue.ends, queue.unmatchedEnds});
  }
  touched.clear();
  removeOpen(spans, firstPair);
}

/// Takes out the spans from `first` on, which are in the order of their begins, whose End did not come.
void RangePairs::removeOpen(std::vector<Span> &spans, std::size_t first) {
  const auto isOpen = [](const Span &span) { return span.end == kOpen; };
  const auto open = std::find_if(spans.begin() + static_cast<std::ptrdiff_t>(first), spans.end(), isOpen);
  firstOpen = open != spans.end() ? open->begin : kOpen;
  spans.erase(std::remove_if(open, spans.end(), isOpen), spans.end());
}

} // namespace kperf::decoder
