// Estimates the errors of access counters when 1 block in N was counted.
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
constexpr double kMaxUniform = 1.6;

/// Fewer counted executions than these say nothing of how far off an estimate is.
constexpr double kMinExecutions = 200;
/// How many executions of a kind there may be, for each that a counted one stands for, of which none was counted (the "rule of three" of
/// SampledBlocks.h).
constexpr double kMaxUnseen = 3;

/// Most that one execution of an instruction by 32 lanes adds to a counter: 16 bytes a lane, strides within a block's shared memory (227
/// KiB on sm_90), of others one for each lane.
double mostOfExecution(format::SiteCounter counter) {
  switch (counter) {
  case format::kBytes:
  case format::kDistinctBytes:
  case format::kSharedBytes:
    return 32 * 16;
  case format::kSharedStrideBytes:
    return 227 << 10;
  default:
    return 32;
  }
}

/// Of the sum, for the hash of a clock by which executions are chosen: an allowance. Of seven million counted executions of HeCBench's
/// matern estimates were off by 0.14 % once, three times as much as chance has it, in a build in which lanes may have come apart.
constexpr double kHashError = 0.0025;

double sumOf(const std::vector<std::uint64_t> &counts) {
  double out = 0;
  for (const std::uint64_t count : counts)
    out += static_cast<double>(count);
  return out;
}

/// What all groups' counts are multiples of: where blocks are all alike, what one of them does, or more.
double unitOf(const std::vector<std::uint64_t> &counts) {
  std::uint64_t unit = 0;
  for (const std::uint64_t count : counts)
    unit = std::gcd(unit, count);
  return static_cast<double>(unit);
}

/// Of what the counted blocks did, Σy².
template <typename Counts> double squaresOf(const Counts &counts) {
  const auto groups = static_cast<double>(counts.size());
  double mean = 0, out = 0;
  for (const auto count : counts)
    mean += static_cast<double>(count) / groups;
  for (const auto count : counts)
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
  const std::uint32_t groups = row.groups & format::kGroupsMask, executionsLog2 = row.groups >> format::kExecutionsShift;
  if (row.group == 0 || row.group > groups || groups < 2) {
    hasWhole = true;
    return;
  }
  Counts &counts = countsOf[{row.sampled, groups, executionsLog2 > 0 && row.sampled >> executionsLog2 <= 1}];
  counts.resize(groups);
  counts[row.group - 1u] += weight * row.counts[counter];
  maxOfExecution = std::max(maxOfExecution, mostOfExecution(counter));
}

void SampledAccesses::add(const SampledAccesses &other) {
  hasWhole |= other.hasWhole;
  maxOfExecution = std::max(maxOfExecution, other.maxOfExecution);
  for (const auto &[key, counts] : other.countsOf) {
    Counts &sums = countsOf[key];
    sums.resize(counts.size());
    std::ranges::transform(sums, counts, sums.begin(), std::plus<>());
  }
}

bool SampledAccesses::isUniform(const Counts &counts) { return squaresOf(counts) <= kMaxUniform * unitOf(counts) * sumOf(counts); }

std::optional<double> SampledAccesses::errorIfAlike() const {
  if (hasWhole || countsOf.empty())
    return std::nullopt;
  double variance = 0;
  for (const auto &[key, counts] : countsOf) {
    if (key.isOfExecutions || !isUniform(counts))
      return std::nullopt;
    variance += static_cast<double>(key.oneIn) * (key.oneIn - 1.0) * unitOf(counts) * sumOf(counts);
  }
  return studentFactor(std::numeric_limits<double>::infinity()) * std::sqrt(variance);
}

std::optional<double> SampledAccesses::error() const {
  if (hasWhole)
    return std::nullopt;
  if (countsOf.empty())
    return 0;
  double variance = 0, cubes = 0, unseen = 0, degrees = std::numeric_limits<double>::infinity();
  double ofExecutions = 0, squaresOfExecutions = 0; // of all rates: of one there may be few
  for (const auto &[key, counts] : countsOf) {
    const auto groups = static_cast<double>(counts.size()), oneIn = static_cast<double>(key.oneIn);
    const double mean = sumOf(counts) / groups, squares = squaresOf(counts), blocks = mean * mean * groups * groups / squares;
    if (key.isOfExecutions) {
      ofExecutions += oneIn * sumOf(counts);
      squaresOfExecutions += oneIn * oneIn * squares;
    } else if (blocks < kMinBlocks || isUniform(counts)) {
      return std::nullopt;
    }
    if ((!key.isOfExecutions || blocks >= kMinExecutions) && !isShortTailed(counts, blocks))
      return std::nullopt;
    variance += oneIn * (oneIn - 1) * squares;
    for (const std::uint64_t count : counts)
      cubes += std::pow(std::sqrt(oneIn * (oneIn - 1)) * (static_cast<double>(count) - mean), 3);
    degrees = std::min(degrees, groups - 1);
    if (key.isOfExecutions)
      unseen += kMaxUnseen * maxOfExecution * oneIn;
  }
  if (ofExecutions * ofExecutions < kMinExecutions * squaresOfExecutions || kBlocksPerSkewness * cubes * cubes > std::pow(variance, 3))
    return std::nullopt;
  return kSkewnessGuard * studentFactor(degrees) * std::sqrt(variance) + unseen + kHashError * ofExecutions;
}

double SampledAccesses::errorOfRatio(const SampledAccesses &base, double ratio, double whole) const {
  double variance = 0, unseen = 0, ofExecutions = 0, degrees = std::numeric_limits<double>::infinity();
  for (const auto &[key, counts] : base.countsOf) {
    std::vector<double> residuals; // by group, of what the numerator would be if the ratio were the same everywhere
    const auto own = countsOf.find(key);
    for (std::size_t group = 0; group < counts.size(); ++group)
      residuals.push_back((own == countsOf.end() ? 0 : static_cast<double>(own->second[group])) -
                          ratio * static_cast<double>(counts[group]));
    variance += static_cast<double>(key.oneIn) * (key.oneIn - 1.0) * squaresOf(residuals);
    degrees = std::min(degrees, static_cast<double>(counts.size()) - 1);
    if (key.isOfExecutions) {
      unseen += kMaxUnseen * std::max(maxOfExecution, ratio * base.maxOfExecution) * key.oneIn;
      ofExecutions += ratio * key.oneIn * sumOf(counts);
    }
  }
  return (kSkewnessGuard * studentFactor(degrees) * std::sqrt(variance) + unseen + kHashError * ofExecutions) / whole;
}

void SampledCounters::add(const format::SiteCounterRecord &row, std::uint64_t weight) {
  for (unsigned counter = 0; counter < format::kSiteCounters; ++counter)
    counters[counter].add(row, static_cast<format::SiteCounter>(counter), weight);
}

void SampledCounters::add(const SampledCounters &other) {
  for (unsigned counter = 0; counter < format::kSiteCounters; ++counter)
    counters[counter].add(other.counters[counter]);
}

} // namespace kperf::decoder
