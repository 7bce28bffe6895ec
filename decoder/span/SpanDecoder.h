// Decodes the records of each warp into spans: 64-bit clocks, begins paired with ends, damage counted.
#ifndef KPERF_DECODER_SPAN_DECODER_H
#define KPERF_DECODER_SPAN_DECODER_H

#include "decoder/span/RangePairs.h"
#include "decoder/span/RegionSet.h"
#include "decoder/span/RegionSums.h"
#include "decoder/span/Spans.h"
#include "decoder/span/SplitPairs.h"
#include "decoder/trace/RecordRules.h"
#include "decoder/trace/Trace.h"

#include <vector>

namespace kperf::decoder {

class SpanDecoder final : private TraceVisitor {
public:
  /// Records decoded of one warp; the rest counts as dropped. 64 MiB.
  static constexpr std::uint64_t kMaxRecords = std::uint64_t{1} << 22;

  /// `regions` holds at least the regions of the traces that are run.
  SpanDecoder(const RegionSet &regions, WarpSink &sink) : regions(regions), sink(sink) {}

  /// One pass over the trace; the sink gets each warp once. Nothing is allocated per record or warp after a while.
  Status run(const Trace &trace);

private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void warps(const format::WarpsHeader &head) override;
  void warp(const format::WarpHeader &header) override;
  void records(std::span<const format::Record> rows) override;
  void endWarp() override;

  void beginWarp(const format::WarpHeader &header);
  void finishWarp();
  void decodePart();
  void rotateUnfinishedRing();
  void decodeWithin();
  template <bool isPartReserved> void takeSpans(std::uint64_t earliest);
  void decodeForward();
  void decodeBackward();
  std::uint32_t clockOf(const format::Record &record) const;
  std::uint64_t disorder() const;
  bool isLive(std::size_t i) const;
  void take(std::size_t i, std::uint64_t time);
  void takeSpan(const format::Record &record, std::uint32_t region, std::uint64_t time);
  bool place(std::uint64_t &begin, std::uint64_t &end) const;
  void notePartEdges();
  void splitAdjacent(const format::Record &record);
  std::uint64_t readRecords() const { return buffer.size() - splitPairs.size(); }

  void orderFrom(std::size_t first);

  const RegionSet &regions;
  WarpSink &sink;
  const Trace *reading = nullptr;
  format::WarpsHeader section{};
  std::uint32_t warpLanes = 32; ///< of the section's device

  bool hasWarp = false, isDamaged = false;
  WarpSpans out{};
  std::uint64_t lastSeen = 0;         ///< latest clock of the warp
  format::WarpHeader part{};          ///< the part being read
  std::vector<format::Record> buffer; ///< its records, those that stand for two spans taken apart
  SplitPairs splitPairs;              ///< those
  std::vector<std::uint32_t> others;  ///< indices of those that are looked at one by one
  std::uint64_t partIndex = 0;        ///< index in the part of buffer[0]
  std::size_t partMarks = 0, partSpans = 0;

  std::vector<Span> spans, open;
  std::vector<Mark> marks;
  RegionSums sums;
  RangePairs ranges;
  std::vector<std::uint64_t> times;   ///< of the records, where they are found from the end backwards
  std::vector<std::uint8_t> isShared; ///< by region
};

} // namespace kperf::decoder

#endif
