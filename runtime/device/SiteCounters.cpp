// Allocates, reads back and sums the counters of memory access sites on one device.
#include "runtime/device/SiteCounters.h"

#include <kperf/rules/AccessCounts.h>
#include <kperf/rules/AccessSample.h>

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

namespace kperf::runtime {
namespace {

using Counts = host::AccessCounts::Counts;
static_assert(std::size(kperf_site_row{}.counts) >= std::tuple_size_v<Counts>);

constexpr std::uint64_t kMaxCounterBytes = 64ull << 20; ///< copies of all counters; one copy there is in any case
constexpr std::size_t kEntriesPerSite = 4;              ///< of the table: probes seldom look further than one entry

/// Copies are put together to so many groups, by which it is told how far an estimate may be off.
constexpr std::uint32_t kMaxGroups = 64;

/// Adds up the rows of all copies, and works patterns out. A kernel that still runs may count in a pattern between the
/// copying of its key and of its times: what has no key yet is left to the next time.
class RowSums {
public:
  explicit RowSums(std::size_t rows) : sums(rows) {}

  void add(std::size_t row, const kperf_site_row &counted) {
    std::transform(sums[row].begin(), sums[row].end(), counted.counts, sums[row].begin(), std::plus<>());
    for (std::size_t i = 0; i < std::size(counted.patterns); ++i)
      if (const std::uint64_t times = counted.times[i] & ~KPERF_TAKEN; times && detail::AccessPattern::isKey(counted.patterns[i]))
        addTimes(sums[row], counted.patterns[i], times);
    for (const bool isShared : {false, true})
      for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
        if (const std::uint64_t times = counted.lone[detail::AccessPattern::loneIndex(bytes, isShared)])
          addTimes(sums[row], detail::AccessPattern{0, 0, 1, bytes, isShared, detail::AccessKind::Store}.key(), times);
  }

  std::vector<Counts> take() { return std::move(sums); }

private:
  void addTimes(Counts &to, std::uint64_t pattern, std::uint64_t times) {
    const auto [known, isNew] = patterns.try_emplace(pattern);
    if (isNew)
      known->second = host::countsOf(detail::AccessPattern::of(pattern));
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] += times * known->second[i];
  }

  std::vector<Counts> sums;
  std::unordered_map<std::uint64_t, Counts> patterns; ///< by key
};

} // namespace

bool SiteCounters::provide(std::span<const CountedSite> sites, std::uint32_t multiprocessors, kperf_device_config &config) {
  const std::uint32_t executionsLog2 = detail::accessLimitLog2(config.access_limit);
  std::vector<CountedRow> rows = rowsOf(sites, executionsLog2);
  if (sites.empty() || (!allocations.empty() && allocations.back().rows.size() == rows.size()))
    return true;
  if (rows.size() > 1u << KPERF_MACHINE_CODE_SHIFT) {
    reason = std::to_string(sites.size()) + " memory accesses have " + std::to_string(rows.size()) +
             " rows of counters, which is more than " + std::to_string(1u << KPERF_MACHINE_CODE_SHIFT);
    return false;
  }
  Allocation allocation;
  allocation.sites.assign(sites.begin(), sites.end());
  allocation.rows = std::move(rows);
  allocation.blocks = std::max(1u, config.sample);
  const bool isSampled = allocation.blocks > 1 || executionsLog2 > 0;
  allocation.copies = std::bit_ceil(std::max(isSampled ? kMaxGroups : 1u, multiprocessors));
  while (allocation.copies > 1 && allocation.copies * allocation.rows.size() * sizeof(kperf_site_row) > kMaxCounterBytes)
    allocation.copies /= 2;
  const bool hasGroups = isSampled && gpu.target != static_cast<std::uint32_t>(format::Target::Hip); // CountAccess.h
  allocation.groups = hasGroups ? std::min(allocation.copies, kMaxGroups) : 1;
  allocation.written.resize(allocation.rows.size() * allocation.groups);
  if (!allocate(allocation, config))
    return false;
  allocations.push_back(std::move(allocation));
  return true;
}

/// Where executions are sampled a site has a row for each rate, or level, in their order.
std::vector<SiteCounters::CountedRow> SiteCounters::rowsOf(std::span<const CountedSite> sites, std::uint32_t executionsLog2) {
  std::vector<CountedRow> rows;
  for (const CountedSite &site : sites)
    for (std::uint32_t rate = 0; rate < (executionsLog2 > 0 ? detail::kAccessRates : 1); ++rate)
      rows.push_back(
          {site.id, site.runsOnce ? detail::accessRateLog2(rate, executionsLog2) : detail::accessLevelLog2(rate, executionsLog2)});
  return rows;
}

