// Compares times of launches with probes and without, grid by grid.
#include "decoder/totals/LaunchTimes.h"
#include "decoder/span/ShortName.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/totals/Student.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {
namespace {

constexpr double kFewestTimed = 3; ///< launches of either kind in one grid

double square(double value) { return value * value; }

} // namespace

Expected<LaunchTimes> LaunchTimes::read(std::initializer_list<std::span<const Trace>> groups) {
  LaunchTimes out;
  for (const std::span<const Trace> group : groups)
    for (const Trace &each : group)
      if (Status status = out.add(each); !status)
        return failure(status.error());
  return out;
}

Status LaunchTimes::add(const Trace &next, const Devices &devices) {
  trace = &next;
  deviceOf = devices;
  recorded = recordedKernels(next);
  runsBefore = runCount;
  for (const Section &section : next.sections())
    if (section.kind == format::SectionKind::LaunchTimes)
      if (Status status = next.visitSection(section, *this); !status)
        return status;
  return {};
}

/// Rows of one run: weighted by their launches, as if each row's mean had an error of its own.
void LaunchTimes::Times::add(const format::LaunchTimesRecord &row) {
  const auto count = static_cast<double>(row.launches);
  const double all = launches + count;
  errorNs = std::sqrt(square(launches * errorNs) + square(count * row.errorNs)) / all;
  middleNs = (launches * middleNs + count * row.middleNs) / all;
  launches = all;
  totalNs += static_cast<double>(row.totalNs);
  freedom += count - 2 * std::floor(count / 5) - 1;
}

void LaunchTimes::launchTimes(std::span<const format::LaunchTimesRecord> rows) {
  for (const format::LaunchTimesRecord &row : rows) {
    std::string name(trace->string(row.kernel));
    const bool isPlain = (row.flags & format::kTimesPlain) != 0 || !recorded.contains(qualifiedNameOf(name));
    Shape shape{.device = deviceOf ? deviceOf(row.device) : row.device, .dynamicSharedBytes = row.dynamicSharedBytes};
    std::ranges::copy(row.grid, shape.grid.begin());
    std::ranges::copy(row.block, shape.block.begin());
    const std::uint32_t run = runsBefore + row.run;
    runCount = std::max(runCount, run + 1);
    kernels[std::move(name)][shape][run][isPlain].add(row);
  }
}

/// Null where none, or more than one, may be meant.
const LaunchTimes::Shapes *LaunchTimes::shapesOf(const std::string &kernel) const {
  if (const auto known = kernels.find(kernel); known != kernels.end())
    return &known->second;
  const std::string spelled = spelledKernelName(kernel), qualified = qualifiedNameOf(kernel);
  const Shapes *same = nullptr, *found = nullptr;
  std::size_t sameCount = 0, foundCount = 0;
  for (const auto &[name, shapes] : kernels) {
    if (spelledKernelName(name) == spelled)
      same = &shapes, ++sameCount;
    if (qualifiedNameOf(name) == qualified && !name.contains('<'))
      found = &shapes, ++foundCount;
  }
  if (sameCount > 0)
    return sameCount == 1 ? same : nullptr;
  return foundCount == 1 ? found : nullptr;
}

/// Of runs that have both kinds each counts alike on both sides, so that what differs from run to run does not tell the sides apart. Of
/// others each is one sample.
LaunchTimes::Mean LaunchTimes::meanOf(const Runs &runs, bool isPlain, bool isPaired) {
  Mean out;
  double weights = 0, errors = 0, runsOfSide = 0, ofRuns = 0;
  const auto weigh = [&](const Kinds &kinds) {
    return isPaired ? std::min(kinds[0].launches, kinds[1].launches) : kinds[isPlain].launches;
  };
  for (const auto &[run, kinds] : runs) {
    const double weight = weigh(kinds);
    if (weight == 0)
      continue;
    weights += weight;
    out.launches += kinds[isPlain].launches;
    out.ns += weight * kinds[isPlain].middleNs;
    errors += square(weight * kinds[isPlain].errorNs);
    out.freedom += kinds[isPlain].freedom;
    ++runsOfSide;
  }
  if (weights == 0)
    return out;
  out.ns /= weights;
  const double within = std::sqrt(errors) / weights;
  for (const auto &[run, kinds] : runs)
    ofRuns += weigh(kinds) > 0 ? square(kinds[isPlain].middleNs - out.ns) : 0;
  if (isPaired && out.freedom > 0)
    out.errorNs = within;
  else if (!isPaired && runsOfSide > 1)
    out.errorNs = std::max(within, std::sqrt(ofRuns / (runsOfSide * (runsOfSide - 1)))), out.freedom = runsOfSide - 1;
  return out;
}

