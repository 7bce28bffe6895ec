// Computes quantiles of many durations in bounded memory.
#include "decoder/totals/Quantiles.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {
namespace {

/// Which of `count` values in order is the smallest that is not less than a share `q` of them; the first one is 1.
std::uint64_t rankOf(double q, std::uint64_t count) {
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count))), 1, count);
}

} // namespace

void Quantiles::addExact(std::uint64_t value) {
  exact.push_back(value);
  if (exact.size() >= kMaxExact)
    becomeHistogram();
}

void Quantiles::becomeHistogram() {
  octaves.resize(kOctaves + 1);
  isHistogram = true;
  for (const std::uint64_t early : exact)
    ++bucket(early);
  exact = {};
}

void Quantiles::addBuckets(std::span<const format::LengthBucket> buckets, const Extremes &extremes, std::uint64_t sumOfAll) {
  if (buckets.empty())
    return;
  if (!isHistogram)
    becomeHistogram();
  for (const format::LengthBucket &bucket : buckets) {
    slot(bucket.bucket / format::kLinearBuckets, bucket.bucket) += bucket.count;
    total += bucket.count;
  }
  smallest = std::min(smallest, extremes.min);
  largest = std::max(largest, extremes.max);
  cycles += sumOfAll;
}

void Quantiles::add(const Quantiles &other) {
  std::uint64_t rest = other.isHistogram ? 0 : other.cycles; // of the unknown ones
  for (const std::uint64_t value : other.exact) {
    add(value);
    rest -= value;
  }
  std::vector<format::LengthBucket> buckets;
  other.forBuckets([&](std::uint32_t bucket, std::uint64_t count) {
    for (constexpr std::uint64_t kMax = 0xffffffff; count > 0; count -= std::min(count, kMax))
      buckets.push_back({bucket, static_cast<std::uint32_t>(std::min(count, kMax))});
  });
  const Extremes extremes{other.smallest, other.largest};
  addBuckets(buckets, extremes, other.cycles);
  if (other.unknown > 0)
    addSum(other.unknown, rest, other.hasExtremes ? std::optional(extremes) : std::nullopt);
  if (!other.powers.empty())
    addPowers(other.unknownByPower());
}

std::array<std::uint64_t, Quantiles::kPowers> Quantiles::byPower() const {
  std::array<std::uint64_t, kPowers> all{};
  std::ranges::copy(powers, all.begin());
  forValues([&](std::uint64_t value, std::uint64_t count) { all[powerOf(value)] += count; });
  return all;
}

LengthRange Quantiles::within(double q) const {
  if (powers.empty() || total == 0)
    return {at(q), at(q)};
  const std::array<std::uint64_t, kPowers> all = byPower();
  const std::uint64_t rank = rankOf(q, total);
  unsigned power = 0;
  for (std::uint64_t seen = all[0]; seen < rank && power + 1 < kPowers; seen += all[power])
    ++power;
  const LengthRange range = lengthsOfPower(power), inside{std::max(range.min, smallest), std::min(range.max, largest)};
  return hasExtremes && inside.min <= inside.max ? inside : range; // a damaged trace's extremes may lie elsewhere
}

std::uint64_t Quantiles::at(double q) const {
  const std::uint64_t known = total - unknown;
  if (known == 0)
    return 0;
  const std::uint64_t rank = rankOf(q, known);
  if (!isHistogram) {
    std::vector<std::uint64_t> sorted = exact;
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1));
    return sorted[rank - 1];
  }
  std::uint64_t seen = 0;
  for (unsigned octave = 0; octave <= kOctaves; ++octave) {
    if (!octaves[octave])
      continue;
    for (std::uint64_t i = 0; i < octaves[octave]->size(); ++i) {
      seen += (*octaves[octave])[i];
      if (seen < rank)
        continue;
      if (octave == 0)
        return i;
      const std::uint64_t low = (i + (1u << kLinearBits)) << (octave - 1);
      const std::uint64_t middle = low + ((std::uint64_t{1} << (octave - 1)) - 1) / 2;
      return std::clamp(middle, smallest, largest);
    }
  }
  return largest;
}

} // namespace kperf::decoder
