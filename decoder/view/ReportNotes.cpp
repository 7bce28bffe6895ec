// Writes the notes of a report.
#include "decoder/view/ReportNotes.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/totals/ProbeShare.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/Records.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/GatheredNotes.h"
#include "decoder/view/LossNotes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kperf::decoder {
namespace {

using Notes = std::vector<std::string>;

/// "write, for:157": regions of the kernel's own body of which no record is there, so that they have no row.
std::string regionsWithoutRow(const KernelTotals &kernel, const RegionSet &regions) {
  std::string names;
  if (kernel.region >= regions.size())
    return names;
  std::set<std::uint32_t> there;
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node)
    there.insert(kernel.paths[node].region & ~KernelTotals::kOverlap);
  const Region &own = regions[kernel.region];
  if (own.function.empty())
    return names;
  const auto isEntered = [](const Region &region) {
    return region.id >= format::kFirstFreeId && !isInstant(region.kind) && region.kind != format::RegionKind::Kernel;
  };
  std::set<std::string> missing;
  for (std::uint32_t i = 0; i < regions.size(); ++i)
    if (!there.contains(i) && isEntered(regions[i]) && regions[i].function == own.function && regions[i].file == own.file)
      missing.insert(regions[i].name);
  for (const std::string &name : missing)
    if (names.size() < 60)
      names += (names.empty() ? "" : ", ") + name;
  return names;
}

void noteDropped(Notes &notes, const KernelTotals &kernel, const RegionSet &regions) {
  const RecordCounts &records = kernel.records;
  if (records.dropped == 0)
    return;
  if (records.skipped > 0) {
    notes.push_back(fmt::format("{} of {} are kept: {} came before, as KPERF_SKIP asks, and {} after; the time without records is the "
                                "row (not recorded)",
                                counted(records.produced - records.dropped, "record"), kernel.name, records.skipped,
                                records.dropped - records.skipped));
    return;
  }
  const std::optional<std::uint64_t> needed = kernel.recordsNeeded();
  notes.push_back(fmt::format("{} of the records of {} were dropped ({} of {}): raise KPERF_RECORDS above {}{}{}; the time without records "
                              "is the row (not recorded)",
                              percentText(static_cast<double>(records.dropped), static_cast<double>(records.produced)), kernel.name,
                              records.dropped, records.produced, kernel.maxCapacity,
                              needed ? fmt::format(" (one {} made {})", regions.terms().warp, *needed) : "",
                              kernel.keepsLast ? "" : ", or set KPERF_KEEP=last to see the end instead of the beginning"));
  if (const std::string names = regionsWithoutRow(kernel, regions); !names.empty())
    notes.push_back(fmt::format("{} has no record of {}: dropped, or not entered", kernel.name, names));
}

/// "load (k.cu:3), tile": the regions whose begins and ends do not match.
std::string unmatchedNames(const KernelTotals &kernel, const RegionSet &regions) {
  std::string names;
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node) {
    const RowTotals &row = kernel.rows[node];
    const std::uint32_t region = kernel.paths[node].region;
    if (row.unmatchedBegins + row.unmatchedEnds == 0 || region >= regions.size() || names.size() >= 60)
      continue;
    const std::string place = regions[region].location();
    names += (names.empty() ? "" : ", ") + regions[region].name + (place.empty() ? "" : " (" + place + ")");
  }
  return names;
}

void noteUnmatched(Notes &notes, const KernelTotals &kernel, const RegionSet &regions) {
  const RecordCounts &records = kernel.records;
  if (records.unmatchedBegins + records.unmatchedEnds > 0) {
    const std::string_view why = records.dropped > 0            ? "their other halves may be among the dropped records"
                                 : records.unmatchedBegins == 0 ? "some path through the kernel misses KPERF_BEGIN"
                                                                : "some path through the kernel misses KPERF_END, or begins the region "
                                                                  "again while it is open; an end counts for the oldest open "
                                                                  "begin, so times there may run from one entry's begin to another's end";
    notes.push_back(fmt::format("{} without an end and {} without a begin in {}, of {}: {}", counted(records.unmatchedBegins, "begin"),
                                counted(records.unmatchedEnds, "end"), kernel.name, unmatchedNames(kernel, regions), why));
  }
  if (records.empty + records.stale > 0)
    notes.push_back(fmt::format("{} of {} began and never ended: the {} left by a trap or exit inside, or was still running",
                                counted(records.empty + records.stale, "region"), kernel.name, regions.terms().warp));
  for (const auto &[region, warps] : kernel.stuck)
    notes.push_back(fmt::format("{} of {} did not come out of {} ({}): kperf overlap says who is missing there",
                                counted(warps, regions.terms().warp), kernel.name, regions[region].name, regions[region].location()));
  if (records.damaged > 0)
    notes.push_back(fmt::format("{} of {} made no sense (unknown region, impossible kind or clock) and were left out: the kernel may have "
                                "written over the recording, or program and trace do not belong together",
                                counted(records.damaged, "record"), kernel.name));
}

