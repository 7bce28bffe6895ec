// Converts kernels' sums to the summaries of a reduced trace, and back.
#include "decoder/totals/SummaryTotals.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>

namespace kperf::decoder {
namespace {

constexpr std::uint32_t flagIf(bool isSet, std::uint32_t flag) { return isSet ? flag : 0; }

/// Sums of what damaged traces say may be too large for what holds them in a file.
std::uint64_t saturated(double sum) { return sum < 0x1p64 ? static_cast<std::uint64_t>(sum) : ~std::uint64_t{0}; }
double finite(double sum) { return std::min(sum, std::numeric_limits<double>::max()); }

using format::SummaryCounter;
using format::SummaryRowCounter;

/// Calls `visit(index, member)` for each counter that is a plain sum over warps, and so is one of `kernel`'s.
template <typename Kernel, typename Visit> void forKernelSums(Kernel &kernel, Visit visit) {
  visit(format::kSummaryWarps, kernel.warps);
  visit(format::kSummaryUnfinishedWarps, kernel.unfinishedWarps);
  visit(format::kSummaryDamagedWarps, kernel.damagedWarps);
  visit(format::kSummaryForeignWarps, kernel.foreignWarps);
  visit(format::kSummaryCycles, kernel.cycles);
  visit(format::kSummaryUnattributed, kernel.unattributed);
  visit(format::kSummaryNotRecorded, kernel.notRecorded);
  visit(format::kSummaryProduced, kernel.records.produced);
  visit(format::kSummaryDropped, kernel.records.dropped);
  visit(format::kSummarySpans, kernel.records.spans);
  visit(format::kSummaryPairs, kernel.records.pairs);
  visit(format::kSummaryUnmatchedBegins, kernel.records.unmatchedBegins);
  visit(format::kSummaryUnmatchedEnds, kernel.records.unmatchedEnds);
  visit(format::kSummaryMarks, kernel.records.marks);
  visit(format::kSummaryEmpty, kernel.records.empty);
  visit(format::kSummaryStale, kernel.records.stale);
  visit(format::kSummaryDamaged, kernel.records.damaged);
  visit(format::kSummaryOwnProbes, kernel.probes.all.own);
  visit(format::kSummarySharedProbes, kernel.probes.all.shared);
  visit(format::kSummaryOwnOnTop, kernel.probes.topLevel.own);
  visit(format::kSummarySharedOnTop, kernel.probes.topLevel.shared);
  visit(format::kSummarySums, kernel.records.sums);
}

template <typename Row, typename Visit> void forRowSums(Row &row, Visit visit) {
  visit(format::kRowCount, row.count);
  visit(format::kRowOverlapping, row.overlapping);
  visit(format::kRowSelf, row.exclusive);
  visit(format::kRowTotal, row.inclusive);
  visit(format::kRowUnmatchedBegins, row.unmatchedBegins);
  visit(format::kRowUnmatchedEnds, row.unmatchedEnds);
  visit(format::kRowWarps, row.warps);
  visit(format::kRowOutermostOwn, row.outermost.own);
  visit(format::kRowOutermostShared, row.outermost.shared);
  visit(format::kRowInsideOwn, row.inside.own);
  visit(format::kRowInsideShared, row.inside.shared);
  visit(format::kRowNestedOwn, row.nested.own);
  visit(format::kRowNestedShared, row.nested.shared);
  visit(format::kRowChildrenOwn, row.children.own);
  visit(format::kRowChildrenShared, row.children.shared);
}

class SummaryReader final : public TraceVisitor {
public:
  SummaryReader(const Trace &trace, const RegionSet &regions, TotalsSink &totals)
      : regions(regions), totals(totals), saysRecursion(trace.header().versionMinor >= 19),
        isHost(trace.header().target == format::Target::Host) {}

  void summary(const format::SummaryRecord &record) override;
  void summaryRow(const SummaryRow &row) override;
  void summedLengths(std::span<const format::SummedLengthsRecord> rows) override;
  void markProbes(std::span<const format::MarkProbesRecord> rows) override;
  void sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) override;

