// Scales a kernel's sums from its recorded blocks to all of its blocks.
#include "decoder/totals/SampledTotals.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/totals/LaunchWeights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kperf::decoder {
namespace {

std::uint64_t rounded(double value) {
  return value <= 0 ? 0 : value < 0x1p64 ? static_cast<std::uint64_t>(std::round(value)) : ~std::uint64_t{0};
}

double sumOfGroups(const BySampleGroup &groups) { return std::accumulate(groups.begin(), groups.end(), 0.0); }

/// A sum for all blocks: what is of a stratum counts `weight` times.
class Scaling {
public:
  explicit Scaling(const std::vector<SampleStratum> &strata) {
    for (const SampleStratum &stratum : strata)
      weights.push_back(stratum.weight());
  }

  /// `partOf(stratum)`: what of the sum is of each stratum.
  template <typename Part> double apply(std::uint64_t sum, std::size_t strata, Part partOf) const {
    double out = static_cast<double>(sum);
    for (std::size_t i = 0; i < strata; ++i)
      out += (weights[i] - 1) * partOf(i);
    return out;
  }

private:
  std::vector<double> weights;
};

void multiply(std::uint64_t &sum, double factor) { sum = rounded(static_cast<double>(sum) * factor); }

void multiply(ProbeCounts &counts, double factor) {
  multiply(counts.own, factor);
  multiply(counts.shared, factor);
}

/// `error` is in the unit of `value`; of nothing there is no share.
std::optional<double> shareOf(const std::optional<double> &error, double value) {
  return error && value > 0 ? std::optional(*error / value) : std::nullopt;
}

/// One sum of each stratum.
template <typename Each> std::vector<BySampleGroup> groupsOf(const std::vector<Each> &strata, BySampleGroup Each::*sum) {
  std::vector<BySampleGroup> out;
  for (const Each &each : strata)
    out.push_back(each.*sum);
  return out;
}

/// What was recorded in full has no error, but is part of the sum that the error is a share of.
std::optional<double> shareOfTotal(const std::vector<SampleStratum> &strata, const std::vector<BySampleGroup> &sums, std::uint64_t whole) {
  return shareOf(estimateTotal(strata, sums).error, static_cast<double>(whole));
}

/// Of part ÷ whole, both for all blocks, where `sums` and `of` are what of them is of blocks that stand for others.
std::optional<double> shareOfRatio(const std::vector<SampleStratum> &strata, const std::vector<BySampleGroup> &sums,
                                   const std::vector<BySampleGroup> &of, std::uint64_t part, std::uint64_t whole) {
  if (part == 0 || whole == 0)
    return std::nullopt;
  const double ratio = static_cast<double>(part) / static_cast<double>(whole);
  return shareOf(errorOfRest(strata, sums, of, ratio), static_cast<double>(part));
}

/// `cycles`, by stratum, and `whole`: of the kernel.
void setErrors(RowTotals &row, const std::vector<SampleStratum> &strata, const std::vector<BySampleGroup> &cycles, std::uint64_t whole) {
  const auto counts = groupsOf(row.sampled, &SampledRow::count), inclusive = groupsOf(row.sampled, &SampledRow::inclusive),
             exclusive = groupsOf(row.sampled, &SampledRow::exclusive);
  row.errors.count = shareOfTotal(strata, counts, row.count);
  row.errors.inclusive = shareOfTotal(strata, inclusive, row.inclusive);
  row.errors.exclusive = shareOfTotal(strata, exclusive, row.exclusive);
  row.errors.inclusiveShare = shareOfRatio(strata, inclusive, cycles, row.inclusive, whole);
  row.errors.share = shareOfRatio(strata, exclusive, cycles, row.exclusive, whole);
  if (row.durations.count() > 0 && !row.isRecursive) {
    const Estimate mean = estimateRatio(strata, inclusive, counts);
    row.errors.mean = shareOf(mean.error, mean.value);
  }
  // Entries of several strata, and those of blocks that stand for none but themselves, would have to count by their weights.
  if (strata.size() == 1 && strata.front().within == 0 && sumOfGroups(counts.front()) == static_cast<double>(row.recorded))
    row.errors.blocks = blocksOfAsManyEntries(strata.front(), counts.front());
}

/// Of a kernel's sums, which are estimates by now.
void setErrors(KernelTotals &kernel, bool isOfOneSize) {
  const std::vector<SampleStratum> &strata = kernel.sampling.strata;
  const auto warps = groupsOf(kernel.sampling.lives, &SampledLife::warps), cycles = groupsOf(kernel.sampling.lives, &SampledLife::cycles),
             notRecorded = groupsOf(kernel.sampling.lives, &SampledLife::notRecorded);
  auto unattributed = cycles;
  for (std::size_t i = 0; i < strata.size(); ++i)
    for (std::size_t group = 0; group < kBlockGroups; ++group) {
      unattributed[i][group] -= notRecorded[i][group];
      for (const RowTotals &row : kernel.rows)
        unattributed[i][group] -= i < row.sampled.size() ? row.sampled[i].exclusive[group] : 0;
    }
  LifeErrors &errors = kernel.sampling.errors;
  errors.warps =
      shareOf((isOfOneSize ? estimateKnown(strata, warps) : estimateTotal(strata, warps)).error, static_cast<double>(kernel.warps));
  errors.cycles = shareOfTotal(strata, cycles, kernel.cycles);
  errors.notRecorded = shareOfTotal(strata, notRecorded, kernel.notRecorded);
  errors.notRecordedShare = shareOfRatio(strata, notRecorded, cycles, kernel.notRecorded, kernel.cycles);
  errors.unattributed = shareOfTotal(strata, unattributed, kernel.unattributed);
  errors.unattributedShare = shareOfRatio(strata, unattributed, cycles, kernel.unattributed, kernel.cycles);
}

void estimateRow(RowTotals &row, const std::vector<SampleStratum> &strata, const Scaling &scaling) {
  if (row.sampled.empty())
    return;
  row.sampled.resize(strata.size());
  const double count = scaling.apply(row.count, strata.size(), [&](std::size_t i) { return sumOfGroups(row.sampled[i].count); });
  const double scale = row.count > 0 ? count / static_cast<double>(row.count) : 1;
  row.recorded = row.count - row.estimatedCount;
  row.count = rounded(count);
  row.scale = row.recorded > 0 ? static_cast<double>(row.count) / static_cast<double>(row.recorded) : 1;
  row.inclusive =
      rounded(scaling.apply(row.inclusive, strata.size(), [&](std::size_t i) { return sumOfGroups(row.sampled[i].inclusive); }));
  row.exclusive =
      rounded(scaling.apply(row.exclusive, strata.size(), [&](std::size_t i) { return sumOfGroups(row.sampled[i].exclusive); }));
  for (std::uint64_t *sum : {&row.overlapping, &row.warps})
    multiply(*sum, scale);
  for (std::uint64_t &cycles : row.bySm)
    multiply(cycles, scale);
  for (ProbeCounts *probes : {&row.outermost, &row.inside, &row.marks, &row.nested, &row.children})
    multiply(*probes, scale);
}

/// All warps of a launch are in one group where launches were chosen.
std::size_t groupOf(const format::WarpHeader &warp, const LaunchWeight *launch) {
  format::WarpHeader whole = warp;
  whole.block = launch ? 0 : warp.block;
  return sampleGroupOf(whole);
}

} // namespace

