// Estimates totals over all blocks from those that were recorded.
#include "decoder/totals/SampledBlocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kperf::decoder {
namespace {

double sumOf(const BySampleGroup &values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Of a sum over the stratum's blocks; nothing where it can't be told.
std::optional<double> varianceOfTotal(const SampleStratum &stratum, const BySampleGroup &sums) {
  constexpr double kGroups = kBlockGroups;
  const double total = sumOf(sums), recorded = sumOf(stratum.blocks), oneIn = stratum.oneIn;
  if (!stratum.isCertain) {
    const double ofGroups = std::inner_product(sums.begin(), sums.end(), sums.begin(), 0.0);
    const double squares = (kGroups * ofGroups - total * total) / (kGroups - 1);
    return oneIn * (oneIn - 1) * std::max(0.0, squares);
  }
  if (stratum.launched <= recorded)
    return 0;
  if (recorded < 2)
    return std::nullopt;
  double ofGroups = 0;
  for (std::size_t i = 0; i < kBlockGroups; ++i)
    ofGroups += std::pow(sums[i] - total / recorded * stratum.blocks[i], 2);
  const double between = kGroups / (kGroups - 1) * ofGroups / (recorded - 1);
  return stratum.launched * stratum.launched * (1 - recorded / stratum.launched) * between / recorded;
}

std::optional<double> errorOfTotal(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums) {
  double variance = 0, recorded = 0;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const auto ofStratum = varianceOfTotal(strata[i], sums[i]);
    if (!ofStratum)
      return std::nullopt;
    variance += *ofStratum;
    recorded += sumOf(strata[i].blocks);
  }
  const double degrees = std::min<double>(recorded, kBlockGroups) - 1;
  if (degrees < 1)
    return std::nullopt;
  return studentFactor(degrees) * std::sqrt(variance);
}

} // namespace

std::size_t sampleGroupOf(const format::WarpHeader &warp) {
  std::uint64_t hash = warp.gridId * 0x9e3779b97f4a7c15 + warp.block;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
  return hash >> 58;
}

bool isCertainToBeSeen(const format::WarpHeader &warp) {
  const double blocks = static_cast<double>(warp.gridX) * warp.gridY * warp.gridZ;
  return warp.sampled > 1 && (warp.flags & format::kWarpForeign) == 0 && blocks >= 14.0 * warp.sampled;
}

double SampleStratum::weight() const {
  const double recorded = sumOf(blocks);
  return isCertain && recorded > 0 && launched > 0 ? std::max(1.0, launched / recorded) : oneIn;
}

Estimate estimateTotal(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums) {
  double value = 0;
  for (std::size_t i = 0; i < strata.size(); ++i)
    value += strata[i].weight() * sumOf(sums[i]);
  return {value, errorOfTotal(strata, sums)};
}

Estimate estimateRatio(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums,
                       std::span<const BySampleGroup> counts) {
  const double count = estimateTotal(strata, counts).value;
  const double ratio = count > 0 ? estimateTotal(strata, sums).value / count : 0;
  std::vector<BySampleGroup> rests(sums.begin(), sums.end());
  for (std::size_t stratum = 0; stratum < rests.size(); ++stratum)
    for (std::size_t i = 0; i < kBlockGroups; ++i)
      rests[stratum][i] -= ratio * counts[stratum][i];
  const auto error = count > 0 ? errorOfTotal(strata, rests) : std::nullopt;
  return {ratio, error ? std::optional(*error / count) : std::nullopt};
}

/// Exact for one and two degrees, else M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.7.5: within 0.2
/// % from three on.
double studentFactor(double degreesOfFreedom) {
  constexpr double kNormal = 1.959963984540054;
  if (degreesOfFreedom < 2)
    return 12.7062047361747;
  if (degreesOfFreedom < 3)
    return 4.30265272974946;
  const double z = kNormal, n = degreesOfFreedom;
  return z + (std::pow(z, 3) + z) / (4 * n) + (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / (96 * n * n) +
         (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * std::pow(z, 3) - 15 * z) / (384 * n * n * n) +
         (79 * std::pow(z, 9) + 776 * std::pow(z, 7) + 1482 * std::pow(z, 5) - 1920 * std::pow(z, 3) - 945 * z) /
             (92160 * std::pow(n, 4));
}

} // namespace kperf::decoder
