// How far counters of memory accesses may be off that were counted in one block in so many.
#include "decoder/memory/SampledAccesses.h"
#include "decoder/totals/SampledBlocks.h"
#include "decoder/totals/Student.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kperf::decoder {
namespace {

/// Of counts of equal blocks the variance is the mean, with a standard deviation of 18 % for 64 groups.
constexpr double kMostAlike = 1.6;

double sumOf(const std::vector<std::uint64_t> &counts) {
  double out = 0;
  for (const std::uint64_t count : counts)
    out += static_cast<double>(count);
  return out;
}

/// Of what the counted blocks did, Σy².
double squaresOf(const std::vector<std::uint64_t> &counts) {
  const auto groups = static_cast<double>(counts.size());
  const double mean = sumOf(counts) / groups;
  double out = 0;
  for (const std::uint64_t count : counts)
    out += (static_cast<double>(count) - mean) * (static_cast<double>(count) - mean) * groups / (groups - 1);
  return out;
}

/// Whether the tail of what groups counted is short enough for `blocks` blocks; of several blocks in a group how far
/// that deviates tells, else what the groups with any counted.
bool isShortTailed(const std::vector<std::uint64_t> &counts, double blocks) {
  const double perGroup = std::max(1.0, blocks / static_cast<double>(counts.size()));
  const auto isCounted = [&](std::uint64_t count) { return perGroup > 1 || count > 0; };
  const double mean = sumOf(counts) / static_cast<double>(std::ranges::count_if(counts, isCounted));
  std::vector<double> values;
  for (const std::uint64_t count : counts)
    if (isCounted(count))
      values.push_back(static_cast<double>(count) / mean);
  const double skewness = skewnessOfTail(std::move(values), perGroup);
  return kBlocksPerSkewness * skewness * skewness <= blocks;
}

} // namespace

void SampledAccesses::add(const format::SiteCounterRecord &row, format::SiteCounter counter, std::uint64_t weight) {
  if (row.sampled <= 1 || row.counts[counter] == 0)
    return;
  if (row.group == 0 || row.group > row.groups || row.groups < 2 || row.groups > kMostGroups) {
    hasWhole = true;
    return;
  }
  Counts &counts = countsOf[{row.sampled, row.groups}];
  counts.resize(row.groups);
  counts[row.group - 1u] += weight * row.counts[counter];
}

void SampledAccesses::add(const SampledAccesses &other) {
  hasWhole |= other.hasWhole;
  for (const auto &[key, counts] : other.countsOf) {
    Counts &sums = countsOf[key];
    sums.resize(counts.size());
    std::ranges::transform(sums, counts, sums.begin(), std::plus<>());
  }
}

bool SampledAccesses::isAlike(const Counts &counts) {
  std::uint64_t unit = 0;
  for (const std::uint64_t count : counts)
    unit = std::gcd(unit, count);
  return squaresOf(counts) <= kMostAlike * static_cast<double>(unit) * sumOf(counts);
}

std::optional<double> SampledAccesses::error() const {
  if (hasWhole)
    return std::nullopt;
  if (countsOf.empty())
    return 0;
  double variance = 0, cubes = 0, degrees = std::numeric_limits<double>::infinity();
  for (const auto &[key, counts] : countsOf) {
    const auto groups = static_cast<double>(counts.size()), oneIn = static_cast<double>(key.first);
    const double mean = sumOf(counts) / groups, squares = squaresOf(counts), blocks = mean * mean * groups * groups / squares;
    if (!(blocks >= kLeastBlocks) || isAlike(counts) || !isShortTailed(counts, blocks))
      return std::nullopt;
    variance += oneIn * (oneIn - 1) * squares;
    for (const std::uint64_t count : counts)
      cubes += std::pow(std::sqrt(oneIn * (oneIn - 1)) * (static_cast<double>(count) - mean), 3);
    degrees = std::min(degrees, groups - 1);
  }
  if (kBlocksPerSkewness * cubes * cubes > std::pow(variance, 3))
    return std::nullopt;
  return kSkewnessGuard * studentFactor(degrees) * std::sqrt(variance);
}

} // namespace kperf::decoder