std::size_t stratumOf(std::vector<SampleStratum> &strata, const format::WarpHeader &warp, const LaunchWeight *launch) {
  SampleStratum wanted{warp.sampled, isCertainToBeSeen(warp)};
  if (launch)
    wanted = {launch->oneIn, true, 0, {}, std::max(warp.sampled, 1u)};
  const auto known = std::ranges::find_if(strata, [&](const SampleStratum &each) {
    return each.oneIn == wanted.oneIn && each.isCertain == wanted.isCertain && each.within == wanted.within;
  });
  const auto index = static_cast<std::size_t>(known - strata.begin());
  if (index == strata.size())
    strata.push_back(wanted);
  return index;
}

void addSampled(KernelTotals &kernel, const WarpSpans &warp, const LaunchWeight *launch, std::uint64_t warpsOfBlock,
                std::uint64_t notRecorded, std::span<const std::uint32_t> touched, std::span<const WarpSums> sums) {
  const std::size_t stratum = stratumOf(kernel.sampling.strata, warp.header, launch), group = groupOf(warp.header, launch);
  SampleStratum &sample = kernel.sampling.strata[stratum];
  kernel.sampling.lives.resize(kernel.sampling.strata.size());
  kernel.sampling.interval = std::max(kernel.sampling.interval, warp.header.sampled);
  double part = 1 / static_cast<double>(std::max<std::uint64_t>(warpsOfBlock, 1)); // of the block, or the launch
  if (launch) {
    part *= sample.within / std::max(1.0, static_cast<double>(warp.header.gridX) * warp.header.gridY * warp.header.gridZ);
    sample.launched += part * launch->launches;
  }
  sample.blocks[group] += part;
  ++kernel.sampling.lives[stratum].warps[group];
  kernel.sampling.lives[stratum].cycles[group] += static_cast<double>(warp.cycles());
  kernel.sampling.lives[stratum].notRecorded[group] += static_cast<double>(notRecorded);
  for (const std::uint32_t node : touched) {
    std::vector<SampledRow> &rows = kernel.rows[node].sampled;
    rows.resize(kernel.sampling.strata.size());
    rows[stratum].count[group] += static_cast<double>(sums[node].count);
    rows[stratum].inclusive[group] += static_cast<double>(sums[node].inclusive);
    rows[stratum].exclusive[group] += static_cast<double>(sums[node].exclusive);
  }
}

