// One side of a comparison.
#include "decoder/compare/DiffSide.h"
#include "decoder/span/RegionOrdinals.h"
#include "decoder/totals/SummaryTotals.h"
#include "decoder/trace/CompiledFunction.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/Records.h"
#include "decoder/trace/SameBuild.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kperf::decoder {
namespace {

/// What its kind is for telling regions apart: whichever annotation, option or rule asks for it, a span of code is one.
format::RegionKind comparedKind(format::RegionKind kind) {
  using Kind = format::RegionKind;
  return kind == Kind::Range || kind == Kind::Pragma || kind == Kind::Automatic ? Kind::Scope : kind;
}

std::map<std::uint32_t, RegionIdentity> identitiesOf(const RegionSet &regions) {
  const auto identityOf = [](const Region &region) {
    return RegionIdentity(CompiledFunction(region.function).name, region.name, comparedKind(region.kind), 0);
  };
  const std::vector<std::uint32_t> ordinals = ordinalsOf(regions, identityOf);
  std::map<std::uint32_t, RegionIdentity> out;
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    RegionIdentity &identity = out.emplace(i, identityOf(regions[i])).first->second;
    std::get<3>(identity) = ordinals[i];
  }
  return out;
}

/// `all`: of all launches together, where not all blocks are there.
void addRun(std::vector<RunValues> &runs, std::vector<double> values, const Trace &trace, bool isSampled, const Estimate &all) {
  if (!values.empty())
    runs.push_back({std::move(values), trace.header().createdUnixNs, isSampled, all});
}

Estimate scaled(const Estimate &estimate, double factor) {
  return {estimate.value * factor, estimate.error ? std::optional(*estimate.error * factor) : std::nullopt};
}

/// Latest end − earliest start: how far those of the blocks that are there are from those of all is not known.
void addDuration(SideKernel &kernel, std::vector<double> values, const Trace &trace, bool isSampled) {
  const double mean = values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  addRun(kernel.durationNs, std::move(values), trace, isSampled, {mean, std::nullopt});
}

void addTo(SideKernel &kernel, const Trace &trace, const KernelSamples &samples, const RegionSet &regions,
           const std::map<std::uint32_t, RegionIdentity> &identities, Measure measure) {
  const bool isSampled = samples.means.arePartial(), isVirtual = hostClock(trace) == "virtual clock";
  kernel.isSampled |= isSampled;
  kernel.warpsLaunched += samples.warpsLaunched;
  kernel.launches += samples.launches;
  kernel.warps += samples.warps;
  kernel.dropped += samples.dropped;
  kernel.untimed += samples.untimed;
  addDuration(kernel, samples.durationNs.values(), trace, isSampled && isVirtual); // else what it lacks is less than what runs differ by
  for (const auto &[index, region] : samples.regions) {
    SideRegion &side = kernel.regions[identities.at(index)];
    side.region = regions[index];
    side.visits += region.visits;
    std::vector<double> values = region.cycles.values();
    const Estimate all = samples.means.meanOf(region.sum, measure != Measure::Mean);
    addRun(side.cycles, values, trace, isSampled, all);
    for (double &value : values)
      value *= samples.rate.nsPerCycle;
    if (samples.rate.isKnown())
      addRun(side.ns, std::move(values), trace, isSampled, scaled(all, samples.rate.nsPerCycle));
  }
}

double valueOf(const KernelTotals &kernel, const RowTotals &row, Measure measure) {
  const bool isWeighed = kernel.sampling.launchIntervals.most > 1 && !row.isRecursive && row.count > 0;
  if (measure == Measure::Mean)
    return isWeighed ? static_cast<double>(row.inclusive) / static_cast<double>(row.count) : row.durations.mean();
  return static_cast<double>(measure == Measure::Total ? row.inclusive : row.exclusive) /
         static_cast<double>(std::max<std::uint64_t>(kernel.warps, 1));
}