std::optional<LaunchTimes::Pair> LaunchTimes::pairOf(const Runs &runs) {
  Pair pair;
  for (const bool isPaired : {true, false}) {
    pair = {meanOf(runs, false, isPaired), meanOf(runs, true, isPaired), isPaired};
    if (pair.probed.launches >= kFewestTimed && pair.plain.launches >= kFewestTimed && pair.plain.ns > 0)
      return pair;
  }
  return {};
}

std::optional<MeasuredOverhead> LaunchTimes::of(const std::string &kernel) const {
  const Shapes *const shapes = shapesOf(kernel);
  if (!shapes)
    return {};
  MeasuredOverhead out;
  double timed = 0, covered = 0, weights = 0, probedNs = 0, plainNs = 0, error = 0, freedom = 1e9;
  bool hasInterval = true;
  for (const auto &[shape, runs] : *shapes) {
    double own = 0;
    for (const auto &[run, kinds] : runs)
      own += kinds[0].launches + kinds[1].launches;
    timed += own;
    const auto pair = pairOf(runs);
    if (!pair)
      continue;
    covered += own;
    const double weight = pair->probed.launches + pair->plain.launches;
    weights += weight;
    out.probed += static_cast<std::uint64_t>(pair->probed.launches);
    out.plain += static_cast<std::uint64_t>(pair->plain.launches);
    out.isOfOneRun &= pair->isOfOneRun;
    probedNs += weight * pair->probed.ns;
    plainNs += weight * pair->plain.ns;
    hasInterval &= pair->probed.errorNs && pair->plain.errorNs;
    if (hasInterval) {
      // Of the logarithm of their ratio. Grids that ran in other runs than their like share what differs between runs: these errors add up.
      const double off = weight * std::hypot(*pair->probed.errorNs, *pair->plain.errorNs * pair->probed.ns / pair->plain.ns);
      error = pair->isOfOneRun ? std::hypot(error, off) : error + off;
      freedom = std::min({freedom, pair->probed.freedom, pair->plain.freedom});
    }
  }
  if (2 * covered < timed || plainNs <= 0)
    return {};
  const double ratio = probedNs / plainNs;
  out.percent = 100 * (ratio - 1);
  out.plainNs = plainNs / weights;
  if (const double factor = hasInterval ? std::exp(studentFactor(freedom) * error / probedNs) : 0; factor > 0)
    out.interval = {100 * (ratio / factor - 1), 100 * (ratio * factor - 1)};
  return out;
}

std::optional<double> LaunchTimes::together(std::span<const std::pair<std::string, double>> all) const {
  constexpr double kEnough = 0.9;
  double time = 0, known = 0, without = 0;
  for (const auto &[kernel, ns] : all) {
    time += ns;
    const auto measured = of(kernel);
    known += measured ? ns : 0;
    without += measured ? ns / (1 + measured->percent / 100) : 0;
  }
  if (without <= 0 || known < kEnough * time)
    return {};
  return 100 * (known / without - 1);
}

std::vector<std::pair<std::string, format::LaunchTimesRecord>> LaunchTimes::rows() const {
  std::vector<std::pair<std::string, format::LaunchTimesRecord>> out;
  for (const auto &[name, shapes] : kernels)
    for (const auto &[shape, runs] : shapes)
      for (const auto &[run, kinds] : runs)
        for (const bool isPlain : {false, true}) {
          const Times &times = kinds[isPlain];
          if (times.launches == 0)
            continue;
          format::LaunchTimesRecord row{.device = shape.device,
                                        .dynamicSharedBytes = shape.dynamicSharedBytes,
                                        .flags = isPlain ? format::kTimesPlain : 0u,
                                        .run = run,
                                        .launches = static_cast<std::uint64_t>(times.launches),
                                        .totalNs = static_cast<std::uint64_t>(times.totalNs),
                                        .middleNs = times.middleNs,
                                        .errorNs = times.errorNs};
          std::ranges::copy(shape.grid, row.grid);
          std::ranges::copy(shape.block, row.block);
          out.emplace_back(name, row);
        }
  return out;
}

} // namespace kperf::decoder
