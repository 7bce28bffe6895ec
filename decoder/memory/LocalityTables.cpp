// Makes the tables of hits by cache size and of touched memory.
#include "decoder/memory/LocalityTables.h"
#include "decoder/table/NumberFormat.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

/// Caches that hold fewer sampled lines than this are left out: what they hit is mostly chance. An exact trace's smallest is 1 KiB.
constexpr double kMinSteps = 8;
/// Of all uses, that the kept lines stand for: with less, what is said of uses is said of lines that are used less than others.
constexpr double kMinShare = 0.8;
constexpr std::size_t kSitesNamed = 2; ///< of those that touch a page

Cell optionalCell(const std::optional<double> &value) { return value ? Cell(*value) : Cell(); }

Cell cellOf(const Iterations &iterations) {
  if (!iterations.first)
    return {};
  return iterations.first == iterations.last ? std::to_string(*iterations.first)
                                             : fmt::format("{}..{}", *iterations.first, *iterations.last);
}

/// "a[i] (k.cu:12), …": what stands in the source.
std::string sitesOf(const TouchedPages &page, const std::unordered_map<std::uint32_t, const TracedSite *> &sites) {
  std::string text;
  for (std::size_t i = 0; i < page.sites.size() && i < kSitesNamed; ++i)
    if (const auto site = sites.find(page.sites[i]); site != sites.end())
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", site->second->text(site->second->record->expression),
                          site->second->place(false));
  if (page.sites.size() > kSitesNamed)
    text += fmt::format(" and {} more", page.sites.size() - kSitesNamed);
  return text;
}

} // namespace

Table cacheTable(const Locality &locality, const VendorTerms &terms) {
  Table table{.name = "cache-hits",
              .columns = {},
              .rows = {},
              .notes = {},
              .title = fmt::format("hits by cache size (in-sm: a cache for each {})", terms.sm)};
  table.columns = {{"cache", Unit::Bytes, Role::Label},
                   {"hits", Unit::Percent, Role::Value, 99},
                   {"hits-error", Unit::Percent, Role::Value, 80},
                   {"hits-in-sm", Unit::Percent, Role::Value, 98},
                   {"hits-in-sm-error", Unit::Percent, Role::Value, 79}};
  for (const CacheHits &each : locality.cacheHits())
    if (static_cast<double>(each.bytes) >= kMinSteps * locality.step())
      table.rows.push_back({each.bytes, each.device.value, each.device.error, each.multiprocessor.value, each.multiprocessor.error});
  addLocalityBounds(table, locality, terms);
  return table;
}

Table pageTable(const Locality &locality, const MemoryTotals &totals, std::size_t most) {
  Table table{.name = "pages", .columns = {}, .rows = {}, .notes = {}, .title = "touched memory (first, last: in percent of all uses)"};
  table.columns = {{"address", Unit::None, Role::Label},
                   {"bytes", Unit::Bytes, Role::Value, 70},
                   {"share", Unit::Percent, Role::Value, 98},
                   {"uses", Unit::None, Role::Value, 60},
                   {"lines-touched", Unit::Percent, Role::Value, 90},
                   {"sectors-touched", Unit::Percent, Role::Value, 50},
                   {"first", Unit::Percent, Role::Value, 85},
                   {"last", Unit::Percent, Role::Value, 84},
                   {"iterations", Unit::None, Role::Value, 65},
                   {"accesses", Unit::None, Role::Value, 95}};
  for (std::size_t part = 0; part < Locality::kTimeParts; ++part)
    table.columns.push_back({fmt::format("t{}", part), Unit::None, Role::Value, 0});
  const std::vector<TouchedPages> pages = locality.pages(most);
  std::unordered_map<std::uint32_t, const TracedSite *> sites;
  for (const SiteTotals &each : totals.sites())
    sites.emplace(each.site.record->id, &each.site);
  double all = 0;
  for (const TouchedPages &page : pages)
    all += page.references;
  for (const TouchedPages &page : pages) {
    const auto share = [&](double part, double unit) { return 100 * part * unit / static_cast<double>(page.bytes); };
    std::vector<Cell> row{fmt::format("{:#x}", page.address),
                          page.bytes,
                          100 * page.references / all,
                          page.references,
                          std::min(100.0, share(page.lines, format::kLineBytes)),
                          std::min(100.0, share(page.sectors, format::kSectorBytes)),
                          page.begin,
                          page.end,
                          cellOf(page.iterations),
                          sitesOf(page, sites)};
    for (const double uses : page.overTime)
      row.emplace_back(uses);
    table.rows.push_back(std::move(row));
  }
  return table;
}