void addProbed(KernelTotals &kernel, const WarpSpans &warp, std::uint64_t warpsOfBlock, double launches, bool isHost,
               std::span<const std::uint32_t> touched, std::span<const WarpSums> sums) {
  const ProbedEntries each = probedBy(warp.header, warpsOfBlock, launches, isHost);
  kernel.sampling.probedWarps += each;
  kernel.sampling.areOthersPlain &= (warp.header.flags & format::kWarpOthersPlain) != 0;
  for (const std::uint32_t node : touched)
    kernel.rows[node].probed += each.times(static_cast<double>(sums[node].count));
}

bool isFewerThanChosen(const LaunchLedger::Group &launches, std::uint32_t oneIn) {
  const double threads = launches.blockVaries ? 1024 : static_cast<double>(launches.block[0]) * launches.block[1] * launches.block[2];
  const double perBlock = std::ceil(threads / 32) * oneIn;
  return static_cast<double>(launches.warpsRecorded) < launches.warpsChosen - 4 * std::sqrt(launches.warpsChosen * perBlock);
}

bool isFewerThanChosen(const KernelTotals &kernel, const LaunchLedger::Group &launches) {
  return isFewerThanChosen(launches, kernel.sampling.strata.empty() ? kernel.sampling.interval : 1); // reduced: scaled
}

void setLaunchedBlocks(std::vector<SampleStratum> &strata, const LaunchLedger::Group &launches, bool isCut) {
  for (SampleStratum &stratum : strata) {
    if (isCut && stratum.within == 0)
      stratum.isCertain = false; // what there was no room for is missing from the sums
    for (const auto &[oneIn, blocks] : launches.certainBlocks)
      if (stratum.isCertain && stratum.within == 0 && stratum.oneIn == oneIn)
        stratum.launched = blocks;
  }
}

bool areLaunchesSampled(std::span<const KernelTotals> kernels) {
  return std::ranges::any_of(kernels, [](const KernelTotals &kernel) { return kernel.sampling.launchIntervals.most > 1; });
}

void estimateKernel(KernelTotals &kernel, const LaunchLedger::Group &launches) {
  if (kernel.sampling.strata.empty())
    return;
  setLaunchedBlocks(kernel.sampling.strata, launches, kernel.sampling.isCut);
  const Scaling scaling(kernel.sampling.strata);
  const std::vector<SampledLife> &lives = kernel.sampling.lives;
  const double cycles = scaling.apply(kernel.cycles, lives.size(), [&](std::size_t i) { return sumOfGroups(lives[i].cycles); });
  const double scale = kernel.cycles > 0 ? cycles / static_cast<double>(kernel.cycles) : 1;
  kernel.notRecorded =
      rounded(scaling.apply(kernel.notRecorded, lives.size(), [&](std::size_t i) { return sumOfGroups(lives[i].notRecorded); }));
  std::uint64_t explained = kernel.notRecorded;
  for (RowTotals &row : kernel.rows) {
    estimateRow(row, kernel.sampling.strata, scaling);
    explained += row.exclusive;
  }
  kernel.cycles = std::max(rounded(cycles), explained); // each was rounded for itself
  kernel.unattributed = kernel.cycles - explained;
  kernel.warps = rounded(scaling.apply(kernel.warps, lives.size(), [&](std::size_t i) { return sumOfGroups(lives[i].warps); }));
  if (kernel.sampling.launchIntervals.most > 1 && kernel.sampling.interval == 1 && launches.warpsRecorded == launches.warpsLaunched)
    kernel.warps = launches.warpsLaunched + rounded(launches.unseenWarps); // none is missing, by rounding either
  multiply(kernel.probes.all, scale);
  multiply(kernel.probes.marks, scale);
  multiply(kernel.probes.topLevel, scale);
  if (kernel.sampling.isCut)
    return;
  const std::vector<BySampleGroup> lifeCycles = groupsOf(lives, &SampledLife::cycles);
  for (RowTotals &row : kernel.rows)
    if (!row.sampled.empty())
      setErrors(row, kernel.sampling.strata, lifeCycles, kernel.cycles);
  const bool areLaunches = std::ranges::any_of(kernel.sampling.strata, [](const SampleStratum &each) { return each.within > 0; });
  setErrors(kernel, !areLaunches && !launches.blockVaries);
}

} // namespace kperf::decoder
