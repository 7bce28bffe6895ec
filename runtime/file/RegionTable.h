// The regions of all modules ever loaded, kept after a module is unloaded.
#ifndef KPERF_RUNTIME_REGION_TABLE_H
#define KPERF_RUNTIME_REGION_TABLE_H

#include "runtime/file/FrameTable.h"
#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace kperf::runtime {

class RegionTable {
public:
  /// Takes the rows of a module; says on stderr where two regions have one id.
  /// `sharesRecords`: whether regions of these rows have records in common, as they say; not where each may be switched
  /// off.
  void add(std::span<const kperf_region> rows, bool sharesRecords);
  /// Takes the rows of the calibration kernel (format.h), which no module's table holds.
  void addCalibration();
  /// Takes the row of the kernel of warps that only functions recorded.
  void addForeignKernel();
  /// Writes the rows that are not in the file yet.
  bool write(TraceFile &file);
  /// What of these rows functions record into streams.
  const FrameTable &frames() const { return frameTable; }
  /// A hash over all rows: equal builds compare equal.
  std::uint64_t buildId() const;

private:
  struct Row {
    std::uint32_t id, kind, line, column, endLine, sync;
    std::string name, function, file, source;
    bool isWritten = false;

    bool isSameAs(const Row &other) const {
      return kind == other.kind && line == other.line && column == other.column && name == other.name && function == other.function &&
             file == other.file;
    }
  };

  static Row rowOf(const kperf_region &region);
  void addOwn(const kperf_region &region) { rows.try_emplace(region.id, rowOf(region)); }

  std::map<std::uint32_t, Row> rows; ///< by id
  FrameTable frameTable;
};

} // namespace kperf::runtime

#endif
