// Tables of hits by cache size and of touched memory.
#include "LocalityTables.h"
#include "NumberFormat.h"

#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

/// Caches that hold fewer sampled lines than this are left out: what they hit is mostly chance. An exact trace's smallest is 1 KiB.
constexpr double kLeastSteps = 8;
constexpr std::size_t kSitesNamed = 2; ///< of those that touch a page

Cell optionalCell(const std::optional<double> &value) { return value ? Cell(*value) : Cell(); }

Cell cellOf(const Iterations &iterations) {
  if (!iterations.first)
    return {};
  return iterations.first == iterations.last ? std::to_string(*iterations.first)
                                             : fmt::format("{}..{}", *iterations.first, *iterations.last);
}

/// "a[i] (k.cu:12), …": what stands in the source.
std::string sitesOf(const TouchedPages &page, const MemoryTotals &totals) {
  std::string text;
  for (std::size_t i = 0; i < page.sites.size() && i < kSitesNamed; ++i)
    for (const SiteTotals &each : totals.sites())
      if (each.site.record->id == page.sites[i])
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", each.site.text(each.site.record->expression),
                            each.site.place(false));
  if (page.sites.size() > kSitesNamed)
    text += fmt::format(" and {} more", page.sites.size() - kSitesNamed);
  return text;
}

} // namespace

Table cacheTable(const Locality &locality) {
  Table table{.name = "cache-hits", .columns = {}, .rows = {}, .notes = {}, .title = "hits by cache size (in-sm: a cache for each multiprocessor)"};
  table.columns = {{"cache", Unit::Bytes, Role::Label},
                   {"hits", Unit::Percent, Role::Value, 99},
                   {"hits-error", Unit::Percent, Role::Value, 80},
                   {"hits-in-sm", Unit::Percent, Role::Value, 98},
                   {"hits-in-sm-error", Unit::Percent, Role::Value, 79}};
  for (const CacheHits &each : locality.cacheHits())
    if (static_cast<double>(each.bytes) >= kLeastSteps * locality.step())
      table.rows.push_back(
          {each.bytes, each.device.value, each.device.error, each.multiprocessor.value, each.multiprocessor.error});
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
                          sitesOf(page, totals)};
    for (const double uses : page.overTime)
      row.emplace_back(uses);
    table.rows.push_back(std::move(row));
  }
  return table;
}

void addLocalityColumns(Table &table) {
  const auto add = [&](const char *name, Unit unit, unsigned priority) {
    table.columns.push_back({name, unit, Role::Value, priority});
  };
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
  cells.insert(cells.end(), {group.footprint.value, group.footprint.error, group.touchedBytes, group.usesOfLine(),
                             group.firstUses, optionalCell(group.distance), optionalCell(group.smDistance),
                             optionalCell(group.meanDistance),
                             cellOf(group.iterations)});
}

std::vector<std::string> localityNotes(const Locality &locality) {
  std::vector<std::string> notes;
  if (locality.isEmpty())
    return notes;
  if (locality.rate() < 1)
    notes.push_back(fmt::format("footprints and reuse distances are estimates from {:.2g} % of the cache lines, in steps of "
                                "{}: KPERF_LINES=N keeps more uses of them",
                                100 * locality.rate(), formatted(locality.step(), Unit::Bytes, true)));
  for (const ReferenceRun &run : locality.source().runs())
    if (run.sampled > 1) {
      notes.push_back(fmt::format("footprints, reuse distances and hits are those of one block in {} alone: no block "
                                  "that was not counted comes between its uses",
                                  run.sampled));
      break;
    }
  if (locality.source().unusable() > 0)
    notes.push_back(fmt::format("of {} runs no uses of cache lines were kept (KPERF_LINES=0, or no memory)",
                                locality.source().unusable()));
  return notes;
}

} // namespace kperf::decoder
