// Estimates totals over all blocks from those that were recorded.
#include "decoder/totals/SampledBlocks.h"
#include "decoder/totals/Student.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace kperf::decoder {
namespace {

double sumOf(const BySampleGroup &values) { return std::accumulate(values.begin(), values.end(), 0.0); }

constexpr double kGroups = kBlockGroups;

/// Of all blocks, from which on those of one stratum must show how they differ.
constexpr double kMinShare = 0.01;

bool isComplete(const SampleStratum &stratum) {
  return stratum.isCertain && stratum.within <= 1 && stratum.launched <= sumOf(stratum.blocks);
}

/// What each group adds to the error of a sum over the stratum's blocks: the variance is the sum of the squares.
BySampleGroup deviationsOf(const SampleStratum &stratum, const BySampleGroup &sums) {
  const double total = sumOf(sums), recorded = sumOf(stratum.blocks), oneIn = stratum.oneIn;
  BySampleGroup out{};
  const double within = std::max(stratum.within, 1u), missing = within > 1 ? 1 : 1 - recorded / stratum.launched;
  const bool isKnown = stratum.isCertain && (recorded >= 2 || stratum.within == 0);
  if (isComplete(stratum) || (isKnown && recorded < 2))
    return out;
  const double factor = isKnown ? within * stratum.launched * std::sqrt(missing / (recorded - 1) / recorded)
                                : within * std::sqrt(oneIn * (within > 1 ? oneIn : oneIn - 1));
  for (std::size_t i = 0; i < kBlockGroups; ++i) {
    const double expected = isKnown ? total / recorded * stratum.blocks[i] : total / kGroups;
    const double rest = sums[i] - expected;
    // What is left of equal values by rounding is nothing.
    out[i] = std::abs(rest) <= 1e-9 * std::abs(expected) ? 0 : factor * std::sqrt(kGroups / (kGroups - 1)) * rest;
  }
  return out;
}

/// How many times a standard deviation the greatest `share` of a normal distribution lies beyond where it begins.
double normalExcess(double share) {
  double low = -8, high = 8; // the quantile lies between
  for (unsigned i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle * std::numbers::sqrt2 / 2) / 2 > share ? low : high) = middle;
  }
  return std::exp(-low * low / 2) / std::sqrt(2 * std::numbers::pi) / share - low;
}

/// skewnessOfTail of all strata together.
double skewnessOfStrata(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums) {
  BySampleGroup totals{}, blocks{};
  for (std::size_t i = 0; i < strata.size(); ++i)
    for (std::size_t group = 0; group < kBlockGroups; ++group) {
      totals[group] += strata[i].weight() * sums[i][group];
      blocks[group] += strata[i].weight() * strata[i].blocks[group];
    }
  const double mean = sumOf(totals) / sumOf(blocks);
  const double perGroup = std::max(1.0, recordedBlocks(strata) / kBlockGroups);
  std::vector<double> values; // of a block, in units of the mean; of a group of several as far as it deviates
  for (std::size_t group = 0; group < kBlockGroups; ++group)
    if (blocks[group] > 0)
      values.push_back(perGroup > 1 ? kBlockGroups * (totals[group] / mean - blocks[group]) / sumOf(blocks) + 1
                                    : totals[group] / blocks[group] / mean);
  return skewnessOfTail(std::move(values), perGroup);
}

/// Blocks that the recorded ones stand for.
double blocksOf(std::span<const SampleStratum> strata) {
  double out = 0;
  for (const SampleStratum &stratum : strata)
    out += stratum.weight() * sumOf(stratum.blocks);
  return out;
}

double errorOfSquares(double squares, double recorded) {
  return kSkewnessGuard * studentFactor(std::min(recorded, kGroups) - 1) * std::sqrt(squares);
}

/// `sums`: what the deviations are of; `values`: by whose tail it is judged whether they tell anything.
std::optional<double> errorOfTotal(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums,
                                   std::span<const BySampleGroup> values) {
  if (std::ranges::all_of(strata, isComplete))
    return 0;
  const double recorded = recordedBlocks(strata), all = blocksOf(strata);
  BySampleGroup deviations{};
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const BySampleGroup ofStratum = deviationsOf(strata[i], sums[i]);
    const bool isUniform = std::ranges::all_of(ofStratum, [](double deviation) { return deviation == 0; });
    if (isUniform && !isComplete(strata[i]) && strata[i].weight() * sumOf(strata[i].blocks) > kMinShare * all)
      return std::nullopt;
    for (std::size_t group = 0; group < kBlockGroups; ++group)
      deviations[group] += ofStratum[group];
  }
  double squares = 0, cubes = 0;
  for (const double deviation : deviations) {
    squares += deviation * deviation;
    cubes += deviation * deviation * deviation;
  }
  if (recorded < kMinBlocks || squares <= 0 || kBlocksPerSkewness * cubes * cubes > std::pow(squares, 3))
    return std::nullopt;
  const double skewness = skewnessOfStrata(strata, values);
  if (!(kBlocksPerSkewness * skewness * skewness <= recorded))
    return std::nullopt;
  return errorOfSquares(squares, recorded);
}

} // namespace

