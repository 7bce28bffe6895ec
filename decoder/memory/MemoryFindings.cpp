// Finds what is wrong with accesses, by site or by array.
#include "decoder/memory/MemoryFindings.h"
#include "decoder/memory/LaneRows.h"
#include "decoder/memory/SiteDiagnosis.h"
#include "decoder/trace/FormatNames.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <tuple>

namespace kperf::decoder {
namespace {

/// By function, file and array.
using AccessedArrays = std::map<std::tuple<std::string, std::string, std::string>, AccessedArray>;

AccessedArray &arrayOfSite(AccessedArrays &arrays, const TracedSite &site) {
  const std::string expression = site.text(site.record->expression);
  return arrays[{site.function, site.text(site.record->file), std::string(arrayOf(expression))}];
}

AccessedArrays describeArrays(const MemoryTotals &totals) {
  AccessedArrays out;
  for (const SiteTotals &site : totals.sites())
    describeArray(site, arrayOfSite(out, site.site));
  return out;
}

bool isEstimated(const SiteTotals &site) {
  return site.sampled[format::kSectors].error() != 0 || site.sampled[format::kWavefronts].error() != 0;
}

void examineSite(const SiteTotals &site, AccessedArrays &arrays, bool areEstimates, std::vector<MemoryFinding> &out) {
  const std::size_t before = out.size();
  diagnoseSite(site, arrayOfSite(arrays, site.site), out);
  if (areEstimates)
    for (MemoryFinding &each : std::span(out).subspan(before))
      each.cause += " (estimates, from a sample)";
}

/// What accesses have in common that are said together.
std::string commonOf(const MemoryFinding &finding, const SiteTotals &site) {
  const format::SiteRecord &record = *site.site.record;
  const AccessSum &sum = site.sum;
  const bool isConflict = finding.rule == std::string_view("bank-conflict");
  const std::optional<LaneRows> rows = laneRows(site.site.text(record.expression));
  const std::string apart = rows && finding.rowPadding > 0 ? fmt::format("{} {}", rows->count, rows->isCertain) : "";
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", site.site.function, site.site.text(record.file), record.region,
                     named(record.kind), arrayOf(site.site.text(record.expression)), record.elementBytes, finding.rule, finding.fix,
                     isConflict ? fmt::format("{} {}", shortNumber(sum.ways()), shortNumber(sum.sharedStride())) : sum.shape(),
                     static_cast<int>(site.machine.state), apart);
}

} // namespace

/// The same for a first lane at `begin`.
static unsigned bankWaysFrom(std::uint64_t begin, std::uint64_t stride, unsigned bytes, unsigned skipped) {
  constexpr unsigned kLanes = 32;
  const std::uint64_t unit = std::clamp(bytes, 4u, 16u);
  const auto together = static_cast<unsigned>(128 / unit);
  unsigned sum = 0;
  for (unsigned first = 0; first < kLanes; first += together) {
    std::array<std::set<std::uint64_t>, 32> words;
    for (unsigned lane = first; lane < std::min(kLanes, first + together); ++lane) {
      const std::uint64_t at = begin + lane * stride, word = (at + at / 128 * skipped) / unit;
      words[word % together].insert(word);
    }
    sum += static_cast<unsigned>(std::ranges::max_element(words, {}, [](const auto &each) { return each.size(); })->size());
  }
  return sum;
}

BankWays bankWays(std::uint64_t stride, unsigned bytes, unsigned skipped) {
  BankWays out{.least = ~0u, .most = 0};
  for (unsigned begin = 0; begin < 128; begin += std::max(1u, bytes)) {
    const unsigned ways = bankWaysFrom(begin, stride, bytes, skipped);
    out = {.least = std::min(out.least, ways), .most = std::max(out.most, ways)};
  }
  return out;
}

Finding asFinding(const MemoryFinding &fault) {
  const format::SiteRecord &site = *fault.site.record;
  const std::string &function = fault.site.function;
  return {.rule = fault.rule,
          .subject = function,
          .message = fmt::format("{} of {} in {}: {}; try: {}; effect: {}", named(site.kind), fault.site.text(site.expression), function,
                                 fault.cause, fault.fix, fault.effect),
          .file = fault.site.text(site.file),
          .line = site.line,
          .column = site.column,
          .level = Finding::Level::Warning,
          .isViolation = true};
}

/// "also line 17: p[1], p[2]; line 18: p[0]".
static std::string othersText(const MemoryFinding &fault) {
  std::map<std::uint32_t, std::vector<std::string>> byLine;
  for (const TracedSite &site : fault.others)
    byLine[site.record->line].push_back(site.text(site.record->expression));
  std::string out;
  for (const auto &[line, accesses] : byLine)
    out += fmt::format("{} line {}: {}", out.empty() ? "also" : ";", line, fmt::join(accesses, ", "));
  return out;
}

Excerpt asExcerpt(const MemoryFinding &fault) {
  const format::SiteRecord &site = *fault.site.record;
  const std::string at = fault.site.place(true), array(arrayOf(fault.site.text(site.expression)));
  Excerpt out{.head = fmt::format("{}: {} in {}: {}", at, named(site.kind), fault.site.function, fault.cause),
              .source = fault.site.text(site.source),
              .column = site.column,
              .width = site.width};
  if (!fault.others.empty()) {
    out.head =
        fmt::format("{}: {} {}s of {} in {}: {}", at, fault.others.size() + 1, named(site.kind), array, fault.site.function, fault.cause);
    out.remarks.push_back(othersText(fault));
  }
  out.remarks.push_back("try: " + fault.fix);
  out.remarks.push_back("effect: " + fault.effect);
  return out;
}

std::vector<MemoryFinding> diagnoseAccesses(const MemoryTotals &totals) {
  std::vector<MemoryFinding> out;
  AccessedArrays arrays = describeArrays(totals);
  for (const SiteTotals &site : totals.sites())
    examineSite(site, arrays, isEstimated(site), out);
  std::ranges::stable_sort(out, std::greater<>(), &MemoryFinding::saved);
  return out;
}

std::vector<MemoryFinding> diagnoseArrays(const MemoryTotals &totals) {
  struct Group {
    SiteTotals sum;
    std::vector<MemoryFinding> each;
    bool areEstimates = false;
  };
  std::vector<Group> groups; // by the place of their first
  std::map<std::string, std::size_t> known;
  AccessedArrays arrays = describeArrays(totals);
  for (const SiteTotals &site : totals.sites()) {
    std::vector<MemoryFinding> found;
    examineSite(site, arrays, isEstimated(site), found);
    for (MemoryFinding &each : found) {
      const auto [entry, isNew] = known.try_emplace(commonOf(each, site), groups.size());
      if (isNew)
        groups.push_back({.sum = site, .each = {}});
      else
        groups[entry->second].sum.sum.add(site.sum);
      groups[entry->second].areEstimates |= isEstimated(site);
      groups[entry->second].each.push_back(std::move(each));
    }
  }
  std::vector<MemoryFinding> out;
  for (Group &group : groups) {
    std::vector<MemoryFinding> found;
    examineSite(group.sum, arrays, group.areEstimates, found);
    const auto together = std::ranges::find(found, std::string_view(group.each.front().rule), &MemoryFinding::rule);
    if (together == found.end()) { // added up they look like something else
      std::ranges::move(group.each, std::back_inserter(out));
      continue;
    }
    for (const MemoryFinding &each : group.each | std::views::drop(1))
      together->others.push_back(each.site);
    out.push_back(std::move(*together));
  }
  std::ranges::stable_sort(out, std::greater<>(), &MemoryFinding::saved);
  return out;
}

} // namespace kperf::decoder
