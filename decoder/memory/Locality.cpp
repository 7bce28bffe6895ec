// Computes footprints, reuse distances and hit rates from references to a sample of the cache lines.
#include "decoder/memory/Locality.h"
#include "decoder/memory/StackDistance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace kperf::decoder {
namespace {

constexpr double kNormal95 = 1.96;     ///< half-width of 95 % of a normal distribution, in standard deviations
constexpr std::size_t kLineGroups = 8; ///< into which lines are put at random, to see how much estimates scatter
constexpr double kStudent95 = 2.365;   ///< of Student's t with kLineGroups - 1 degrees of freedom

/// A line's group: independent of its class.
std::size_t groupOfLine(std::uint64_t line) { return LineHash()(line) % kLineGroups; }

/// How many references a kept one stands for.
double weightOf(const ReferenceRun &run) { return run.sampled / run.rate(); }

/// Of `kept` lines out of all: each was kept with the run's rate, independently.
ReuseEstimate bytesOf(std::size_t kept, const ReferenceRun &run) {
  const double rate = run.rate(), lines = static_cast<double>(kept) / rate;
  return {lines * format::kLineBytes, kNormal95 * std::sqrt(lines * (1 - rate) / rate) * format::kLineBytes};
}

/// Values with weights, for their median.
class WeightedValues {
public:
  void add(double value, double weight) { values.emplace_back(value, weight); }
  std::optional<double> mean() const {
    double sum = 0, weights = 0;
    for (const auto &[value, weight] : values) {
      sum += value * weight;
      weights += weight;
    }
    return values.empty() ? std::nullopt : std::optional(sum / weights);
  }
  std::optional<double> median() {
    std::ranges::sort(values);
    const double half =
        std::accumulate(values.begin(), values.end(), 0.0, [](double sum, const auto &each) { return sum + each.second; }) / 2;
    double below = 0;
    for (const auto &[value, weight] : values)
      if (below += weight; below >= half)
        return value;
    return std::nullopt;
  }

private:
  std::vector<std::pair<double, double>> values;
};

/// Hits in caches of growing size, by one kind of distance.
class HitCurve {
public:
  /// `rate`: the share of the lines that were kept.
  HitCurve(double references, double rate) : references(references), rate(rate) {}

  bool isEmpty() const { return kept == 0; }
  /// `distance`: bytes of other lines, or nothing for a first use.
  void add(std::optional<double> distance, double weight, std::size_t group) {
    kept += weight;
    keptOf[group] += weight;
    if (distance)
      hits.push_back({*distance, weight, group});
  }

  /// References that the sample lacks, or has too many of, are those to single lines that all others come back to at once (SHARDS,
  /// section 3.3): hits in every cache.
  /// How many of a working set's lines were kept is a binomial number, and the same for all uses of that set: distances of about `bytes`
  /// may all be too long, or too short, by as many lines as that number is off. That, and how many uses the kept lines have, may be off in
  /// the same direction: the errors are added.
  ReuseEstimate percent(double bytes) const {
    const double whole = references > 0 ? references : kept;
    const double off = kNormal95 * std::sqrt(bytes * format::kLineBytes * (1 - rate) / rate);
    double sum = whole - kept, least = sum, most = sum;
    std::array<double, kLineGroups> sumOf;
    for (std::size_t group = 0; group < kLineGroups; ++group)
      sumOf[group] = whole / kLineGroups - keptOf[group];
    for (const Use &use : hits) {
      sum += use.distance < bytes ? use.weight : 0;
      sumOf[use.group] += use.distance < bytes ? use.weight : 0;
      least += use.distance < bytes - off ? use.weight : 0;
      most += use.distance < bytes + off ? use.weight : 0;
    }
    if (whole <= 0)
      return {};
    double scatter = 0;
    for (const double each : sumOf)
      scatter += std::pow((each - sum / kLineGroups) * kLineGroups, 2) / (kLineGroups * (kLineGroups - 1));
    const double error = rate == 1 ? 0 : kStudent95 * std::sqrt(scatter) + (most - least) / 2;
    return {std::clamp(100 * sum / whole, 0.0, 100.0), 100 * error / whole};
  }

private:
  struct Use {
    double distance, weight;
    std::size_t group;
  };
  double references, rate, kept = 0;
  std::array<double, kLineGroups> keptOf{};
  std::vector<Use> hits;
};

} // namespace

void Iterations::include(std::int32_t iteration) {
  if (iteration == format::kNoIteration)
    return;
  first = std::min(first.value_or(iteration), iteration);
  last = std::max(last.value_or(iteration), iteration);
}

Locality::Distances Locality::distancesOf(const ReferenceRun &run) {
  Distances out;
  std::vector<std::uint64_t> lines;
  for (const Reference &each : run.references)
    lines.push_back(each.line);
  out.device = stackDistances(lines);
  std::map<std::uint16_t, std::vector<std::size_t>> byMultiprocessor;
  for (std::size_t i = 0; i < run.references.size(); ++i)
    byMultiprocessor[run.references[i].multiprocessor].push_back(i);
  out.multiprocessor.resize(lines.size());
  for (const auto &[multiprocessor, indices] : byMultiprocessor) {
    lines.clear();
    for (const std::size_t index : indices)
      lines.push_back(run.references[index].line);
    const std::vector<std::uint32_t> own = stackDistances(lines);
    for (std::size_t i = 0; i < indices.size(); ++i)
      out.multiprocessor[indices[i]] = own[i];
  }
  return out;
}

