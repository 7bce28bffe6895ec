// Compares runs by the means of their launches, and single runs by their launches.
#include "decoder/compare/RunChange.h"
#include "decoder/totals/Student.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace kperf::decoder {
namespace {

constexpr std::size_t kTrimmed = 5; ///< one value in 5, at each end
constexpr std::size_t kBatches = 8, kMinLaunches = 4;
/// By how much of the square of its rise a straight line adds to the variance: two runs that follow each other on one
/// line differ by as much as each rises.
constexpr double kRiseShare = 0.15;
/// In the unit of the values, cycles or ns: what takes less is not told from nothing.
constexpr double kResolution = 0.5;

/// Where a side is, with the variance of that, both relative to where it is.
struct Level {
  double value = 0, variance = 0, degrees = 0;
};

double meanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Values less far out than the trimmed ones: those are as great as the last that is kept.
std::vector<double> winsorised(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double low = sorted[values.size() / kTrimmed], high = sorted[values.size() - 1 - values.size() / kTrimmed];
  std::vector<double> out(values.begin(), values.end());
  for (double &value : out)
    value = std::clamp(value, low, high);
  return out;
}

/// Takes the straight line and the mean from the values; by how much it rises from the first to behind the last.
double detrend(std::vector<double> &values) {
  const auto count = static_cast<double>(values.size());
  const double mean = meanOf(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at = static_cast<double>(i) - (count - 1) / 2;
    products += at * values[i];
    squares += at * at;
  }
  const double slope = products / squares;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] -= mean + slope * (static_cast<double>(i) - (count - 1) / 2);
  return slope * count;
}

/// Of one run, from its launches; at least 4.
Level levelOfLaunches(std::span<const double> launches) {
  const auto count = static_cast<double>(launches.size());
  const double kept = 1 - 2 * static_cast<double>(launches.size() / kTrimmed) / count;
  std::vector<double> values = winsorised(launches);
  const double rise = detrend(values) / kept;
  const std::size_t batches = std::min(launches.size(), std::clamp(launches.size() / 2, kMinLaunches, kBatches));
  double squares = 0;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t from = batch * launches.size() / batches, to = (batch + 1) * launches.size() / batches;
    squares += std::pow(meanOf(std::span(values).subspan(from, to - from)) / kept, 2);
  }
  const double degrees = static_cast<double>(batches) - 2, variance = squares / degrees / static_cast<double>(batches);
  // A line through values that do not rise has a slope too: its square is 12 times the variance of the mean.
  const double drift = std::max(0.0, rise * rise - 12 * variance);
  const double value = std::max(trimmedMean(launches), kResolution);
  return {value, (variance + kRiseShare * drift) / (value * value), degrees};
}

std::vector<double> valuesOf(std::span<const RunValues> runs) {
  std::vector<double> out;
  for (const RunValues &run : runs)
    out.push_back(std::max(trimmedMean(run.launches), kResolution));
  return out;
}

double squaresAbout(std::span<const double> values, double mean) {
  double out = 0;
  for (const double value : values)
    out += (value - mean) * (value - mean);
  return out;
}

/// Of several runs.
Level levelOfRuns(std::span<const double> runs) {
  const auto count = static_cast<double>(runs.size());
  const double mean = meanOf(runs);
  return {mean, squaresAbout(runs, mean) / (count - 1) / count / (mean * mean), count - 1};
}

struct Spread {
  double variance, degrees;
  double halfWidth() const { return studentFactor(degrees) * std::sqrt(variance); }
};

/// F. E. Satterthwaite, Biometrics Bulletin 2, 1946.
Spread unequalSpread(const Level &a, const Level &b) {
  const double sum = a.variance + b.variance;
  const double degrees = sum > 0 ? sum * sum / (a.variance * a.variance / a.degrees + b.variance * b.variance / b.degrees) : 1;
  return {sum, degrees};
}

/// As if runs of both sides differed alike.
Spread equalSpread(const Level &a, std::size_t countA, const Level &b, std::size_t countB) {
  const auto na = static_cast<double>(countA), nb = static_cast<double>(countB);
  const double degrees = na + nb - 2;
  const double one = (a.variance * na * a.degrees + b.variance * nb * b.degrees) / degrees;
  return {one * (1 / na + 1 / nb), degrees};
}