  /// The first one that no row had so many summed entries for.
  const std::optional<format::SummedLengthsRecord> &strayLengths() const { return stray; }
  /// The first one that there is no row for.
  const std::optional<format::MarkProbesRecord> &strayMarks() const { return strayMark; }
  /// The first one that there is no summary of so many launches for.
  const std::optional<format::SampledLaunchesRecord> &strayLaunches() const { return strayLaunch; }

private:
  /// What entries, or warps, of the summary at hand count as.
  ProbedEntries probed(double all, double recorded) const { return probedBy(atHand, all, recorded, regions.lanes(), isHost); }

  /// What of a row's sums is of no recorded entry, if they are estimates.
  struct Estimated {
    std::uint64_t count, cycles;
    void addTo(RowTotals &row) const {
      row.estimatedCount += count;
      row.estimatedCycles += cycles;
    }
  };
  /// One that was read, for what comes behind it.
  struct Read {
    std::uint64_t launches, warpsLaunched, durationNs;
    bool isOfSample, areLaunchesSampled = false;
    std::optional<std::size_t> kernel = {};  ///< nothing: its rows were skipped
    std::vector<std::uint32_t> nodes = {};   ///< of its rows, the first of which is number 1; before them the root
    std::vector<std::uint64_t> unknown = {}; ///< their summed entries that no length is known of yet
    std::vector<Estimated> estimated = {};   ///< of its rows
  };

