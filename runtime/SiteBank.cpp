// The counters of memory access sites on one device.
#include "SiteBank.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace kperf::runtime {
namespace {

constexpr std::size_t kRow = format::kSiteCounters;
constexpr std::uint64_t kMostCounterBytes = 64ull << 20; ///< copies of all counters; one copy there is in any case
constexpr std::size_t kEntriesPerSite = 4;               ///< of the table: probes seldom look further than one entry

} // namespace

bool SiteBank::provide(std::span<const std::uint32_t> ids, std::uint32_t multiprocessors, kperf_device_config &config) {
  if (ids.empty() || (!banks.empty() && banks.back().ids.size() == ids.size()))
    return true;
  Bank bank;
  bank.ids.assign(ids.begin(), ids.end());
  bank.copies = std::bit_ceil(std::max(1u, multiprocessors));
  while (bank.copies > 1 && bank.copies * ids.size() * kRow * sizeof(std::uint64_t) > kMostCounterBytes)
    bank.copies /= 2;
  bank.sampled = config.sample;
  bank.written.resize(ids.size() * kRow);
  if (!allocate(bank, config))
    return false;
  banks.push_back(std::move(bank));
  return true;
}

bool SiteBank::allocate(Bank &bank, kperf_device_config &config) {
  std::vector<kperf_site_entry> table(std::bit_ceil(bank.ids.size() * kEntriesPerSite));
  const std::size_t mask = table.size() - 1;
  for (std::uint32_t row = 0; row < bank.ids.size(); ++row) {
    std::size_t slot = bank.ids[row] & mask;
    while (table[slot].id != 0)
      slot = (slot + 1) & mask;
    table[slot] = {bank.ids[row], row};
  }
  const std::size_t bytes = std::size_t{bank.copies} * bank.ids.size() * kRow * sizeof(std::uint64_t);
  void *counters = nullptr;
  const int status = gpu.allocate(&counters, bytes);
  const std::uint64_t entries = status == 0 ? upload(table) : 0;
  if (entries == 0) {
    if (status == 0)
      gpu.release(counters);
    reason = "no " + std::to_string((bytes >> 20) + 1) + " MiB of device memory for the counters of " +
             std::to_string(bank.ids.size()) + " memory accesses";
    return false;
  }
  bank.counters = reinterpret_cast<std::uint64_t>(counters);
  config.sites = entries;
  config.site_mask = static_cast<std::uint32_t>(mask);
  config.site_counters = bank.counters;
  config.site_rows = static_cast<std::uint32_t>(bank.ids.size());
  config.site_copy_mask = bank.copies - 1;
  return true;
}

std::uint64_t SiteBank::upload(const std::vector<kperf_site_entry> &table) {
  void *entries = nullptr;
  if (gpu.allocate(&entries, table.size() * sizeof(table.front())) != 0)
    return 0;
  const auto address = reinterpret_cast<std::uint64_t>(entries);
  if (gpu.copy_to(address, table.data(), table.size() * sizeof(table.front())) == 0)
    return address;
  gpu.release(entries);
  return 0;
}

bool SiteBank::readBack(const Bank &bank, std::vector<std::uint64_t> &sums) const {
  std::vector<std::uint64_t> copy(bank.ids.size() * kRow);
  sums.assign(copy.size(), 0);
  for (std::uint32_t index = 0; index < bank.copies; ++index) {
    const std::size_t bytes = copy.size() * sizeof(std::uint64_t);
    if (gpu.copy_back(copy.data(), bank.counters + index * bytes, bytes) != 0)
      return false;
    std::transform(copy.begin(), copy.end(), sums.begin(), sums.begin(), std::plus<>());
  }
  return true;
}

bool SiteBank::collect(TraceFile &file, std::uint64_t &lost, bool isToStay) {
  std::vector<format::SiteCounterRecord> records;
  for (Bank &bank : banks) {
    std::vector<std::uint64_t> sums;
    if (!readBack(bank, sums)) {
      lost += bank.ids.size();
      continue;
    }
    for (std::size_t row = 0; row < bank.ids.size(); ++row) {
      format::SiteCounterRecord record{bank.ids[row], device, bank.sampled, 0, {}};
      bool isCounted = false;
      for (std::size_t i = 0; i < kRow; ++i) {
        record.counts[i] = sums[row * kRow + i] - bank.written[row * kRow + i];
        isCounted |= record.counts[i] != 0;
      }
      if (isCounted)
        records.push_back(record);
    }
    if (isToStay)
      bank.written = std::move(sums);
  }
  return file.write(format::SectionKind::SiteCounters, std::span<const format::SiteCounterRecord>(records));
}

} // namespace kperf::runtime