double skewnessOfTail(std::vector<double> values, double perGroup) {
  std::ranges::sort(values, std::greater<>());
  const auto count = static_cast<double>(values.size());
  const auto tail = static_cast<std::size_t>(std::min(count - 1, std::round(2 * std::sqrt(count))));
  const double from = std::max(values[tail], 0.1);
  double length = 0;
  for (std::size_t i = 0; i < tail; ++i)
    length += std::max(0.0, std::log(values[i] / from)) / static_cast<double>(tail);
  const double spread = length / normalExcess(static_cast<double>(tail) / count), squared = std::exp(spread * spread);
  return (squared + 2) * std::sqrt(squared - 1) * std::sqrt(perGroup);
}

double recordedBlocks(std::span<const SampleStratum> strata) {
  double out = 0;
  for (const SampleStratum &stratum : strata)
    out += sumOf(stratum.blocks);
  return out;
}

std::size_t sampleGroupOf(const format::WarpHeader &warp) {
  std::uint64_t hash = warp.gridId * 0x9e3779b97f4a7c15 + warp.block;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
  return hash >> 57;
}

bool isCertainToBeSeen(const format::WarpHeader &warp) {
  const double blocks = static_cast<double>(warp.gridX) * warp.gridY * warp.gridZ;
  return warp.sampled > 1 && (warp.flags & format::kWarpForeign) == 0 && blocks >= 14.0 * warp.sampled;
}

double SampleStratum::weight() const {
  const double recorded = sumOf(blocks);
  return std::max(within, 1u) * (isCertain && recorded > 0 && launched > 0 ? std::max(1.0, launched / recorded) : oneIn);
}

Estimate estimateTotal(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums) {
  double value = 0;
  for (std::size_t i = 0; i < strata.size(); ++i)
    value += strata[i].weight() * sumOf(sums[i]);
  return {value, errorOfTotal(strata, sums, sums)};
}

Estimate estimateRatio(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums, std::span<const BySampleGroup> counts) {
  const double count = estimateTotal(strata, counts).value;
  const double ratio = count > 0 ? estimateTotal(strata, sums).value / count : 0;
  const auto error = count > 0 ? errorOfRest(strata, sums, counts, ratio) : std::nullopt;
  return {ratio, error ? std::optional(*error / count) : std::nullopt};
}

std::optional<double> errorOfRest(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums,
                                  std::span<const BySampleGroup> counts, double ratio) {
  if (!estimateTotal(strata, sums).error)
    return std::nullopt;
  std::vector<BySampleGroup> rests(sums.begin(), sums.end());
  for (std::size_t stratum = 0; stratum < rests.size(); ++stratum)
    for (std::size_t i = 0; i < kBlockGroups; ++i)
      rests[stratum][i] -= ratio * counts[stratum][i];
  return errorOfTotal(strata, rests, sums);
}

Estimate estimateKnown(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums) {
  Estimate out{0, std::nullopt};
  BySampleGroup deviations{};
  for (std::size_t i = 0; i < strata.size(); ++i) {
    out.value += strata[i].weight() * sumOf(sums[i]);
    const BySampleGroup ofStratum = deviationsOf(strata[i], sums[i]);
    for (std::size_t group = 0; group < kBlockGroups; ++group)
      deviations[group] += ofStratum[group];
  }
  const double squares = std::inner_product(deviations.begin(), deviations.end(), deviations.begin(), 0.0);
  if (const double recorded = recordedBlocks(strata); squares == 0 || recorded >= kMinBlocks)
    out.error = squares == 0 ? 0 : errorOfSquares(squares, recorded);
  return out;
}

std::optional<double> blocksOfAsManyEntries(const SampleStratum &stratum, const BySampleGroup &counts) {
  const double recorded = sumOf(stratum.blocks), all = sumOf(counts);
  if (recorded < kMinBlocks || all <= 0)
    return std::nullopt;
  double squares = 0; // of single blocks' entries: those of groups have the products of blocks that fell together, too
  for (const double count : counts)
    squares += count * count;
  squares = kSkewnessGuard * std::max(0.0, squares - all * all / kGroups) * kGroups / (kGroups - 1);
  return std::min(recorded, all * all / std::max(squares, all * all / recorded));
}

} // namespace kperf::decoder
