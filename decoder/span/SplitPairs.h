// Which spans were one Adjacent record: of each such pair the first is stored where the second one ends.
#ifndef KPERF_DECODER_SPLIT_PAIRS_H
#define KPERF_DECODER_SPLIT_PAIRS_H

#include "decoder/span/Spans.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kperf::decoder {

/// Of the records of one part, an Adjacent record being split into two Spans, one behind the other.
class SplitPairs {
public:
  void clear() { indices.clear(); }
  /// The Span at `index` and the one behind it were one record. Indices come in order.
  void add(std::size_t index) { indices.push_back(index); }
  std::size_t size() const { return indices.size(); }
  bool isFirst(std::size_t index) const { return std::ranges::binary_search(indices, index); }

  /// How long before its record's place, the second one's end, the span at `index` ends; 0 where it stands where it ends itself.
  std::uint32_t behind(const std::vector<format::Record> &records, std::size_t index) const {
    return !indices.empty() && isFirst(index) ? records[index + 1].second - records[index].second : 0;
  }

  /// The clocks of the first ones, sorted: of a span by key().
  std::vector<std::uint64_t> keys(const std::vector<format::Record> &records) const {
    std::vector<std::uint64_t> out;
    for (const std::size_t index : indices)
      out.push_back(std::uint64_t{records[index].first} << 32 | records[index].second);
    std::ranges::sort(out);
    return out;
  }
  static std::uint64_t key(const Span &span) { return span.begin << 32 | (span.end & 0xffffffff); }

private:
  std::vector<std::size_t> indices;
};

} // namespace kperf::decoder

#endif
