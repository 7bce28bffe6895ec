// The memory access sites of all modules that the process has seen.
#include "runtime/file/SiteTable.h"
#include "runtime/settings/Say.h"

namespace kperf::runtime {

void SiteTable::add(std::span<const kperf_site> sites) {
  for (const kperf_site &site : sites) {
    const bool isNew = site.id != 0 ? known.try_emplace(site.id, rows.size()).second
                                    : unseen.emplace(site.file, site.line, site.column).second;
    if (isNew) {
      rows.push_back({site.id, site.kind, site.region, site.bytes, site.line, site.column, site.width, site.function,
                      site.file, site.source, site.expression, site.reason});
      if (site.id != 0)
        countedIds.push_back(site.id);
      continue;
    }
    if (site.id == 0)
      continue;
    const Row &row = rows[known.at(site.id)];
    if (row.line != site.line || row.column != site.column || row.file != site.file)
      say("the memory accesses at %s:%u:%u and %s:%u:%u have the same id and are counted as the first",
          row.file.c_str(), row.line, row.column, site.file, site.line, site.column);
  }
}

bool SiteTable::write(TraceFile &file) {
  std::vector<format::SiteRecord> records;
  for (; written < rows.size(); ++written) {
    const Row &row = rows[written];
    records.push_back({row.id, static_cast<format::SiteKind>(row.kind), row.region, row.bytes,
                       file.intern(row.function), file.intern(row.file), file.intern(row.source),
                       file.intern(row.expression), row.line, row.column, row.width, file.intern(row.reason)});
  }
  return file.write(format::SectionKind::Sites, std::span<const format::SiteRecord>(records));
}

} // namespace kperf::runtime