/// A reduced trace as a run: one value of each kernel and region.
Status addReduced(DiffSide &side, const Trace &trace, const RegionSet &regions, const std::map<std::uint32_t, RegionIdentity> &identities,
                  const std::string &kernelPattern, Measure measure) {
  TotalsSink totals(regions, kernelPattern, false);
  totals.beginTrace(trace);
  if (Status status = addSummaries(trace, regions, totals); !status)
    return status;
  totals.estimateAllBlocks();
  for (std::uint32_t i = 0; i < totals.kernels().size(); ++i) {
    const KernelTotals &kernel = totals.kernels()[i];
    const LaunchLedger::Group &launches = totals.launches().group(i);
    const ClockRate rate = totals.rateOf(i, side.target);
    auto known = std::ranges::find(side.kernels, kernel.name, &SideKernel::name);
    if (known == side.kernels.end())
      known = side.kernels.insert(
          known, {.name = kernel.name, .plain = kernel.region < regions.size() ? regions[kernel.region].name : kernel.name});
    ++known->launches;
    const bool isSampled = kernel.sampling.interval > 1 || kernel.sampling.launchIntervals.most > 1;
    known->isSampled |= isSampled;
    known->warps += kernel.warps;
    known->warpsLaunched += launches.warpsLaunched;
    known->dropped += kernel.records.dropped;
    if (launches.timedLaunches > 0)
      addDuration(*known, {launches.durationNs / static_cast<double>(launches.timedLaunches)}, trace, isSampled && side.isVirtual);
    for (std::uint32_t node = 1; node < kernel.rows.size(); ++node) {
      const RowTotals &row = kernel.rows[node];
      const std::uint32_t index = kernel.paths[node].region;
      if (index >= regions.size() || isInstant(regions[index].kind) || row.count == 0)
        continue;
      SideRegion &region = known->regions[identities.at(index)];
      region.region = regions[index];
      region.visits += row.count;
      known->untimed += row.untimed();
      if (row.untimed() > 0)
        continue;
      const double cycles = valueOf(kernel, row, measure);
      addRun(region.cycles, {cycles}, trace, isSampled, {cycles, std::nullopt});
      if (rate.isKnown())
        addRun(region.ns, {cycles * rate.nsPerCycle}, trace, isSampled, {cycles * rate.nsPerCycle, std::nullopt});
    }
  }
  side.others.insert(side.others.end(), totals.others().begin(), totals.others().end());
  return {};
}

} // namespace

Expected<DiffSide> readSide(std::span<const Trace> traces, const std::string &kernelPattern, Measure measure) {
  if (Status status = checkSameBuild(traces); !status)
    return failure(status.error());
  DiffSide side;
  side.runs = traces.size();
  side.target = traces.front().header().target;
  side.isVirtual = hostClock(traces.front()) == "virtual clock"; // of all: checkSameBuild()
  for (const Trace &trace : traces) {
    RegionSet regions;
    regions.add(trace);
    const auto identities = identitiesOf(regions);
    for (const auto &[index, identity] : identities)
      side.regions.insert(identity);
    for (const format::DeviceRecord &device : trace.devices())
      side.devices.emplace_back(trace.string(device.name));
    if (trace.isReduced()) {
      ++side.reduced;
      if (Status status = addReduced(side, trace, regions, identities, kernelPattern, measure); !status)
        return failure(status.error());
      continue;
    }
    LaunchSamples samples(trace, regions, kernelPattern, measure);
    if (Status status = samples.run(); !status)
      return failure(status.error());
    for (const KernelSamples &kernel : samples.kernels()) {
      auto known = std::ranges::find(side.kernels, kernel.name, &SideKernel::name);
      if (known == side.kernels.end())
        known = side.kernels.insert(known, {.name = kernel.name, .plain = kernel.plain});
      addTo(*known, trace, kernel, regions, identities, measure);
    }
    side.others.insert(side.others.end(), samples.others().begin(), samples.others().end());
  }
  if (side.reduced > 0 && side.reduced < traces.size())
    return failure({.message = "some of the traces of one side are reduced and some are not",
                    .remedy = "a reduced trace has one value, a whole one each launch's: kperf reduce the others",
                    .file = traces.front().name()});
  return side;
}

Status checkComparable(const DiffSide &a, const Trace &firstOfA, const DiffSide &b, const Trace &firstOfB) {
  if (a.target != b.target)
    return failure({.message = fmt::format("its target is not that of {}", firstOfA.name()),
                    .found = named(b.target),
                    .expected = named(a.target),
                    .remedy = "times of different targets say nothing about each other",
                    .file = firstOfB.name()});
  if (Status status = checkSameClock(firstOfA, firstOfB); !status)
    return status;
  if ((a.reduced > 0) != (b.reduced > 0))
    return failure({.message = b.reduced > 0 ? fmt::format("it is reduced, and {} is not", firstOfA.name())
                                             : fmt::format("it is not reduced, and {} is", firstOfA.name()),
                    .remedy = "a reduced trace has one value, a whole one each launch's: kperf reduce the other",
                    .file = firstOfB.name()});
  return {};
}

} // namespace kperf::decoder