  const RegionSet &regions;
  TotalsSink &totals;
  bool saysRecursion, isHost;
  format::SummaryRecord atHand{};
  KernelTotals *kernel = nullptr; ///< null: its rows are skipped
  std::vector<Read> summaries;    ///< of the trace so far
  std::optional<format::SummedLengthsRecord> stray;
  std::optional<format::MarkProbesRecord> strayMark;
  std::optional<format::SampledLaunchesRecord> strayLaunch;
};

void SummaryReader::summary(const format::SummaryRecord &record) {
  atHand = record;
  kernel = nullptr;
  const auto &counts = record.counts;
  summaries.push_back({.launches = counts[format::kSummaryLaunches],
                       .warpsLaunched = counts[format::kSummaryWarpsLaunched],
                       .durationNs = counts[format::kSummaryDurationNs],
                       .isOfSample = record.sampled > 1});
  if ((record.flags & (totals.isByPath() ? format::kSummaryByPath : format::kSummaryByRegion)) == 0)
    return;
  LaunchLedger::Group launches{.launches = counts[format::kSummaryLaunches],
                               .warpsLaunched = counts[format::kSummaryWarpsLaunched],
                               .warpsRecorded = counts[format::kSummaryWarps],
                               .warpsChosen = static_cast<double>(counts[format::kSummaryWarpsLaunched]), // of estimated ones
                               .timedLaunches = counts[format::kSummaryTimedLaunches],
                               .durationNs = static_cast<double>(counts[format::kSummaryDurationNs]),
                               .gridVaries = (record.flags & format::kSummaryGridVaries) != 0,
                               .blockVaries = (record.flags & format::kSummaryBlockVaries) != 0,
                               .clock = {record.cyclesCycles, record.cyclesNs, record.nsNs, record.clockPoints, record.clockGroups}};
  std::ranges::copy(record.grid, launches.grid);
  std::ranges::copy(record.block, launches.block);
  kernel = totals.summed(record.device, record.kernel, record.name, launches);
  if (!kernel)
    return;
  summaries.back().kernel = static_cast<std::size_t>(kernel - totals.kernels().data());
  summaries.back().nodes = {PathTree::kRoot};
  forKernelSums(*kernel, [&](SummaryCounter counter, std::uint64_t &sum) { sum += counts[counter]; });
  kernel->sampling.interval = std::max(kernel->sampling.interval, record.sampled);
  const auto warps = static_cast<double>(counts[format::kSummaryWarps]);
  kernel->sampling.probedWarps += probed(warps, warps / std::max(record.sampled, 1u));
  kernel->sampling.areOthersPlain &= (record.flags & format::kSummaryOthersPlain) != 0;
  kernel->keepsLast |= (record.flags & format::kSummaryKeepsLast) != 0;
  kernel->maxProduced = KernelTotals::kNotKnown;
  kernel->maxCapacity =
      std::max(kernel->maxCapacity, static_cast<std::uint32_t>(std::min<std::uint64_t>(counts[format::kSummaryMaxRecords], ~0u)));
}

/// Takes the counts from what is left; false where there are more.
bool takeFrom(std::uint64_t &left, std::span<const std::uint64_t> counts) {
  for (const std::uint64_t count : counts) {
    if (count > left)
      return false;
    left -= count;
  }
  return true;
}

void SummaryReader::summedLengths(std::span<const format::SummedLengthsRecord> rows) {
  for (const format::SummedLengthsRecord &from : rows) {
    const bool isThere =
        from.summary > 0 && from.summary <= summaries.size() && from.row > 0 && from.row <= summaries[from.summary - 1].unknown.size();
    std::uint64_t left = isThere ? summaries[from.summary - 1].unknown[from.row - 1] : 0;
    const bool isRight = isThere && takeFrom(left, from.counts);
    if (!isRight && !stray)
      stray = from;
    if (!isRight)
      continue;
    Read &summary = summaries[from.summary - 1];
    summary.unknown[from.row - 1] = left;
    if (summary.kernel)
      totals.summedRow(totals.summedKernel(*summary.kernel), summary.nodes[from.row])
          .durations.addPowers(std::span<const std::uint64_t>(from.counts));
  }
}

void SummaryReader::markProbes(std::span<const format::MarkProbesRecord> rows) {
  for (const format::MarkProbesRecord &from : rows) {
    if (from.summary == 0 || from.summary > summaries.size() || from.row > summaries[from.summary - 1].unknown.size()) {
      strayMark = strayMark.value_or(from);
      continue;
    }
    const Read &summary = summaries[from.summary - 1];
    if (!summary.kernel)
      continue;
    KernelTotals &each = totals.summedKernel(*summary.kernel);
    (from.row == 0 ? each.probes.marks : totals.summedRow(each, summary.nodes[from.row]).marks) += {from.own, from.shared};
  }
}

void SummaryReader::sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) {
  for (const format::SampledLaunchesRecord &from : rows) {
    const bool isThere = from.summary > 0 && from.summary <= summaries.size() && !summaries[from.summary - 1].areLaunchesSampled;
    Read *const summary = isThere ? &summaries[from.summary - 1] : nullptr;
    if (!summary || from.least == 0 || from.least > from.most || from.launches > summary->launches ||
        from.warpsLaunched > summary->warpsLaunched || from.durationNs > summary->durationNs) {
      strayLaunch = strayLaunch.value_or(from);
      continue;
    }
    summary->areLaunchesSampled = true;
    if (!summary->kernel)
      continue;
    KernelTotals &each = totals.summedKernel(*summary->kernel);
    for (std::size_t row = 0; row < summary->estimated.size() && !summary->isOfSample; ++row)
      summary->estimated[row].addTo(totals.summedRow(each, summary->nodes[row + 1]));
    if (!summary->isOfSample) // of the others nothing ran with probes; each row said so by its lengths
      each.sampling.probedWarps.now -= static_cast<double>(summary->warpsLaunched - from.warpsLaunched);
    each.sampling.launchIntervals.add(from.least);
    each.sampling.launchIntervals.add(from.most);
    totals.summedLaunches().addEstimated(static_cast<std::uint32_t>(*summary->kernel), summary->launches - from.launches,
                                         summary->warpsLaunched - from.warpsLaunched,
                                         static_cast<double>(summary->durationNs - from.durationNs));
  }
}

