// The memory access sites of all modules that the process has seen.
#include "runtime/file/SiteTable.h"
#include "runtime/settings/Log.h"

#include <kperf/rules/MachineCode.h>
#include <kperf/rules/MemoryCalls.h>

namespace kperf::runtime {

namespace {

format::MachineAccessRecord machineOf(const kperf_site &site) {
  return {site.id & kSiteId, site.leader, static_cast<format::MachineState>(site.machine & 0xff),
          static_cast<std::uint16_t>(site.machine >> format::kMachineBytesShift & 0xff), site.machine >> format::kMachinePiecesShift};
}

std::uint32_t codeOf(const format::MachineAccessRecord &machine) {
  return detail::MachineCode::of(machine.state, machine.bytes, machine.pieces).bits;
}

bool isSame(const format::MachineAccessRecord &one, const format::MachineAccessRecord &other) {
  return one.state == other.state && one.leader == other.leader && one.bytes == other.bytes && one.pieces == other.pieces;
}

} // namespace

void SiteTable::add(std::span<const kperf_site> sites) {
  for (const kperf_site &site : sites) {
    const std::uint32_t id = site.id & kSiteId;
    const bool isNew = id != 0 ? known.try_emplace(id, rows.size()).second : unseen.emplace(site.file, site.line, site.column).second;
    if (isNew) {
      const format::MachineAccessRecord machine = machineOf(site);
      rows.push_back({id, site.kind, site.region, site.bytes, site.line, site.column, site.width, machine, countedSites.size(),
                      site.function, site.file, site.source, site.expression, site.reason});
      if (id != 0)
        countedSites.push_back({id, codeOf(machine), (site.id & kRunsOnce) != 0});
      continue;
    }
    if (id == 0)
      continue;
    Row &row = rows[known.at(id)];
    countedSites[row.counted].runsOnce |= (site.id & kRunsOnce) != 0;
    if (!isSame(row.machine, machineOf(site))) { // a header's: another module's compiler made something else of it
      row.machine = {row.id, 0, format::MachineState::Varies, 0, 0};
      countedSites[row.counted].code = 0;
    }
    if (row.line != site.line || row.column != site.column || row.file != site.file)
      log("the memory accesses at %s:%u:%u and %s:%u:%u have the same id and are counted as the first", row.file.c_str(), row.line,
          row.column, site.file, site.line, site.column);
  }
}

bool SiteTable::write(TraceFile &file) {
  std::vector<format::SiteRecord> records;
  std::vector<format::MachineAccessRecord> machine;
  for (; written < rows.size(); ++written) {
    const Row &row = rows[written];
    records.push_back({row.id, static_cast<format::SiteKind>(row.kind), row.region, row.bytes, file.intern(row.function),
                       file.intern(row.file), file.intern(row.source), file.intern(row.expression), row.line, row.column, row.width,
                       file.intern(row.reason)});
    if (row.machine.state != format::MachineState::Unknown)
      machine.push_back(row.machine);
  }
  return file.write(format::SectionKind::Sites, std::span<const format::SiteRecord>(records)) &&
         file.write(format::SectionKind::MachineAccesses, std::span<const format::MachineAccessRecord>(machine));
}

} // namespace kperf::runtime