/// When each run was: by the clock where it says so, else one after the other.
std::vector<double> timesOf(std::span<const RunValues> before, std::span<const RunValues> after) {
  std::vector<std::uint64_t> clocks;
  for (const std::span<const RunValues> side : {before, after})
    for (const RunValues &run : side)
      clocks.push_back(run.createdUnixNs);
  std::vector<std::uint64_t> sorted = clocks;
  std::ranges::sort(sorted);
  const bool isKnown = sorted.front() > 0 && std::ranges::adjacent_find(sorted) == sorted.end();
  std::vector<double> out;
  for (std::size_t i = 0; i < clocks.size(); ++i)
    out.push_back(isKnown ? 1e-9 * static_cast<double>(clocks[i] - sorted.front()) : static_cast<double>(i));
  return out;
}

/// Whether all runs of one side began behind those of the other, by clocks that say so.
bool areInOrder(std::span<const RunValues> before, std::span<const RunValues> after) {
  const auto [firstA, lastA] = std::ranges::minmax(before, {}, &RunValues::createdUnixNs);
  const auto [firstB, lastB] = std::ranges::minmax(after, {}, &RunValues::createdUnixNs);
  const bool isKnown = firstA.createdUnixNs > 0 && firstB.createdUnixNs > 0;
  return isKnown && (lastA.createdUnixNs < firstB.createdUnixNs || lastB.createdUnixNs < firstA.createdUnixNs);
}

/// By how much a common straight line through the runs of both sides makes them differ; 0 where there is none at 5 %.
/// `times`: of all runs, those of `a` first.
double driftBetween(std::span<const double> a, std::span<const double> b, std::span<const double> times) {
  if (std::min(a.size(), b.size()) < 3)
    return 0;
  double products = 0, squares = 0, rest = 0, means[2];
  const std::span<const double> sides[2] = {a, b};
  const std::span<const double> at[2] = {times.first(a.size()), times.subspan(a.size())};
  for (unsigned side = 0; side < 2; ++side) {
    const double mean = meanOf(sides[side]);
    means[side] = meanOf(at[side]);
    for (std::size_t i = 0; i < sides[side].size(); ++i) {
      const double value = sides[side][i] / mean - 1, time = at[side][i] - means[side];
      products += time * value;
      squares += time * time;
      rest += value * value;
    }
  }
  const double slope = products / squares, degrees = static_cast<double>(times.size()) - 3;
  rest = std::max(0.0, rest - slope * products);
  const double t = slope / std::sqrt(rest / degrees / squares);
  return studentTwoSided(t, degrees) < 0.05 ? slope * (means[1] - means[0]) : 0;
}

/// How far the choice of blocks may put a side off, as a variance relative to where it is; nothing where that is not known.
std::optional<double> samplingVarianceOf(std::span<const RunValues> runs) {
  double sum = 0;
  for (const RunValues &run : runs) {
    if (!run.isSampled)
      continue;
    if (!run.all.error)
      return std::nullopt;
    sum += std::pow(*run.all.error / studentFactor(kMinBlocks - 1) / std::max(run.all.value, kResolution), 2);
  }
  return sum / static_cast<double>(runs.size());
}

class Comparison {
public:
  Comparison(std::span<const RunValues> before, std::span<const RunValues> after) : before(before), after(after) {}

  RunChange result() {
    out.isOfOneRun = std::min(before.size(), after.size()) == 1;
    const std::vector<double> a = valuesOf(before), b = valuesOf(after);
    out.before = before.size() == 1 ? trimmedMean(before[0].launches) : meanOf(a);
    out.after = after.size() == 1 ? trimmedMean(after[0].launches) : meanOf(b);
    ratio = std::log(meanOf(b) / meanOf(a));
    out.percent = out.before > 0 ? 100 * (out.after / out.before - 1) : out.after > 0 ? std::numeric_limits<double>::infinity() : 0;
    if (before.size() == 1 && after.size() == 1)
      compareLaunches();
    else if (before.size() == 1)
      compareLone(before[0], b);
    else if (after.size() == 1)
      compareLone(after[0], a);
    else
      compareRuns(a, b);
    return out;
  }

  RunChange ofSamples() {
    const Level a = levelOfSamples(before), b = levelOfSamples(after);
    out.isSampled = true;
    out.before = a.value;
    out.after = b.value;
    const double left = std::max(a.value, kResolution), right = std::max(b.value, kResolution);
    ratio = std::log(right / left);
    out.percent = out.before > 0 || out.after == 0 ? 100 * (right / left - 1) : std::numeric_limits<double>::infinity();
    if (samplingVariance())
      set(unequalSpread(a, b));
    return out;
  }

private:
  /// Of both sides together.
  std::optional<double> samplingVariance() const {
    const auto a = samplingVarianceOf(before), b = samplingVarianceOf(after);
    return a && b ? std::optional(*a + *b) : std::nullopt;
  }