void SummaryReader::summaryRow(const SummaryRow &from) {
  Read &summary = summaries.back();
  summary.unknown.push_back(from.record.counts[format::kRowSummed]);
  if (!kernel)
    return;
  const auto &counts = from.record.counts;
  const std::uint32_t known = from.record.region ? regions.find(from.record.region & format::kIdMask) : RegionSet::kNone;
  const bool isOverlapping = (from.record.flags & format::kRowOverlaps) != 0;
  const std::uint32_t region = known == RegionSet::kNone ? PathTree::kOther : known | (isOverlapping ? KernelTotals::kOverlap : 0);
  summary.nodes.push_back(kernel->paths.child(summary.nodes[from.record.parent], region));
  RowTotals &row = totals.summedRow(*kernel, summary.nodes.back());
  forRowSums(row, [&](SummaryRowCounter counter, std::uint64_t &sum) { sum += counts[counter]; });
  row.maxInWarp = std::max(row.maxInWarp, counts[format::kRowMaxInWarp]);
  const bool hasProbes = counts[format::kRowOutermostOwn] + counts[format::kRowOutermostShared] > 0;
  row.hasUnknownProbes |= !hasProbes && !from.lengths.empty();
  using Extremes = Quantiles::Extremes;
  const bool hasExtremes = (from.record.flags & format::kRowWithoutExtremes) == 0;
  const Extremes extremes{counts[format::kRowMin], counts[format::kRowMax]};
  const std::uint64_t before = row.durations.count();
  std::uint64_t summed = 0; // cycles
  if (from.record.flags & format::kRowExact) {
    summed = counts[format::kRowSum];
    for (const std::uint64_t value : from.lengths) {
      row.durations.add(value);
      summed -= std::min(summed, value);
    }
  } else {
    const auto *buckets = reinterpret_cast<const format::LengthBucket *>(from.lengths.data());
    row.durations.addBuckets({buckets, from.lengths.size()}, hasExtremes ? extremes : Extremes{0, ~std::uint64_t{0}},
                             counts[format::kRowSum]);
  }
  if (counts[format::kRowSummed] > 0)
    row.durations.addSum(counts[format::kRowSummed], summed, hasExtremes ? std::optional(extremes) : std::nullopt);
  const std::uint64_t recorded = row.durations.count() - before, entries = counts[format::kRowCount];
  const bool isRecursive = (from.record.flags & format::kRowRecursive) != 0;
  row.isRecursive |= isRecursive;
  summary.estimated.push_back(
      {entries - std::min(entries, recorded), isRecursive || !saysRecursion ? 0 : counts[format::kRowTotal] - counts[format::kRowSum]});
  if (summary.isOfSample)
    summary.estimated.back().addTo(row);
  const auto all = static_cast<double>(entries);
  row.probed += probed(all, recorded > 0 ? static_cast<double>(recorded) : all / std::max(atHand.sampled, 1u)); // marks have no lengths
  const std::size_t sms = std::min<std::size_t>(from.multiprocessors.size(), TotalsSink::kMaxSms);
  row.bySm.resize(std::max(row.bySm.size(), sms));
  for (std::size_t i = 0; i < sms; ++i)
    row.bySm[i] += from.multiprocessors[i];
}

/// Bytes of rows by path: what has least time then stands in one row together. Recursion makes thousands of paths.
constexpr std::size_t kMaxPathBytes = std::size_t{256} << 10;

