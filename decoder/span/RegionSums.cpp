// Reads the sums of a warp and checks that they are consistent.
#include "decoder/span/RegionSums.h"
#include "decoder/span/LengthPowers.h"
#include "decoder/trace/Records.h"

#include <algorithm>
#include <numeric>

namespace kperf::decoder {

void RegionSums::take(const format::Record &record, std::uint32_t region) {
  ++records;
  switch (kindOf(record)) {
  case format::RecordKind::Sum:
    sums.push_back({region, kIncomplete, record.lanes, std::uint64_t{record.second} << 32 | record.first, 0, 0, true});
    return;
  case format::RecordKind::Lengths:
    return takeLengths(record, region);
  case format::RecordKind::Total: {
    const bool isPlace = record.second <= format::kMaxSums;
    sums.push_back({region, isPlace ? static_cast<std::int32_t>(record.second) - 1 : kIncomplete, record.lanes, record.first, 0, 0, false});
    return;
  }
  default:
    takeExtremes(record, region);
  }
}

void RegionSums::takeExtremes(const format::Record &record, std::uint32_t region) {
  if (sums.size() == first || sums.back().region != region || sums.back().around != kIncomplete || record.lanes > format::kMaxSums) {
    ++strays;
    return;
  }
  RegionSum &sum = sums.back();
  sum.around = static_cast<std::int32_t>(record.lanes) - 1;
  sum.min = record.first;
  sum.max = record.second;
}

void RegionSums::takeLengths(const format::Record &record, std::uint32_t region) {
  if (sums.size() == first || sums.back().region != region || sums.back().around == kIncomplete ||
      sums.back().lengths == format::kLengthsRecords) {
    ++strays;
    return;
  }
  ++sums.back().lengths;
  lengths.insert(lengths.end(), {record.first, record.second, record.lanes});
}

/// Whether they are of all entries, and these can have the sum and the extremes.
bool RegionSums::areLengthsSound(std::size_t index, std::uint64_t life) const {
  const RegionSum &sum = sums[index];
  const auto ofPowers = std::span(lengths).subspan(index * format::kLengthPowers, format::kLengthPowers);
  if (std::accumulate(ofPowers.begin(), ofPowers.end(), std::uint64_t{0}) != sum.count)
    return false;
  std::uint64_t least = 0, most = 0; // of the sum: less than 2^32 entries, each of less than 2^32 cycles
  for (unsigned power = 0; power < format::kLengthPowers; ++power) {
    const LengthRange range = lengthsOfPower(power);
    least += ofPowers[power] * range.min;
    most += ofPowers[power] * range.max;
    if (ofPowers[power] > 0 && sum.hasExtremes && (sum.max < range.min || sum.min > range.max))
      return false;
  }
  return (!sum.hasExtremes && life > 0xffffffff) || (sum.cycles >= least && sum.cycles <= most);
}

bool RegionSums::isSound(const RegionSum &sum, std::uint64_t life) const {
  const auto count = static_cast<std::int32_t>(sums.size());
  std::int32_t depth = 0; // no region is around one of those around it
  for (std::int32_t around = sum.around; around != -1; around = sums[static_cast<std::size_t>(around)].around)
    if (around == kIncomplete || around >= count || ++depth > count)
      return false;
  if (sum.count == 0)
    return sum.cycles == 0;
  if (sum.cycles > life)
    return false;
  return !sum.hasExtremes || (sum.min <= sum.max && sum.cycles >= sum.count * sum.min && sum.cycles <= sum.count * sum.max);
}

/// A sum of 32 bits is not longer than the warp's life, and so all there is, where that fits too.
bool RegionSums::areTimed(std::uint64_t life) const {
  return life <= 0xffffffff || std::ranges::none_of(sums, [](const RegionSum &sum) { return !sum.hasExtremes && sum.count > 0; });
}

bool RegionSums::areSound(std::uint64_t life) const {
  if (first != 0 || sums.size() > format::kMaxSums || life == 0 || !std::ranges::all_of(sums, [&](const RegionSum &sum) {
        return isSound(sum, life) && sum.hasExtremes == sums.front().hasExtremes && sum.lengths == sums.front().lengths;
      }))
    return false;
  if (const std::uint32_t records = sums.empty() ? 0 : sums.front().lengths; records > 0)
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (records < format::kLengthsRecords || !areLengthsSound(i, life))
        return false;
  if (!areTimed(life))
    return true;
  std::vector<std::uint64_t> inside(sums.size() + 1); // at 0: inside none
  for (const RegionSum &sum : sums)
    inside[static_cast<std::size_t>(sum.around + 1)] += sum.cycles;
  if (inside[0] > life)
    return false;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (inside[i + 1] > sums[i].cycles)
      return false;
  return true;
}

/// What stood in a region of which the sum is not there stands in none of which it is.
void RegionSums::forgetDropped() {
  for (RegionSum &sum : std::span(sums).subspan(first))
    if (sum.around >= static_cast<std::int32_t>(sums.size()))
      sum.around = -1;
}

RegionSums::Verdict RegionSums::endPart(std::uint64_t life, bool isSomeDropped) {
  if (records == 0)
    return {0, 0};
  if (isSomeDropped)
    forgetDropped();
  if (!areSound(life)) {
    sums.resize(first);
    lengths.resize(firstLength);
    return {0, records};
  }
  if (!areTimed(life))
    for (RegionSum &sum : sums) {
      sum.isTimed = false;
      sum.cycles = 0;
    }
  return {records - strays, strays};
}

} // namespace kperf::decoder