  static Level levelOfSamples(std::span<const RunValues> runs) {
    std::vector<double> values;
    for (const RunValues &run : runs)
      values.push_back(run.all.value);
    Level out{meanOf(values), samplingVarianceOf(runs).value_or(0), kMinBlocks - 1};
    if (runs.size() > 1 && out.value > 0)
      out.variance += levelOfRuns(values).variance; // of programs that do other work in each run
    return out;
  }

  void set(const Spread &spread) {
    const double half = spread.variance > 0 ? spread.halfWidth() : 0;
    out.interval = {100 * std::expm1(ratio - half), 100 * std::expm1(ratio + half)};
    out.p = spread.variance > 0 ? studentTwoSided(ratio / std::sqrt(spread.variance), spread.degrees) : ratio == 0 ? 1 : 0;
  }

  void compareLaunches() {
    if (std::min(before[0].launches.size(), after[0].launches.size()) < kMinLaunches)
      return;
    set(unequalSpread(levelOfLaunches(before[0].launches), levelOfLaunches(after[0].launches)));
  }

  /// One run and several: it is taken to differ from others of its build as those differ from each other.
  void compareLone(const RunValues &lone, std::span<const double> others) {
    const std::span<const RunValues> runs = before.size() == 1 ? after : before;
    const auto least = std::ranges::min(runs, {}, [](const RunValues &run) { return run.launches.size(); });
    Level own;
    if (lone.launches.size() >= kMinLaunches)
      own = levelOfLaunches(lone.launches);
    else if (lone.launches.size() < least.launches.size())
      return;
    const Level level = levelOfRuns(others);
    const auto count = static_cast<double>(others.size());
    if (const auto sampling = samplingVariance())
      set({std::max(level.variance * count, own.variance) + level.variance + *sampling, level.degrees});
  }

  void compareRuns(std::span<const double> a, std::span<const double> b) {
    const Level left = levelOfRuns(a), right = levelOfRuns(b);
    Spread spread = unequalSpread(left, right);
    if (const Spread equal = equalSpread(left, a.size(), right, b.size()); equal.halfWidth() > spread.halfWidth())
      spread = equal;
    const double drift = driftBetween(a, b, timesOf(before, after));
    out.isDrifting = drift * ratio > 0;
    out.isInOrder = areInOrder(before, after);
    if (out.isDrifting)
      spread.variance += drift * drift / 4;
    if (const auto sampling = samplingVariance()) {
      spread.variance += *sampling;
      set(spread);
    }
  }

  std::span<const RunValues> before, after;
  double ratio = 0; ///< logarithm of after over before
  RunChange out;
};

} // namespace

double trimmedMean(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t trimmed = values.size() / kTrimmed;
  return meanOf(std::span(sorted).subspan(trimmed, values.size() - 2 * trimmed));
}

std::optional<RunChange> exactChange(std::span<const RunValues> before, std::span<const RunValues> after) {
  const auto isRepeated = [](std::span<const RunValues> runs) {
    return std::ranges::all_of(runs, [&](const RunValues &run) { return run.launches == runs.front().launches; });
  };
  const auto isUniform = [](std::span<const double> values) {
    return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
  };
  const std::span<const double> left = before.front().launches, right = after.front().launches;
  if (!isRepeated(before) || !isRepeated(after) || (left.size() != right.size() && !(isUniform(left) && isUniform(right))))
    return {};
  RunChange out{.before = meanOf(left), .after = meanOf(right), .isExact = true};
  const double percent = 100 * (std::max(out.after, kResolution) / std::max(out.before, kResolution) - 1);
  out.percent = out.before > 0 || out.after == 0 ? percent : std::numeric_limits<double>::infinity();
  out.interval = {percent, percent};
  out.p = percent == 0 ? 1 : 0;
  return out;
}

RunChange sampledChange(std::span<const RunValues> before, std::span<const RunValues> after) {
  return Comparison(before, after).ofSamples();
}

RunChange changeBetween(std::span<const RunValues> before, std::span<const RunValues> after) { return Comparison(before, after).result(); }

} // namespace kperf::decoder
