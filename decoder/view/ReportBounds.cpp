// Says in the report's table where the truth lies, of numbers that are not those of all blocks or of all records.
#include "decoder/view/ReportBounds.h"
#include "decoder/totals/Student.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace kperf::decoder {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

bool isOneOf(const std::string &name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// What is known whatever was recorded, or says itself what was.
bool isOfLaunches(const std::string &name) {
  return isOneOf(name, {"launches", "warps-launched", "records-kept", "depth", "count-error", "total-error", "mean-error", "net-error"});
}

std::optional<double> numberOf(const Cell &cell) {
  if (const auto *whole = std::get_if<std::uint64_t>(&cell))
    return static_cast<double>(*whole);
  const auto *real = std::get_if<double>(&cell);
  return real ? std::optional(*real) : std::nullopt;
}

/// Of a kernel of which not all blocks or launches were recorded.
std::string sampleRemedy(const KernelSampling &sampling, const VendorTerms &terms) {
  if (sampling.isCut)
    return fmt::format("some {}s that were to be recorded found no room: raise KPERF_BUFFER_MB", terms.block);
  if (sampling.strata.empty() && sampling.launchIntervals.most > 1)
    return fmt::format(
        "1 launch in {} was recorded, and a reduced trace has no interval of it: check the trace that it was reduced from, or "
        "record every launch: KPERF_SAMPLE_LAUNCHES=1{}",
        sampling.launchIntervals.most, sampling.interval > 1 ? " KPERF_SAMPLE=1" : "");
  if (sampling.strata.empty())
    return fmt::format("1 {0} in {1} was recorded, and a reduced trace has no interval of it: check the trace that it was reduced from, or "
                       "record every {0}: KPERF_SAMPLE=1",
                       terms.block, sampling.interval);
  if (sampling.launchIntervals.most > 1)
    return fmt::format("1 launch in {} was recorded: KPERF_SAMPLE_LAUNCHES=1{} records all", sampling.launchIntervals.most,
                       sampling.interval > 1 ? " KPERF_SAMPLE=1" : "");
  return fmt::format("1 {0} in {1} was recorded: KPERF_SAMPLE=1 records every {0}", terms.block, sampling.interval);
}

std::string droppedRemedy(const KernelTotals &kernel) {
  if (kernel.records.skipped > 0)
    return "records before the window that KPERF_SKIP asks for, or after it, are not there: record all, without KPERF_SKIP";
  if (const std::optional<std::uint64_t> needed = kernel.recordsNeeded())
    return fmt::format("records were dropped: KPERF_RECORDS={} keeps all", *needed);
  return fmt::format("records were dropped: raise KPERF_RECORDS above {}, or build with --aggregate", kernel.maxCapacity);
}

} // namespace

/// Where a number lies, both ends included.
struct ReportBounds::Limits {
  double least, most;
};

ReportBounds::ReportBounds(const KernelTotals &kernel, const LaunchLedger::Group &launches, const ClockRate &rate, const VendorTerms &terms)
    : kernel(kernel), rate(rate) {
  const KernelSampling &sampling = kernel.sampling;
  isSampled = sampling.interval > 1 || sampling.launchIntervals.most > 1;
  isDropped = kernel.records.dropped > 0;
  const bool hasMissed = !isSampled && kernel.foreignWarps == 0 && launches.warpsRecorded < launches.warpsLaunched;
  isLost = hasMissed || kernel.unfinishedWarps + kernel.damagedWarps > 0;
  if (isDropped)
    missing = droppedRemedy(kernel);
  else if (isSampled)
    missing = sampleRemedy(sampling, terms);
  else if (hasMissed)
    missing = fmt::format("not all {}s were recorded: raise KPERF_BUFFER_MB", terms.warp);
  else if (isLost)
    missing = fmt::format("some {}s did not end, or are damaged: let the kernel end by itself", terms.warp);
}

void ReportBounds::addRest(Table &table, bool isNotRecorded) const {
  const LifeErrors &life = kernel.sampling.errors;
  RowErrors errors;
  errors.inclusive = errors.exclusive = isNotRecorded ? life.notRecorded : life.unattributed;
  errors.inclusiveShare = errors.share = isNotRecorded ? life.notRecordedShare : life.unattributedShare;
  add(table, Row{nullptr, errors, isNotRecorded});
}

double ReportBounds::inUnit(double cycles, Unit unit) const {
  if (unit == Unit::Percent)
    return 100 * cycles / static_cast<double>(std::max<std::uint64_t>(kernel.cycles, 1));
  return unit == Unit::Nanoseconds ? cycles * rate.nsPerCycle : cycles;
}