/// One row in the file.
std::vector<std::byte> bytesOf(const RowTotals &row, std::uint32_t region, std::uint32_t parent, bool isOverlapping) {
  format::SummaryRowRecord record{};
  record.region = region;
  record.parent = parent;
  const bool hasExtremes = row.durations.areExtremesKnown();
  record.flags = flagIf(isOverlapping, format::kRowOverlaps) | flagIf(row.durations.isExact(), format::kRowExact) |
                 flagIf(!hasExtremes, format::kRowWithoutExtremes) | flagIf(row.isRecursive, format::kRowRecursive);
  std::vector<std::uint64_t> words(row.durations.values().begin(), row.durations.values().end());
  row.durations.forBuckets([&](std::uint32_t bucket, std::uint64_t count) {
    for (constexpr std::uint64_t kMax = 0xffffffff; count > 0; count -= std::min(count, kMax))
      words.push_back(std::bit_cast<std::uint64_t>(format::LengthBucket{bucket, static_cast<std::uint32_t>(std::min(count, kMax))}));
  });
  record.lengths = static_cast<std::uint32_t>(words.size());
  record.multiprocessors = static_cast<std::uint32_t>(row.bySm.size());
  words.insert(words.end(), row.bySm.begin(), row.bySm.end());
  forRowSums(row, [&](SummaryRowCounter counter, std::uint64_t sum) { record.counts[counter] = sum; });
  if (row.hasUnknownProbes)
    record.counts[format::kRowOutermostOwn] = record.counts[format::kRowOutermostShared] = 0;
  record.counts[format::kRowSum] = row.durations.sum();
  record.counts[format::kRowMin] = hasExtremes ? row.durations.min() : 0;
  record.counts[format::kRowMax] = hasExtremes ? row.durations.max() : 0;
  record.counts[format::kRowMaxInWarp] = row.maxInWarp;
  record.counts[format::kRowSummed] = row.durations.unknownCount();
  const auto head = std::as_bytes(std::span(&record, 1)), rest = std::as_bytes(std::span(words));
  std::vector<std::byte> out(head.size() + rest.size());
  std::ranges::copy(rest, std::ranges::copy(head, out.begin()).out);
  return out;
}

/// The rows of one kernel, numbered from 1, the one around another before it.
class SummaryRows {
public:
  SummaryRows(const KernelTotals &kernel, const RegionSet &regions, std::size_t maxBytes);

  std::uint32_t count = 0;
  std::vector<std::byte> bytes;
  std::vector<format::SummedLengthsRecord> lengths; ///< of summary 0
  std::vector<format::MarkProbesRecord> marks;      ///< the same

private:
  void chooseWithin(std::size_t maxBytes);
  void addLengths(const Quantiles &durations);
  void addMarks(const ProbeCounts &probes) {
    if (probes.sum() > 0)
      marks.push_back({0, count, probes.own, probes.shared});
  }
  std::vector<std::byte> row(std::uint32_t node, std::uint32_t parent) const;
  void append(const std::vector<std::byte> &more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    ++count;
  }

  const KernelTotals &kernel;
  const RegionSet &regions;
  std::vector<std::uint8_t> isKept; ///< by node
};

std::vector<std::byte> SummaryRows::row(std::uint32_t node, std::uint32_t parent) const {
  const std::uint32_t path = kernel.paths[node].region, region = path & ~KernelTotals::kOverlap;
  const bool isListed = region < regions.size();
  return bytesOf(kernel.rows[node], isListed ? regions[region].id : 0, parent, isListed && region != path);
}

/// Of the row that was appended last.
void SummaryRows::addLengths(const Quantiles &durations) {
  std::uint64_t unknown = durations.unknownCount(); // of a damaged trace it may have overflowed
  if (durations.unknownByPower().empty() || !takeFrom(unknown, durations.unknownByPower()))
    return;
  format::SummedLengthsRecord &record = lengths.emplace_back();
  record.row = count;
  std::ranges::copy(durations.unknownByPower(), record.counts);
}

/// Keeps the nodes of most time, and what is around them, while their rows are within the limit.
void SummaryRows::chooseWithin(std::size_t maxBytes) {
  std::vector<std::uint32_t> order;
  std::size_t size = 0;
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node)
    order.push_back(node);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t node) { return kernel.rows[node].inclusive; });
  for (const std::uint32_t node : order)
    if (const std::uint32_t parent = kernel.paths[node].parent; parent == PathTree::kRoot || isKept[parent])
      if (size += row(node, 0).size(); size <= maxBytes)
        isKept[node] = 1;
}