void noteWarps(Notes &notes, const KernelTotals &kernel, const LaunchLedger::Group &launches, const VendorTerms &terms) {
  if (kernel.unfinishedWarps > 0)
    notes.push_back(fmt::format("{} of {} had not finished: their time ends with their last record",
                                counted(kernel.unfinishedWarps, terms.warp), kernel.name));
  if (kernel.damagedWarps > 0)
    notes.push_back(fmt::format("{} of {} ended before they began by their own clocks and were left out",
                                counted(kernel.damagedWarps, terms.warp), kernel.name));
  if (kernel.foreignWarps > 0)
    notes.push_back(fmt::format("{} ran in kernels that were not rewritten, and were seen from their first region to their "
                                "last: durations and coverage of {} are those of what was seen",
                                counted(kernel.foreignWarps, terms.warp), kernel.name));
  if (kernel.sampling.isCut && kernel.foreignWarps == 0)
    notes.push_back(fmt::format("{} of the {}s of {} that were to be recorded found room ({} of some {:.0f}): raise KPERF_BUFFER_MB to "
                                "record all",
                                percentText(static_cast<double>(launches.warpsRecorded), launches.warpsChosen), terms.warp, kernel.name,
                                launches.warpsRecorded, launches.warpsChosen));
  if (launches.warpsRecorded < launches.warpsLaunched && kernel.foreignWarps == 0 && kernel.sampling.interval == 1)
    notes.push_back(fmt::format("{} of the {}s of {} were recorded ({} of {}): raise KPERF_BUFFER_MB to record all",
                                percentText(static_cast<double>(launches.warpsRecorded), static_cast<double>(launches.warpsLaunched)),
                                terms.warp, kernel.name, launches.warpsRecorded, launches.warpsLaunched));
}

/// How good the estimates of a kernel are, of which some of the `units` were recorded.
std::string errorsText(const KernelTotals &kernel, std::string_view unit, std::string_view units) {
  if (kernel.sampling.strata.empty())
    return "without confidence intervals, for the trace is reduced";
  if (kernel.sampling.isCut)
    return "but for what found no room, and how far off they are can't be known";
  const double recorded = recordedBlocks(kernel.sampling.strata);
  if (recorded < kMinBlocks)
    return fmt::format("and how far off they are can't be known from {:.0f} of them, fewer than {:g}: record one {} in fewer", recorded,
                       kMinBlocks, unit);
  const auto isKnown = [](const RowTotals &row) {
    return row.sampled.empty() || (row.errors.count && (row.errors.inclusive || row.durations.count() == 0));
  };
  std::string text;
  if (std::ranges::any_of(kernel.rows, [](const RowTotals &row) { return row.errors.count || row.errors.inclusive; }))
    text = fmt::format("and their 95 % confidence intervals are ± the errors given; what only one {} in {:.0f} or fewer does "
                       "may be missing in {:.0f} {}",
                       unit, std::floor(recorded / 3), recorded, units);
  if (!std::ranges::all_of(kernel.rows, isKnown))
    text += fmt::format("{} can't be known{}: all recorded {} are the same there, or a few of them make up most of the sum",
                        text.empty() ? "and how far off they are" : ", and how far off they are",
                        text.empty() ? "" : " where no error is given", units);
  return text;
}

/// "1 launch in 3", "1 launch in 3 to 64".
std::string launchesText(std::uint32_t least, std::uint32_t most) {
  return least == most ? fmt::format("1 launch in {}", most) : fmt::format("1 launch in {} to {}", least, most);
}