bool SiteCounters::allocate(Allocation &allocation, kperf_device_config &config) {
  std::vector<kperf_site_entry> table(std::bit_ceil(allocation.sites.size() * kEntriesPerSite));
  const std::size_t mask = table.size() - 1;
  std::uint32_t row = 0;
  for (const CountedSite &site : allocation.sites) {
    std::size_t slot = site.id & mask;
    while (table[slot].id != 0)
      slot = (slot + 1) & mask;
    table[slot] = {site.id, row | site.code << KPERF_MACHINE_CODE_SHIFT};
    while (row < allocation.rows.size() && allocation.rows[row].site == site.id)
      ++row;
  }
  const std::size_t bytes = std::size_t{allocation.copies} * allocation.rows.size() * sizeof(kperf_site_row);
  void *counters = nullptr;
  const int status = gpu.allocate(&counters, bytes);
  const std::uint64_t entries = status == 0 ? upload(table) : 0;
  if (entries == 0) {
    if (status == 0)
      gpu.release(counters);
    reason = "no " + std::to_string((bytes >> 20) + 1) + " MiB of device memory for the counters of " +
             std::to_string(allocation.sites.size()) + " memory accesses";
    return false;
  }
  allocation.counters = reinterpret_cast<std::uint64_t>(counters);
  config.sites = entries;
  config.site_mask = static_cast<std::uint32_t>(mask);
  config.site_counters = allocation.counters;
  config.site_rows = static_cast<std::uint32_t>(allocation.rows.size());
  config.site_copy_mask = allocation.copies - 1;
  return true;
}

std::uint64_t SiteCounters::upload(const std::vector<kperf_site_entry> &table) {
  void *entries = nullptr;
  const std::size_t bytes = table.size() * sizeof(table.front());
  if (gpu.allocate(&entries, bytes + table.size() * sizeof(std::uint64_t)) != 0)
    return 0;
  const auto address = reinterpret_cast<std::uint64_t>(entries);
  const std::vector<std::uint64_t> often(table.size());
  if (gpu.copy_to(address, table.data(), bytes) == 0 &&
      gpu.copy_to(address + bytes, often.data(), often.size() * sizeof(often.front())) == 0)
    return address;
  gpu.release(entries);
  return 0;
}

bool SiteCounters::readBack(const Allocation &allocation, std::vector<Counts> &sums) const {
  std::vector<kperf_site_row> copy(allocation.rows.size());
  RowSums rows(copy.size() * allocation.groups);
  for (std::uint32_t index = 0; index < allocation.copies; ++index) {
    const std::size_t bytes = copy.size() * sizeof(kperf_site_row);
    if (gpu.copy_back(copy.data(), allocation.counters + index * bytes, bytes) != 0)
      return false;
    for (std::size_t row = 0; row < copy.size(); ++row)
      rows.add(row * allocation.groups + index % allocation.groups, copy[row]);
  }
  sums = rows.take();
  return true;
}

bool SiteCounters::collect(TraceFile &file, std::uint64_t &lost, bool isToStay) {
  std::vector<format::SiteCounterRecord> records;
  for (Allocation &allocation : allocations) {
    std::vector<Counts> sums;
    if (!readBack(allocation, sums)) {
      lost += allocation.sites.size();
      continue;
    }
    for (std::size_t row = 0; row < sums.size(); ++row) {
      const CountedRow &counted = allocation.rows[row / allocation.groups];
      format::SiteCounterRecord record{counted.site, device, allocation.blocks << counted.executionsLog2, 0, 0, {}};
      if (allocation.groups > 1 || counted.executionsLog2 > 0) {
        record.group = static_cast<std::uint16_t>(row % allocation.groups + 1);
        record.groups = static_cast<std::uint16_t>(allocation.groups | counted.executionsLog2 << format::kExecutionsShift);
      }
      bool isCounted = false;
      for (std::size_t i = 0; i < sums[row].size(); ++i) {
        record.counts[i] = sums[row][i] - allocation.written[row][i];
        isCounted |= record.counts[i] != 0;
      }
      if (isCounted)
        records.push_back(record);
    }
    if (isToStay)
      allocation.written = std::move(sums);
  }
  return file.write(format::SectionKind::SiteCounters, std::span<const format::SiteCounterRecord>(records));
}

} // namespace kperf::runtime