Expected<Locality> Locality::read(std::span<const Trace> traces, const std::string &functions) {
  Expected<ReferenceRuns> runs = ReferenceRuns::read(traces, functions);
  if (!runs)
    return failure(runs.error());
  Locality out;
  out.runs = std::move(*runs);
  for (const ReferenceRun &run : out.runs.runs())
    out.distances.push_back(distancesOf(run));
  return out;
}

double Locality::rate() const {
  double least = 1;
  for (const ReferenceRun &run : runs.runs())
    least = std::min(least, run.rate());
  return least;
}

std::uint32_t Locality::sampled() const {
  std::uint32_t most = 1;
  for (const ReferenceRun &run : runs.runs())
    most = std::max(most, run.sampled);
  return most;
}

double Locality::keptShare() const {
  double kept = 0;
  for (const ReferenceRun &run : runs.runs())
    for (const Reference &each : run.references)
      if (each.isShown)
        kept += weightOf(run) * (each.isUpdate ? 2 : 1);
  return runs.unusable() == 0 && runs.counted() > 0 ? kept / runs.counted() : 1;
}

ReuseEstimate Locality::footprint() const {
  ReuseEstimate most;
  for (const ReferenceRun &run : runs.runs()) {
    std::unordered_set<std::uint64_t, LineHash> lines;
    for (const Reference &each : run.references)
      if (each.isShown)
        lines.insert(each.line);
    if (const ReuseEstimate bytes = bytesOf(lines.size(), run); bytes.value > most.value)
      most = bytes;
  }
  return most;
}

std::vector<GroupLocality> Locality::groups(const std::unordered_map<std::uint32_t, std::size_t> &groupOf, std::size_t count) const {
  std::vector<GroupLocality> out(count);
  std::vector<WeightedValues> device(count), multiprocessor(count);
  for (std::size_t r = 0; r < runs.runs().size(); ++r) {
    const ReferenceRun &run = runs.runs()[r];
    const double weight = weightOf(run), lineBytes = format::kLineBytes / run.rate();
    std::unordered_map<std::size_t, std::unordered_map<std::uint64_t, std::uint8_t, LineHash>> sectors; ///< by group and line
    for (std::size_t i = 0; i < run.references.size(); ++i) {
      const Reference &each = run.references[i];
      const auto group = groupOf.find(each.site);
      if (group == groupOf.end())
        continue;
      GroupLocality &sum = out[group->second];
      sum.references += weight * (each.isUpdate ? 2 : 1);
      sum.lineUses += (each.isUpdate ? 2 : 1) / run.rate();
      sectors[group->second][each.line] |= each.sectors;
      sum.iterations.include(each.iteration);
      const auto add = [&](std::vector<WeightedValues> &to, std::uint32_t distance) {
        if (distance != kFirstUse)
          to[group->second].add(distance * lineBytes, weight);
      };
      add(device, distances[r].device[i]);
      add(multiprocessor, distances[r].multiprocessor[i]);
      sum.firstUses += distances[r].device[i] == kFirstUse ? weight : 0;
    }
    for (const auto &[group, lines] : sectors) {
      const ReuseEstimate footprint = bytesOf(lines.size(), run);
      out[group].lines += footprint.value / format::kLineBytes;
      if (footprint.value <= out[group].footprint.value)
        continue;
      out[group].footprint = footprint;
      double touched = 0;
      for (const auto &[line, mask] : lines)
        touched += std::popcount(mask);
      out[group].touchedBytes = touched * format::kSectorBytes / run.rate();
    }
  }
  for (std::size_t group = 0; group < count; ++group) {
    out[group].distance = device[group].median();
    out[group].meanDistance = device[group].mean();
    out[group].smDistance = multiprocessor[group].median();
    if (out[group].references > 0)
      out[group].firstUses *= 100 / out[group].references;
  }
  return out;
}

std::vector<CacheHits> Locality::cacheHits() const {
  const double references = runs.unusable() == 0 ? runs.counted() : 0;
  HitCurve device(references, rate()), multiprocessor(references, rate());
  double largest = 0;
  for (std::size_t r = 0; r < runs.runs().size(); ++r) {
    const ReferenceRun &run = runs.runs()[r];
    const double weight = weightOf(run), lineBytes = format::kLineBytes / run.rate();
    std::unordered_set<std::uint64_t, LineHash> lines;
    for (const Reference &each : run.references)
      lines.insert(each.line);
    const ReuseEstimate all = bytesOf(lines.size(), run);
    largest = std::max(largest, all.value);
    for (std::size_t i = 0; i < run.references.size(); ++i) {
      const Reference &each = run.references[i];
      if (!each.isShown)
        continue;
      const std::size_t group = groupOfLine(each.line);
      const auto add = [&](HitCurve &curve, std::uint32_t distance) {
        curve.add(distance == kFirstUse ? std::nullopt : std::optional(distance * lineBytes), weight, group);
        if (each.isUpdate)
          curve.add(0, weight, group);
      };
      add(device, distances[r].device[i]);
      add(multiprocessor, distances[r].multiprocessor[i]);
    }
  }
  std::vector<CacheHits> out;
  for (std::uint64_t bytes = 1024; !device.isEmpty(); bytes *= 2) {
    out.push_back({bytes, device.percent(static_cast<double>(bytes)), multiprocessor.percent(static_cast<double>(bytes))});
    if (static_cast<double>(bytes) > largest || bytes >> 50 != 0)
      break;
  }
  return out;
}

} // namespace kperf::decoder