/// Which of the numbers are estimates.
void noteSampled(Notes &notes, const KernelTotals &kernel, const LaunchLedger::Group &launches, const VendorTerms &terms) {
  const auto &[least, most] = kernel.sampling.launchIntervals;
  if (most > 1)
    notes.push_back(
        fmt::format("{} of {} was recorded, as the overhead budget left time for it{}: warps, warp-time, count, total, self, mean, "
                    "duration and launches are estimates for all {}, {}; percentiles, max and imbalance are those of what was "
                    "recorded; a greater one (KPERF_OVERHEAD_BUDGET) records more",
                    launchesText(least, most), kernel.name,
                    kernel.sampling.interval > 1 ? fmt::format(" (and of these 1 {} in {})", terms.block, kernel.sampling.interval) : "",
                    counted(launches.launches, "launch"), errorsText(kernel, "launch", "launches")));
  else if (kernel.sampling.interval > 1)
    notes.push_back(fmt::format("1 {} in {} of {} was recorded{}: warps, warp-time, count, total and self are estimates for "
                                "all {}s, {}; mean, percentiles, max, imbalance and duration are those of what was recorded; "
                                "KPERF_SAMPLE=1 records every {}",
                                terms.block, kernel.sampling.interval, kernel.name,
                                kernel.sampling.strata.empty() ? "" : " (" + counted(launches.warpsRecorded, terms.warp) + ")", terms.block,
                                errorsText(kernel, terms.block, std::string(terms.block) + "s"), terms.block));
}

void noteSums(Notes &notes, const KernelTotals &kernel, const RegionSet &regions) {
  std::uint64_t overlapping = 0, untimed = 0;
  bool areKnown = true, areBounded = true, hasExtremes = true;
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node) {
    const RowTotals &row = kernel.rows[node];
    overlapping += row.overlapping;
    areKnown &= row.durations.areKnown();
    areBounded &= row.durations.areBounded();
    hasExtremes &= row.durations.areExtremesKnown();
    const std::uint32_t region = kernel.paths[node].region & ~KernelTotals::kOverlap;
    if (region < regions.size() && !isInstant(regions[region].kind))
      untimed += row.untimed();
  }
  if (!areKnown || untimed > 0)
    notes.push_back(fmt::format("entries of {} were summed up on the device: {}, no net times, no timeline{}{}", kernel.name,
                                areBounded && untimed == 0
                                    ? "percentiles by powers of two (each is the middle of what it lies in, p50-error and so on "
                                      "say how far the ends are: a third of it at most)"
                                    : "no percentiles",
                                hasExtremes ? "" : ", and no shortest and longest entry without --extremes",
                                overlapping ? "; what was recorded entry by entry beside them counts in total, not in share" : ""));
  else if (overlapping > 0)
    notes.push_back(fmt::format("{} of {} overlap others: they count in total, not in share", counted(overlapping, "span"), kernel.name));
  if (untimed > 0)
    notes.push_back(fmt::format("the time of {} {} of {} is not known: {}s that lived for 2^32 cycles or longer summed it up in "
                                "32 bits; their time is in the row (not recorded), and building with --extremes keeps it",
                                untimed, untimed == 1 ? "entry" : "entries", kernel.name, regions.terms().warp));
}

void noteNumbers(Notes &notes, const KernelTotals &kernel, const ClockRate &rate) {
  bool isExact = true;
  for (const RowTotals &row : kernel.rows)
    isExact &= row.durations.isExact();
  if (!isExact)
    notes.push_back(fmt::format("percentiles of {} come from a histogram: within {:.1f} %", kernel.name, 100 * Quantiles::kRelativeError));
  if (rate.source == ClockRate::Source::Nominal)
    notes.push_back(fmt::format("{} ran too briefly to measure its clock: ns assume the nominal {:.0f} MHz; cycles are exact", kernel.name,
                                1e3 / rate.nsPerCycle));
  if (rate.source == ClockRate::Source::None)
    notes.push_back(
        fmt::format("{} ran too briefly to measure its clock, and the device's nominal one is unknown: no ns are given", kernel.name));
  if (rate.source == ClockRate::Source::Fit && rate.relativeError > 0.001)
    notes.push_back(fmt::format("ns of {} are within {:.1f} %: the clock was measured over short runs; cycles are exact", kernel.name,
                                200 * rate.relativeError));
}

/// Whose time the share of probes is, where most blocks had none.
void notePlainBlocks(Notes &notes, const KernelTotals &kernel, const LaunchLedger::Group &launches, const ProbeCost &cost,
                     const VendorTerms &terms) {
  const std::optional<double> percent = probePercent(kernel, cost);
  const double share = probedShare(kernel, launches);
  if (!percent || kernel.sampling.interval == 1 || share >= 1)
    return;
  notes.push_back(fmt::format("probe-cost of {} is of the {}s that were recorded: the others ran without them, so that probes took {} of "
                              "the time of all",
                              kernel.name, terms.block, percentText(percentOfAll(*percent, share), 100)));
}