SummaryRows::SummaryRows(const KernelTotals &kernel, const RegionSet &regions, std::size_t maxBytes)
    : kernel(kernel), regions(regions), isKept(kernel.rows.size()) {
  chooseWithin(maxBytes);
  addMarks(kernel.probes.marks); // of row 0, which is the kernel
  std::vector<std::uint32_t> numbers(kernel.rows.size());
  RowTotals others;
  bool hasOthers = false;
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node) {
    if (isKept[node]) {
      append(row(node, numbers[kernel.paths[node].parent]));
      addLengths(kernel.rows[node].durations);
      addMarks(kernel.rows[node].marks);
      numbers[node] = count;
      continue;
    }
    const RowTotals &from = kernel.rows[node];
    std::uint64_t sums[format::kSummaryRowCounters] = {};
    forRowSums(from, [&](SummaryRowCounter counter, std::uint64_t sum) { sums[counter] = sum; });
    const std::uint64_t warps = std::max(others.warps, from.warps);
    forRowSums(others, [&](SummaryRowCounter counter, std::uint64_t &sum) { sum += sums[counter]; });
    others.warps = warps; // at least so many
    others.maxInWarp = std::max(others.maxInWarp, from.maxInWarp);
    others.durations.add(from.durations);
    others.hasUnknownProbes |= from.hasUnknownProbes;
    others.marks += from.marks;
    others.bySm.resize(std::max(others.bySm.size(), from.bySm.size()));
    for (std::size_t sm = 0; sm < from.bySm.size(); ++sm)
      others.bySm[sm] += from.bySm[sm];
    hasOthers = true;
  }
  if (hasOthers) {
    append(bytesOf(others, 0, 0, false));
    addLengths(others.durations);
    addMarks(others.marks);
  }
}

/// Writes summaries, and keeps what belongs to their rows until all are there.
class SummaryWriter {
public:
  SummaryWriter(const RegionSet &regions, Writer &writer) : regions(regions), writer(writer) {}

  void write(const KernelTotals &kernel, const LaunchLedger::Group &launches, std::uint32_t ordinal, std::uint32_t rowsAre);
  void writeRest() const {
    for (const format::SummedLengthsRecord &record : lengths)
      writer.add(record);
    for (const format::MarkProbesRecord &record : marks)
      writer.add(record);
    for (const format::SampledLaunchesRecord &record : sampled)
      writer.add(record);
  }

private:
  const RegionSet &regions;
  Writer &writer;
  std::uint32_t count = 0;
  std::vector<format::SummedLengthsRecord> lengths;
  std::vector<format::MarkProbesRecord> marks;
  std::vector<format::SampledLaunchesRecord> sampled;
};

void SummaryWriter::write(const KernelTotals &kernel, const LaunchLedger::Group &launches, std::uint32_t ordinal, std::uint32_t rowsAre) {
  const SummaryRows rows(kernel, regions, rowsAre & format::kSummaryByRegion ? ~std::size_t{0} : kMaxPathBytes);
  format::SummaryRecord record{};
  record.device = ordinal;
  const bool isListed = kernel.region != RegionSet::kNone;
  record.kernel = isListed ? regions[kernel.region].id : 0;
  if (!isListed || kernel.name != regions[kernel.region].name)
    record.name = writer.intern(kernel.name);
  record.flags = rowsAre | flagIf(kernel.keepsLast, format::kSummaryKeepsLast) | flagIf(launches.gridVaries, format::kSummaryGridVaries) |
                 flagIf(launches.blockVaries, format::kSummaryBlockVaries) |
                 flagIf(kernel.sampling.areOthersPlain && kernel.warps > 0, format::kSummaryOthersPlain);
  std::ranges::copy(launches.grid, record.grid);
  std::ranges::copy(launches.block, record.block);
  record.rows = rows.count;
  record.sampled = kernel.sampling.interval > 1 ? kernel.sampling.interval : 0;
  record.cyclesCycles = finite(launches.clock.cyclesCycles);
  record.cyclesNs = finite(std::max(0.0, launches.clock.cyclesNs));
  record.nsNs = finite(launches.clock.nsNs);
  record.clockPoints = launches.clock.points;
  record.clockGroups = launches.clock.groups;
  record.counts[format::kSummaryLaunches] = launches.launches;
  record.counts[format::kSummaryTimedLaunches] = launches.timedLaunches;
  record.counts[format::kSummaryDurationNs] = saturated(launches.durationNs);
  record.counts[format::kSummaryWarpsLaunched] = launches.warpsLaunched;
  record.counts[format::kSummaryMaxRecords] = kernel.maxCapacity;
  forKernelSums(kernel, [&](SummaryCounter counter, std::uint64_t sum) { record.counts[counter] = sum; });
  writer.append(format::SectionKind::Summaries, std::as_bytes(std::span(&record, 1)));
  writer.append(format::SectionKind::Summaries, rows.bytes);
  ++count;
  for (format::SummedLengthsRecord each : rows.lengths) {
    each.summary = count;
    lengths.push_back(each);
  }
  for (format::MarkProbesRecord each : rows.marks) {
    each.summary = count;
    marks.push_back(each);
  }
  const LaunchIntervals &intervals = kernel.sampling.launchIntervals;
  if (intervals.most > 1)
    sampled.push_back({.summary = count,
                       .least = intervals.least,
                       .most = intervals.most,
                       .launches = launches.launches - launches.estimatedLaunches,
                       .warpsLaunched = launches.warpsLaunched - launches.estimatedWarps,
                       .durationNs = std::min(saturated(launches.durationNs), saturated(launches.durationNs - launches.estimatedNs))});
}

