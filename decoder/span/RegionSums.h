// The regions that a warp summed up, read from its Sum, Extremes, Total and Lengths records, each checked for consistency.
#ifndef KPERF_DECODER_REGION_SUMS_H
#define KPERF_DECODER_REGION_SUMS_H

#include "decoder/span/Spans.h"

#include <span>
#include <vector>

namespace kperf::decoder {

class RegionSums {
public:
  /// Records of a part.
  struct Verdict {
    std::uint64_t sound, damaged;
  };

  void clear() { sums.clear(), lengths.clear(); }
  void beginPart() { first = sums.size(), firstLength = lengths.size(), records = strays = 0; }
  /// A Sum, an Extremes, a Total or a Lengths record.
  void take(const format::Record &record, std::uint32_t region);
  /// Judges what the part had, of a warp that lived for `life` cycles (0: it did not finish). One that is wrong makes
  /// all of them useless, for the times of others hold its own. `isSomeDropped`: those behind were not kept, whatever they are around.
  Verdict endPart(std::uint64_t life, bool isSomeDropped = false);

  std::span<const RegionSum> all() const { return sums; }
  /// Of all that have some, as WarpSpans::lengthsOfSums.
  std::span<const std::uint32_t> allLengths() const { return lengths; }

private:
  static constexpr std::int32_t kIncomplete = -2; ///< RegionSum::around before its Extremes

  bool isSound(const RegionSum &sum, std::uint64_t life) const;
  bool areLengthsSound(std::size_t index, std::uint64_t life) const;
  bool areSound(std::uint64_t life) const;
  bool areTimed(std::uint64_t life) const;
  void forgetDropped();
  void takeExtremes(const format::Record &record, std::uint32_t region);
  void takeLengths(const format::Record &record, std::uint32_t region);

  std::vector<RegionSum> sums;
  std::vector<std::uint32_t> lengths;
  std::size_t first = 0, firstLength = 0; ///< of the part
  std::uint64_t records = 0;              ///< of the part
  std::uint64_t strays = 0;               ///< Extremes and Lengths behind what they do not belong to
};

} // namespace kperf::decoder

#endif
