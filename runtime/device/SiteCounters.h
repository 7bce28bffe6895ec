// The counters of memory access sites on one device: the table through which probes find them, and their sums.
#ifndef KPERF_RUNTIME_SITE_COUNTERS_H
#define KPERF_RUNTIME_SITE_COUNTERS_H

#include "runtime/file/SiteTable.h"
#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kperf::runtime {

class SiteCounters {
public:
  SiteCounters(const kperf_gpu_api &gpu, std::uint32_t device) : gpu(gpu), device(device) {}

  /// Takes device memory for these sites and says in `config` where. Sites that came later make a new table; counters
  /// that running kernels still use stay. False when there was no memory: why() then says so and nothing more is
  /// counted.
  bool provide(std::span<const CountedSite> sites, std::uint32_t multiprocessors, kperf_device_config &config);
  const std::string &why() const { return reason; }

  /// Writes what was counted since the last call that was to stay. The device must be current. `lost` counts the sites whose
  /// counters could not be copied back. False when the file could not be written.
  bool collect(TraceFile &file, std::uint64_t &lost, bool isToStay);

private:
  using Counts = std::array<std::uint64_t, format::kSiteCounters>;

  /// The counters of a site, or those of one rate at which its executions are sampled.
  struct CountedRow {
    std::uint32_t site;           ///< id
    std::uint32_t executionsLog2; ///< each execution that is counted stands for 2 to that power
  };

  struct Allocation {
    std::vector<CountedSite> sites;
    std::vector<CountedRow> rows;
    std::uint64_t counters = 0; ///< device address
    std::uint32_t copies = 0;
    std::uint32_t blocks = 1;    ///< one in this many is counted
    std::uint32_t groups = 1;    ///< of copies, whose counters are written apart; several only where blocks or executions are sampled
    std::vector<Counts> written; ///< by row and group; what is in the file already
  };

  static std::vector<CountedRow> rowsOf(std::span<const CountedSite> sites, std::uint32_t executionsLog2);
  bool allocate(Allocation &allocation, kperf_device_config &config);
  std::uint64_t upload(const std::vector<kperf_site_entry> &table);
  bool readBack(const Allocation &allocation, std::vector<Counts> &sums) const;

  const kperf_gpu_api &gpu;
  std::uint32_t device;
  std::vector<Allocation> allocations;
  std::string reason;
};

} // namespace kperf::runtime

#endif