void addLocalityColumns(Table &table) {
  const auto add = [&](const char *name, Unit unit, unsigned priority) { table.columns.push_back({name, unit, Role::Value, priority}); };
  add("footprint", Unit::Bytes, 99);
  add("footprint-error", Unit::Bytes, 30);
  add("touched", Unit::Bytes, 60);
  add("uses-of-line", Unit::Ratio, 95);
  add("first-uses", Unit::Percent, 80);
  add("reuse-distance", Unit::Bytes, 97);
  add("reuse-distance-sm", Unit::Bytes, 90);
  add("mean-reuse-distance", Unit::Bytes, 20);
  add("iterations", Unit::None, 40);
}

void addLocalityCells(std::vector<Cell> &cells, const GroupLocality &group) {
  cells.insert(cells.end(),
               {group.footprint.value, group.footprint.error, group.touchedBytes, group.usesOfLine(), group.firstUses,
                optionalCell(group.distance), optionalCell(group.smDistance), optionalCell(group.meanDistance), cellOf(group.iterations)});
}

void addLocalityBounds(Table &table, const Locality &locality, const VendorTerms &terms) {
  const bool isSampled = locality.sampled() > 1;
  if (!isSampled && locality.rate() >= 1)
    return;
  const std::string remedy =
      isSampled ? fmt::format("it is of one {0} in {1} alone: KPERF_SAMPLE=1 counts every {0}", terms.block, locality.sampled())
                : "it is an estimate from some of the cache lines: KPERF_LINES=N keeps more uses of them";
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column &column = table.columns[i];
      const auto *value = std::get_if<double>(&table.rows[row][i]);
      if (!value || column.role != Role::Value || column.name.ends_with("-error"))
        continue;
      const auto error = std::ranges::find_if(
          table.columns, [&](const Column &each) { return each.name == column.name + "-error" && each.unit == column.unit; });
      if (isSampled || error == table.columns.end()) {
        table.remedies[{row, keyOf(column)}] = remedy;
      } else {
        const double half = std::get<double>(table.rows[row][static_cast<std::size_t>(error - table.columns.begin())]);
        table.bounds[{row, keyOf(column)}] = {std::max(0.0, *value - half), *value + half, remedy};
      }
    }
}

std::vector<std::string> localityNotes(const Locality &locality, const VendorTerms &terms) {
  std::vector<std::string> notes;
  if (!locality.isEmpty() && locality.rate() < 1)
    notes.push_back(fmt::format("footprints and reuse distances are estimates from {:.2g} % of the cache lines, in steps of "
                                "{}: KPERF_LINES=N keeps more uses of them",
                                100 * locality.rate(), formatted(locality.step(), Unit::Bytes, true)));
  if (locality.sampled() > 1)
    notes.push_back(
        fmt::format("footprints, uses of a line, first uses, reuse distances and hits are those of one {0} in {1} alone, no "
                    "estimates for all: no {0} that was not counted comes before or between its uses (KPERF_SAMPLE=1 counts all)",
                    terms.block, locality.sampled()));
  if (const double share = locality.keptShare(); share < kMinShare || share > 1 / kMinShare)
    notes.push_back(fmt::format("the kept lines stand for {:.0f} % of all uses: lines that are used {} often "
                                "are missing among them; KPERF_LINES=N keeps more",
                                100 * share, share < 1 ? "more" : "less"));
  if (const std::uint64_t runs = locality.source().unusable(); runs > 0 && (!locality.isEmpty() || locality.source().withoutRoom() > 0))
    notes.push_back(fmt::format("of {} run{} nothing is known of cache lines: their uses found no room (set KPERF_LINES to more) or no "
                                "memory (to less), or were not kept (KPERF_LINES=0)",
                                runs, runs == 1 ? "" : "s"));
  return notes;
}

} // namespace kperf::decoder