/// Regions whose time is not longer than what measuring it costs, by more than that cost is known.
void noteProbes(Notes &notes, const KernelTotals &kernel, const ProbeCost &cost, const RegionSet &regions) {
  if (!cost.isKnown)
    return;
  std::string names;
  bool hasPairs = false;
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node) {
    const RowTotals &row = kernel.rows[node];
    const std::uint32_t region = kernel.paths[node].region & ~KernelTotals::kOverlap;
    const bool isRange = region < regions.size() && regions[region].kind == format::RegionKind::Range;
    hasPairs |= isRange && row.hasUnknownProbes && row.nested.own + row.nested.shared == 0;
    const double net =
        static_cast<double>(row.inclusive) - row.outermost.times(cost.inside) - row.inside.times(cost.around) - cost.beside(row.marks);
    const double error = row.outermost.times(cost.spread) + row.inside.times(cost.spread);
    if (row.outermost.own + row.outermost.shared > 0 && !row.hasUnknownProbes &&
        net <= std::max(2 * error, 0.1 * row.outermost.times(cost.inside)) && region < regions.size() && names.size() < 60)
      names += (names.empty() ? "" : ", ") + regions[region].name;
  }
  if (!names.empty())
    notes.push_back(fmt::format("below the noise floor in {} ({}): no longer than the probe itself ({:.0f} cycles); put "
                                "the region around more work",
                                kernel.name, names, std::max(cost.inside[0], cost.inside[1])));
  if (kernel.records.sums == 0 && kernel.probeCycles(cost) > static_cast<double>(kernel.cycles))
    notes.push_back(fmt::format("probe-cost of {}: at what each probe cost in the runtime's own kernel, they would have taken more than "
                                "all of its time: here they cost less, and net times are lower bounds",
                                kernel.name));
  if (hasCostlyAtomics(kernel))
    notes.push_back(fmt::format("{} in {} recorded by lanes without lane 0 of their {}: each of them, of those in loops one "
                                "in eight, waits for an atomic (some 500 cycles on an H100), which probe-cost and net times leave out",
                                kernel.probes.withoutFirstLane == 1 ? "1 entry" : fmt::format("{} entries", kernel.probes.withoutFirstLane),
                                kernel.name + (kernel.probes.withoutFirstLane == 1 ? " was" : " were"), regions.terms().warp));
  if (hasPairs)
    notes.push_back(fmt::format(
        "{} has ranges whose begin and end are a record each (KPERF_BEGIN, or a pragma on a declaration): what these cost is not "
        "measured, so they have no net times, and net times of regions around them include it",
        kernel.name));
}

} // namespace

std::string counted(std::uint64_t count, std::string_view what) {
  const std::string_view plural = what.ends_with("ch") || what.ends_with("ss") ? "es" : "s";
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : plural);
}

std::string countedAre(std::uint64_t count, std::string_view what) { return counted(count, what) + (count == 1 ? " is" : " are"); }

std::string percentText(double part, double whole) {
  const double percent = whole > 0 ? 100 * part / whole : 0;
  if (part > 0 && part < whole)
    for (int decimals = 1; decimals < 6; ++decimals) {
      const double unit = std::pow(10, -decimals);
      if (percent >= unit / 2 && percent < 100 - unit / 2)
        return fmt::format("{:.{}f} %", percent, decimals);
    }
  return fmt::format("{:.0f} %", percent);
}

std::string sharedIdNote(const RegionSet &regions) {
  if (regions.conflicts() == 0)
    return "";
  return fmt::format("{} an id with a different one: their numbers are mixed",
                     regions.conflicts() == 1 ? "1 region shares" : fmt::format("{} regions share", regions.conflicts()));
}

std::vector<std::string> kernelNotes(const KernelTotals &kernel, const LaunchLedger::Group &launches, const ClockRate &rate,
                                     const ProbeCost &cost, const RegionSet &regions) {
  Notes notes;
  noteDropped(notes, kernel, regions);
  noteUnmatched(notes, kernel, regions);
  noteWarps(notes, kernel, launches, regions.terms());
  noteSums(notes, kernel, regions);
  noteSampled(notes, kernel, launches, regions.terms());
  noteNumbers(notes, kernel, rate);
  noteProbes(notes, kernel, cost, regions);
  notePlainBlocks(notes, kernel, launches, cost, regions.terms());
  return notes;
}

std::string measuredNote(const std::string &kernel, const MeasuredOverhead &overhead) {
  std::string text = fmt::format("overhead of {} is measured: {} with probes against {} without{}", kernel,
                                 counted(overhead.probed, "launch"), overhead.plain, overhead.isOfOneRun ? "" : ", in other runs");
  if (overhead.interval)
    return text + fmt::format("; with 95 % confidence {:+.1f} to {:+.1f} %", overhead.interval->first, overhead.interval->second);
  return text + "; what differs from run to run is not known";
}

