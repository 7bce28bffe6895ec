// Compares memory traffic before and after a change, access by access.
#include "decoder/compare/DiffSites.h"
#include "decoder/memory/MemoryTotals.h"
#include "decoder/totals/RankTest.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kperf::decoder {
namespace {

using Role = Column::Role;
/// Function, expression, kind, the ordinal among those by place, and what is counted.
using Identity = std::tuple<std::string, std::string, format::SiteKind, std::uint32_t, format::SiteCounter>;

struct Side {
  struct Site {
    std::vector<double> counts; ///< one for each trace that reached it
    std::string source;
  };
  std::map<Identity, Site> sites;
  std::size_t traces = 0;
  bool isSampled = false;
};

Expected<Side> readSide(std::span<const Trace> traces) {
  Side side{.traces = traces.size()};
  for (const Trace &trace : traces) {
    const auto totals = MemoryTotals::read(std::span(&trace, 1), "");
    if (!totals)
      return failure(totals.error());
    side.isSampled |= totals->sampled() > 1;
    std::map<std::tuple<std::string, std::string, format::SiteKind>, std::uint32_t> seen;
    for (const SiteTotals &each : totals->sites()) { // by place
      const format::SiteRecord &record = *each.site.record;
      const std::string function = each.site.function, expression = each.site.text(record.expression);
      const std::uint32_t nth = seen[{function, expression, record.kind}]++;
      for (const format::SiteCounter counter : {format::kSectors, format::kWavefronts}) {
        if (each.sum[counter] == 0)
          continue;
        Side::Site &site = side.sites[{function, expression, record.kind, nth, counter}];
        site.counts.push_back(static_cast<double>(each.sum[counter]));
        site.source = each.site.place(false);
      }
    }
  }
  return side;
}

/// The cells verdict, change, its interval, and p.
std::vector<Cell> compared(const Side::Site *before, const Side::Site *after, bool isSampled, double margin) {
  std::vector<Cell> cells(5);
  if (!before || !after) {
    cells[0] = std::string(before ? "only in A" : "only in B");
    return cells;
  }
  const Shift shift = shiftBetween(before->counts, after->counts);
  const double base = median(before->counts); // of counts that are not 0
  const auto percent = [&](double by) { return 100 * by / base; };
  cells[1] = percent(shift.estimate);
  if (!shift.interval) {
    const bool isNone = std::abs(percent(shift.estimate)) <= margin;
    cells[0] = std::string(isSampled ? "can't tell" : isNone ? "not changed" : "changed");
    return cells;
  }
  const double low = percent(shift.interval->first), high = percent(shift.interval->second);
  const bool isNone = low >= -margin && high <= margin;
  cells[0] = std::string(isNone ? "not changed" : shift.p <= 0.05 ? "changed" : "can't tell");
  cells[2] = low;
  cells[3] = high;
  cells[4] = shift.p;
  return cells;
}

} // namespace

Expected<Table> diffSites(std::span<const Trace> before, std::span<const Trace> after, double marginPercent) {
  const auto a = readSide(before), b = readSide(after);
  if (!a || !b)
    return failure(a ? b.error() : a.error());
  Table table{.name = "diff-sites",
              .columns = {{"function", Unit::None, Role::Group},
                          {"access", Unit::None, Role::Label},
                          {"kind", Unit::None, Role::Value, 60},
                          {"counter", Unit::None, Role::Value, 95},
                          {"verdict", Unit::None, Role::Value, 99},
                          {"change", Unit::Percent, Role::Value, 98},
                          {"change-low", Unit::Percent, Role::Value, 50},
                          {"change-high", Unit::Percent, Role::Value, 50, true},
                          {"p", Unit::None, Role::Value, 20},
                          {"a", Unit::None, Role::Value, 90},
                          {"b", Unit::None, Role::Value, 90, true},
                          {"source", Unit::None, Role::Value, 55}},
              .title = "memory accesses"};
  std::map<Identity, std::pair<const Side::Site *, const Side::Site *>> pairs;
  for (const auto &[identity, site] : a->sites)
    pairs[identity].first = &site;
  for (const auto &[identity, site] : b->sites)
    pairs[identity].second = &site;
  for (const auto &[identity, sites] : pairs) {
    const auto &[left, right] = sites;
    const auto &[function, expression, kind, nth, counter] = identity;
    const std::vector<Cell> verdict = compared(left, right, a->isSampled || b->isSampled, marginPercent);
    std::vector<Cell> row{function, expression, named(kind), std::string(name(counter))};
    row.insert(row.end(), verdict.begin(), verdict.end());
    row.push_back(left ? Cell(median(left->counts)) : Cell());
    row.push_back(right ? Cell(median(right->counts)) : Cell());
    row.emplace_back(right ? right->source : left->source);
    table.rows.push_back(std::move(row));
  }
  if ((a->isSampled || b->isSampled) && !table.rows.empty())
    table.notes.push_back(fmt::format("one {0} in several was counted: give at least 4 traces of each side with --against to tell "
                                      "a change from the choice of {0}s",
                                      termsOf(after.front()).block));
  return table;
}

} // namespace kperf::decoder
