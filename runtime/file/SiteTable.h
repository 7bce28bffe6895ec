// The memory access sites of all modules that the process has seen.
#ifndef KPERF_RUNTIME_SITE_TABLE_H
#define KPERF_RUNTIME_SITE_TABLE_H

#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace kperf::runtime {

/// A site that is counted, and how: detail::MachineCode.
struct CountedSite {
  std::uint32_t id, code;
  bool runsOnce; ///< a warp executes it at most once a launch
};

class SiteTable {
public:
  /// Copies the rows: a module may be unloaded. Two modules that hold the same header bring the same rows.
  void add(std::span<const kperf_site> sites);
  /// Of the sites that are counted, each once, in the order in which they came.
  const std::vector<CountedSite> &counted() const { return countedSites; }
  /// Writes the rows that are not in the file yet.
  bool write(TraceFile &file);

private:
  struct Row {
    std::uint32_t id, kind, region, bytes, line, column, width;
    format::MachineAccessRecord machine;
    std::size_t counted; ///< index in countedSites
    std::string function, file, source, expression, reason;
  };

  std::vector<Row> rows;
  std::size_t written = 0; ///< rows in the file
  std::vector<CountedSite> countedSites;
  std::map<std::uint32_t, std::size_t> known;                             ///< row by id
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> unseen; ///< file, line, column
};

} // namespace kperf::runtime

#endif
