// Adds the regions of modules as they are loaded.
#include "runtime/file/RegionTable.h"
#include "runtime/settings/Log.h"

#include <utility>
#include <vector>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kperf::runtime {
namespace {

constexpr kperf_region kCalibrationRows[] = {
    {format::kCalibrationKernel, 6, "(calibration)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationOwnEmpty, 6, "(empty, own)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationOwnEnclosing, 6, "(enclosing, own)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationSharedEmpty, 6, "(empty, shared)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationSharedEnclosing, 6, "(enclosing, shared)", "kperf", "", "", 0, 0, 0, 0},
};
static_assert(static_cast<int>(format::RegionKind::Calibration) == 6);

constexpr kperf_region kForeignRow = {format::kForeignKernel, 0, "(kernels without probes)", "", "", "", 0, 0, 0, 0};

} // namespace

RegionTable::Row RegionTable::rowOf(const kperf_region &region) {
  return {region.id,   region.kind, region.line,     region.column, region.end_line,
          region.sync, region.name, region.function, region.file,   region.source};
}

void RegionTable::add(std::span<const kperf_region> added, bool sharesRecords) {
  for (kperf_region region : added) {
    frameTable.add(region);
    const auto kind = static_cast<format::RegionKind>(region.kind);
    if (!sharesRecords && kind != format::RegionKind::Wait && kind != format::RegionKind::Signal)
      region.sync = 0; // RegionRecord::next
    const auto [known, isNew] = rows.try_emplace(region.id, rowOf(region));
    if (!isNew && !known->second.isSameAs(rowOf(region)))
      log("regions '%s' (%s:%u) and '%s' (%s:%u) have the same id and are reported as the first; rename one of them",
          known->second.name.c_str(), known->second.file.c_str(), known->second.line, region.name, region.file, region.line);
  }
}

void RegionTable::addCalibration() {
  for (const kperf_region &region : kCalibrationRows)
    addOwn(region);
}

void RegionTable::addForeignKernel() { addOwn(kForeignRow); }

bool RegionTable::write(TraceFile &file) {
  std::vector<format::RegionRecord> records;
  for (auto &[id, row] : rows)
    if (!std::exchange(row.isWritten, true))
      records.push_back({id,
                         static_cast<format::RegionKind>(row.kind),
                         file.intern(row.name),
                         file.intern(row.function),
                         file.intern(row.file),
                         file.intern(row.source),
                         row.line,
                         row.column,
                         row.endLine,
                         {row.sync}});
  return file.write(format::SectionKind::Regions, std::span<const format::RegionRecord>(records));
}

std::uint64_t RegionTable::buildId() const {
  std::string text;
  for (const auto &[id, row] : rows)
    text += std::to_string(id) + row.name + '\0' + row.function + '\0' + row.file + '\0' + std::to_string(row.line);
  return XXH3_64bits(text.data(), text.size());
}

} // namespace kperf::runtime