/// A percentile of what was recorded, as one of all entries: E. B. Wilson's interval of the share of entries that are below it (Journal of
/// the American Statistical Association 22, 1927), for as many blocks as what was recorded is worth (R. S. Woodruff, ibid. 47, 1952).
std::optional<ReportBounds::Limits> ReportBounds::ofPercentile(const std::string &name, Unit unit, const Row &row) const {
  if (!row.totals || !row.errors.blocks || !row.totals->durations.areBounded())
    return std::nullopt;
  const double q = name == "p50" ? 0.5 : name == "p95" ? 0.95 : 0.99, blocks = *row.errors.blocks;
  const double factor = kSkewnessGuard * studentFactor(std::max(1.0, blocks - 1)), square = factor * factor / blocks;
  const double middle = (q + square / 2) / (1 + square), half = std::sqrt(square * q * (1 - q) + square * square / 4) / (1 + square);
  const double least = static_cast<double>(row.totals->durations.within(std::max(0.0, middle - half)).min);
  const bool isBeyond = middle + half > 1 - 1 / blocks; // the greatest of all may not be there
  const double most = isBeyond ? kAny : static_cast<double>(row.totals->durations.within(middle + half).max);
  return Limits{inUnit(least, unit), inUnit(most, unit)};
}

std::optional<ReportBounds::Limits> ReportBounds::ofSample(const Column &column, double value, const Row &row) const {
  const auto within = [&](const std::optional<double> &error) {
    return error ? std::optional(Limits{std::max(0.0, value * (1 - *error)), value * (1 + *error)}) : std::nullopt;
  };
  const std::string &name = column.name;
  const bool isShare = column.unit == Unit::Percent;
  if (name == "warps" || name == "warp-time")
    return within(name == "warps" ? kernel.sampling.errors.warps : kernel.sampling.errors.cycles);
  if (name == "count" || name == "mean")
    return within(name == "count" ? row.errors.count : row.errors.mean);
  if (name == "share" || (name == "total" && isShare))
    return within(name == "share" ? row.errors.share : row.errors.inclusiveShare);
  if (name == "self" || name == "total")
    return within(name == "self" ? row.errors.exclusive : row.errors.inclusive);
  if (isOneOf(name, {"p50", "p95", "p99"}))
    return ofPercentile(name, column.unit, row);
  const auto isCertain = [](const SampleStratum &stratum) { return stratum.isCertain && stratum.within == 0; };
  if (isOneOf(name, {"max", "unmatched"}) ||
      (name == "duration" && !kernel.sampling.strata.empty() && std::ranges::all_of(kernel.sampling.strata, isCertain)))
    return Limits{value, kAny};
  return name == "min" ? std::optional(Limits{0, value}) : std::nullopt;
}

/// Every row has what was recorded; what was not may be anyone's.
std::optional<ReportBounds::Limits> ReportBounds::ofDropped(const Column &column, Limits limits, const Row &row) const {
  const std::string &name = column.name;
  const bool isTime = isOneOf(name, {"share", "self", "total"});
  const bool areSums =
      row.totals && row.totals->durations.count() > 0 && row.totals->durations.unknownCount() == row.totals->durations.count();
  if (isOneOf(name, {"duration", "warps", "warp-time"}) || areSums || row.isNotRecorded)
    return limits;
  if (isTime && isSampled) // by how much what was not recorded may be off adds to it
    return Limits{limits.least, kAny};
  if (isTime && (name != "total" || !row.totals))
    return Limits{limits.least, limits.most + inUnit(static_cast<double>(kernel.notRecorded), column.unit)};
  if (isTime)
    return Limits{limits.least, row.totals->overlapping > 0 ? kAny : inUnit(static_cast<double>(kernel.cycles), column.unit)};
  if (isOneOf(name, {"count", "max", "overlapping"}))
    return Limits{limits.least, kAny};
  return name == "min" ? std::optional(Limits{0, limits.most}) : std::nullopt;
}

std::optional<ReportBounds::Limits> ReportBounds::ofLost(const Column &column, Limits limits) const {
  const bool isSum = isOneOf(column.name, {"count", "self", "total", "max", "warps", "warp-time", "unmatched", "overlapping"});
  if (isSum && column.unit != Unit::Percent)
    return Limits{limits.least, kAny};
  return column.name == "min" ? std::optional(Limits{0, limits.most}) : std::nullopt;
}

std::optional<ReportBounds::Limits> ReportBounds::limitsOf(const Column &column, double value, const Row &row) const {
  std::optional<Limits> limits = Limits{value, value};
  if (isSampled)
    limits = ofSample(column, value, row);
  if (limits && isDropped)
    limits = ofDropped(column, *limits, row);
  if (limits && isLost)
    limits = ofLost(column, *limits);
  return limits;
}

void ReportBounds::add(Table &table, const Row &row) const {
  if (missing.empty())
    return;
  const std::size_t at = table.rows.size() - 1;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column &column = table.columns[i];
    const std::optional<double> value = numberOf(table.rows[at][i]);
    const std::pair key(at, keyOf(column));
    if (!value || isOfLaunches(column.name) || column.name.ends_with("-error") || table.remedies.contains(key))
      continue;
    const std::optional<Limits> limits = limitsOf(column, *value, row);
    if (!limits)
      table.remedies[key] = missing;
    else if (limits->least < *value || limits->most > *value)
      table.bounds[key] = {limits->least, column.unit == Unit::Percent ? std::min(limits->most, std::max(100.0, *value)) : limits->most,
                           missing};
  }
}

} // namespace kperf::decoder