Status addSampleNote(Notes &notes, std::span<const Trace> traces, std::string_view what) {
  std::uint32_t most = 1;
  for (const Trace &trace : traces) {
    const auto oneIn = trace.samplingInterval();
    if (!oneIn)
      return failure(oneIn.error());
    most = std::max(most, *oneIn);
  }
  const std::string_view block = termsOf(traces.front()).block;
  if (most > 1)
    notes.push_back(fmt::format("1 {} in {} was recorded: {}", block, most,
                                what.empty() ? fmt::format("what is shown is of those, not an estimate for all {}s", block) : what));
  return {};
}

Status addLaunchSampleNote(Notes &notes, std::span<const Trace> traces, std::string_view what) {
  HostLaunches launches;
  for (const Trace &trace : traces)
    if (Status status = launches.add(trace); !status)
      return status;
  const HostLaunches::Choices all = launches.all();
  if (all.intervals.most > 1 && all.plain > 0)
    notes.push_back(fmt::format("{} was recorded, as the overhead budget left time for it: {}",
                                launchesText(all.intervals.least, all.intervals.most), what));
  return {};
}

namespace {

/// `areSomeWeighed`: others' launches were counted for all for which they stand.
std::string plainText(const std::string &kernel, const HostLaunches::Choices &counts, bool areSomeWeighed) {
  if (counts.probed == 0)
    return fmt::format("no launch of {} was recorded: all {} ran without probes (KPERF_SAMPLE_LAUNCHES, KPERF_OVERHEAD_BUDGET, or kperf-cc "
                       "built it without)",
                       kernel, counts.plain);
  const std::string some = fmt::format("{} of {} launches of {} ran without probes", counts.plain, counts.plain + counts.probed, kernel);
  if (counts.intervals.most == 0)
    return fmt::format("{}: counts, totals and launches are of the other {}; shares, means and percentiles stand for all "
                       "(KPERF_SAMPLE_LAUNCHES=1 records every launch)",
                       some, counts.probed);
  return fmt::format(
      "{}: {} was recorded, as the overhead budget left time for it; {}", some, launchesText(counts.intervals.least, counts.intervals.most),
      areSomeWeighed ? "which these are of the trace's launches can't be told, because some left no warp or the kernel has no "
                       "probes of its own, so counts, totals and launches are of these alone"
                     : "kperf report estimates what all of them took");
}

/// Which kernels' launches ran without probes, one note for each of the first few, or of those of which it says the same.
Status addPlainNotes(Notes &notes, const Trace &trace, const LaunchWeights *weights) {
  constexpr std::size_t kMaxNotes = 5;
  HostLaunches launches;
  if (Status status = launches.add(trace); !status)
    return status;
  GatheredNotes gathered;
  for (const auto &[name, counts] : launches.withoutProbes())
    if (!weights || (!weights->areKnownOf(qualifiedNameOf(name)) && !counts.isOfSummaries))
      gathered.add(name, plainText(name.empty() ? "kernels without a name" : name, counts, weights != nullptr));
  std::size_t said = 0, left = 0;
  for (auto &[text, kernels] : gathered.take())
    if (said++ < kMaxNotes)
      notes.push_back(std::move(text));
    else
      left += kernels;
  if (left > 0)
    notes.push_back(fmt::format("of {} more kernels some launches ran without probes", left));
  return {};
}

} // namespace

Expected<std::vector<std::string>> traceNotes(std::span<const Trace> traces, const LaunchWeights *weights) {
  Notes notes;
  for (const Trace &trace : traces) {
    if (!trace.incomplete().empty())
      notes.push_back(
          fmt::format("{} is incomplete: {}; the program may still be running, or was killed", trace.name(), trace.incomplete()));
    for (const Section &section : trace.sections())
      if (!name(section.kind))
        notes.push_back(fmt::format("{} has a section of the unknown kind {} at byte {}: a newer kperf may know it", trace.name(),
                                    named(section.kind), section.offset));
    const auto losses = traceLosses(trace);
    if (!losses)
      return failure(losses.error());
    notes.insert(notes.end(), losses->begin(), losses->end());
    if (Status status = addPlainNotes(notes, trace, weights); !status)
      return failure(status.error());
    if (std::string glossary = glossaryOf(trace); !glossary.empty())
      notes.push_back(std::move(glossary));
  }
  return notes;
}

} // namespace kperf::decoder
