// Tests whether two samples differ, and by how much.
#include "decoder/totals/RankTest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kperf::decoder {
namespace {

constexpr std::size_t kMaxExact = 40;
constexpr double kNormal975 = 1.959963984540054; ///< 97.5 % quantile of the standard normal distribution

/// Twice the mid-ranks of all values, in ascending order of the values, with whose they are.
struct Ranked {
  std::vector<std::uint32_t> doubled;
  double tieTerm = 0;       ///< sum of t^3 - t over the groups of equal values
  std::uint64_t sumOfB = 0; ///< of the doubled ranks of b
};

Ranked rank(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;
  for (const double value : a)
    all.emplace_back(value, false);
  for (const double value : b)
    all.emplace_back(value, true);
  std::ranges::sort(all);
  Ranked out;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].first == all[begin].first)
      ++end;
    const auto doubled = static_cast<std::uint32_t>(begin + end + 1);
    for (std::size_t i = begin; i < end; ++i) {
      out.doubled.push_back(doubled);
      out.sumOfB += all[i].second ? doubled : 0;
    }
    const auto ties = static_cast<double>(end - begin);
    out.tieTerm += ties * ties * ties - ties;
    begin = end;
  }
  return out;
}

/// How many ways there are to choose `count` of the ranks, by their sum.
std::vector<double> subsetSums(std::span<const std::uint32_t> ranks, std::size_t count) {
  std::size_t most = 0;
  for (const std::uint32_t rank : ranks)
    most += rank;
  std::vector<std::vector<double>> ways(count + 1, std::vector<double>(most + 1));
  ways[0][0] = 1;
  for (const std::uint32_t rank : ranks)
    for (std::size_t chosen = count; chosen-- > 0;)
      for (std::size_t sum = 0; sum + rank <= most; ++sum)
        ways[chosen + 1][sum + rank] += ways[chosen][sum];
  return ways[count];
}

double exactP(const Ranked &ranked, std::size_t countOfB) {
  const std::vector<double> ways = subsetSums(ranked.doubled, countOfB);
  // The distribution is symmetric about the mean of the ranks only without ties, so distances are compared.
  const double mean = static_cast<double>(countOfB) * static_cast<double>(ranked.doubled.size() + 1);
  const double distance = std::abs(static_cast<double>(ranked.sumOfB) - mean);
  double all = 0, extreme = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (std::abs(static_cast<double>(sum) - mean) >= distance - 1e-9)
      extreme += ways[sum];
  }
  return std::min(1.0, extreme / all);
}

double normalP(const Ranked &ranked, double a, double b) {
  const double n = a + b;
  const double variance = a * b / 12 * (n + 1 - ranked.tieTerm / (n * (n - 1)));
  if (variance <= 0)
    return 1;
  const double distance = std::abs(static_cast<double>(ranked.sumOfB) / 2 - b * (n + 1) / 2);
  return std::erfc(std::max(0.0, distance - 0.5) / std::sqrt(2 * variance));
}

/// How many of the sorted differences lie outside of the interval on each side; nothing when all of them are not
/// enough for 95 %.
std::optional<std::size_t> differencesOutside(std::size_t a, std::size_t b) {
  const auto pairs = static_cast<double>(a) * static_cast<double>(b);
  if (a + b > kMaxExact) {
    const double width = kNormal975 * std::sqrt(pairs * static_cast<double>(a + b + 1) / 12);
    const double outside = std::floor(pairs / 2 - width);
    return outside < 1 ? std::nullopt : std::optional(static_cast<std::size_t>(outside) - 1);
  }
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t i = 1; i <= a + b; ++i)
    ranks.push_back(i);
  const std::vector<double> ways = subsetSums(ranks, b);
  double all = 0;
  for (const double way : ways)
    all += way;
  const std::size_t least = b * (b + 1) / 2;
  double below = 0;
  std::size_t outside = 0;
  while (least + outside < ways.size() && (below += ways[least + outside]) / all <= 0.025)
    ++outside;
  return outside == 0 ? std::nullopt : std::optional(outside - 1);
}

} // namespace

double median(std::span<const double> values) {
  if (values.empty())
    return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

Shift shiftBetween(std::span<const double> a, std::span<const double> b) {
  Shift out;
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double before : a)
    for (const double after : b)
      differences.push_back(after - before);
  std::ranges::sort(differences);
  out.estimate = (differences[(differences.size() - 1) / 2] + differences[differences.size() / 2]) / 2;
  if (const auto outside = differencesOutside(a.size(), b.size()))
    out.interval = {differences[*outside], differences[differences.size() - 1 - *outside]};
  const Ranked ranked = rank(a, b);
  out.p = a.size() + b.size() <= kMaxExact ? exactP(ranked, b.size())
                                           : normalP(ranked, static_cast<double>(a.size()), static_cast<double>(b.size()));
  return out;
}

} // namespace kperf::decoder