/// Whether rows by path say what rows by region do: no region inside another, none set aside.
bool isFlat(const KernelTotals &byPath) {
  for (std::uint32_t node = 1; node < byPath.rows.size(); ++node)
    if (byPath.paths[node].depth != 1 || byPath.rows[node].overlapping > 0)
      return false;
  return true;
}

} // namespace

Status addSummaries(const Trace &trace, const RegionSet &regions, TotalsSink &totals) {
  SummaryReader reader(trace, regions, totals);
  for (const Section &section : trace.sections()) {
    if (section.kind != format::SectionKind::Summaries && section.kind != format::SectionKind::SummedLengths &&
        section.kind != format::SectionKind::MarkProbes && section.kind != format::SectionKind::SampledLaunches)
      continue;
    if (Status status = trace.visitSection(section, reader); !status)
      return status;
    if (const auto &stray = reader.strayLengths())
      return failure({.message = "lengths of summed entries belong to no row of a summary that has so many",
                      .found = fmt::format("row {} of summary {}", stray->row, stray->summary),
                      .expected = "a row above, with as many summed entries that no lengths are known of",
                      .offset = section.offset,
                      .file = trace.name()});
    if (const auto &stray = reader.strayMarks())
      return failure({.message = "probes of marks belong to no summary, or to no row of it",
                      .found = fmt::format("row {} of summary {}", stray->row, stray->summary),
                      .expected = "one above",
                      .offset = section.offset,
                      .file = trace.name()});
    if (const auto &stray = reader.strayLaunches())
      return failure(
          {.message = "sampled launches belong to no summary, or say what none of it can be",
           .found = fmt::format("{} launches, 1 in {} to {}, of summary {}", stray->launches, stray->least, stray->most, stray->summary),
           .expected = "once of a summary above, and no more than it has, 1 in at least 1",
           .offset = section.offset,
           .file = trace.name()});
  }
  return {};
}

void writeSummaries(const TotalsSink &byRegion, const TotalsSink &byPath, const RegionSet &regions, std::span<const std::uint32_t> ordinals,
                    Writer &writer) {
  SummaryWriter summaries(regions, writer);
  for (std::uint32_t i = 0; i < byRegion.kernels().size(); ++i) {
    const KernelTotals &kernel = byRegion.kernels()[i], &nested = byPath.kernels()[i];
    const bool isBoth = isFlat(nested);
    summaries.write(kernel, byRegion.launches().group(i), ordinals[kernel.device],
                    format::kSummaryByRegion | flagIf(isBoth, format::kSummaryByPath));
    if (!isBoth)
      summaries.write(nested, byPath.launches().group(i), ordinals[kernel.device], format::kSummaryByPath);
  }
  summaries.writeRest();
}

} // namespace kperf::decoder
