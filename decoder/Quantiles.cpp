// Quantiles of many durations in bounded memory.
#include "Quantiles.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {

void Quantiles::addExact(std::uint64_t value) {
  exact.push_back(value);
  if (exact.size() >= kMostExact)
    becomeHistogram();
}

void Quantiles::becomeHistogram() {
  octaves.resize(kOctaves + 1);
  isHistogram = true;
  for (const std::uint64_t early : exact)
    ++bucket(early);
  exact = {};
}

void Quantiles::addBuckets(std::span<const format::LengthBucket> buckets, const Extremes &extremes,
                           std::uint64_t sumOfAll) {
  if (buckets.empty())
    return;
  if (!isHistogram)
    becomeHistogram();
  for (const format::LengthBucket &bucket : buckets) {
    slot(bucket.bucket / format::kLinearBuckets, bucket.bucket) += bucket.count;
    total += bucket.count;
  }
  least = std::min(least, extremes.least);
  most = std::max(most, extremes.most);
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
    for (constexpr std::uint64_t kMost = 0xffffffff; count > 0; count -= std::min(count, kMost))
      buckets.push_back({bucket, static_cast<std::uint32_t>(std::min(count, kMost))});
  });
  const Extremes extremes{other.least, other.most};
  addBuckets(buckets, extremes, other.cycles);
  if (other.unknown > 0)
    addSum(other.unknown, rest, other.hasExtremes ? std::optional(extremes) : std::nullopt);
}

std::uint64_t Quantiles::at(double q) const {
  const std::uint64_t known = total - unknown;
  if (known == 0)
    return 0;
  const auto rank =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(known))), 1, known);
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
      return std::clamp(middle, least, most);
    }
  }
  return most;
}

} // namespace kperf::decoder
