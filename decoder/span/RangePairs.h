// Collects the Begin and End records of one warp's ranges and pairs them into spans.
#ifndef KPERF_DECODER_RANGE_PAIRS_H
#define KPERF_DECODER_RANGE_PAIRS_H

#include "decoder/span/Spans.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kperf::decoder {

/// Begins and Ends of one region are paired first in, first out. Of a ring that lost its oldest records, the first Ends belong to
/// Begins that are gone: as many as there are more Ends than Begins.
class RangePairs {
public:
  struct Event { ///< a Begin or an End
    std::uint64_t at;
    std::uint32_t region, lanes;
    bool isBegin;
  };

  /// For regions below this number.
  void resize(std::size_t regions) {
    queues.resize(regions);
    isPaired.resize(regions);
  }
  /// Forgets the warp before.
  void clear();
  /// Events of one part come in its order, and the parts of a warp one after another.
  void beginPart() { partBegin = events.size(); }
  void add(const Event &event) { events.push_back(event); }
  std::span<const Event> ofPart() const { return std::span(events).subspan(partBegin); }
  void endPart() { severalPartsHaveEvents |= partBegin > 0 && events.size() > partBegin; }

  /// Appends a span for each pair, in the order of the begins, and counts pairs and what has no counterpart.
  void pair(std::vector<Span> &spans, RecordCounts &counts, bool hasLostOldest);
  /// Of the last pair(): regions that have any.
  std::span<const UnmatchedEvents> unmatched() const { return unmatchedList; }
  /// Of the last pair(): the earliest Begin without an End, all ones if there is none; and the latest End without a Begin, else 0.
  std::uint64_t earliestOpen() const { return firstOpen; }
  std::uint64_t latestOrphan() const { return lastOrphan; }
  /// By region: whether the warp has pairs of it, until clear().
  std::span<const std::uint8_t> paired() const { return isPaired; }

private:
  static constexpr std::uint32_t kNoSpan = ~0u;
  struct Queue { ///< of one region's open spans, as indices into the spans
    std::uint32_t head = kNoSpan, tail = kNoSpan;
    std::uint64_t begins = 0, ends = 0, orphanEnds = 0, unmatchedEnds = 0;
    std::int64_t balance = 0, minBalance = 0;
    bool isTouched = false;
  };

  void countOrphans();
  void removeOpen(std::vector<Span> &spans, std::size_t first);
  Queue &queueOf(std::uint32_t region);

  std::vector<Event> events;
  std::size_t partBegin = 0;
  bool severalPartsHaveEvents = false;
  std::vector<std::uint32_t> following; ///< next open span of the same region
  std::vector<Queue> queues;            ///< by region
  std::vector<std::uint32_t> touched;   ///< regions whose queue is in use
  std::vector<UnmatchedEvents> unmatchedList;
  std::uint64_t firstOpen = ~std::uint64_t{0}, lastOrphan = 0;
  std::vector<std::uint8_t> isPaired;
  std::vector<std::uint32_t> pairedRegions; ///< those that isPaired names
};

} // namespace kperf::decoder

#endif
