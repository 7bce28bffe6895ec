// Stores the descriptions of launches while there is room.
#include "runtime/recorder/LaunchList.h"
#include "runtime/file/DemangledName.h"

#include <kperf/abi/HostClock.h>

#include <algorithm>
#include <span>
#include <utility>

namespace kperf::runtime {
namespace {

constexpr std::size_t kMaxLaunchRecords = 1u << 20; ///< 56 MiB of host memory; launches beyond it are counted

} // namespace

std::uint32_t LaunchList::nameOf(const kperf_launch &launch) {
  const char *name = launch.kernel ? launch.kernel : "";
  const auto [entry, isNew] = byAddress.try_emplace(name, texts.size());
  if (isNew)
    texts.push_back(demangled(name));
  return entry->second;
}

void LaunchList::add(const kperf_launch &launch, int device, std::uint32_t name, std::uint32_t flags) {
  // Of launches that a budget chose among those that are recorded tell for how many they stand: most of a long run's are not.
  const bool isSpared = (flags & format::kLaunchPlain) && flags >> format::kLaunchOneInShift;
  if (rows.size() >= (isSpared ? kMaxLaunchRecords / 2 : kMaxLaunchRecords)) {
    ++unlisted;
    return;
  }
  format::LaunchRecord record{};
  record.hostNs = detail::hostNs();
  record.stream = launch.stream;
  record.device = static_cast<std::uint32_t>(device);
  record.kernel = name;
  std::copy_n(launch.grid, 3, record.grid);
  std::copy_n(launch.block, 3, record.block);
  record.dynamicSharedBytes = launch.dynamic_shared_bytes;
  record.flags = launch.flags | flags;
  rows.push_back(record);
}

bool LaunchList::write(TraceFile &file, std::vector<format::LossRecord> &losses) {
  for (format::LaunchRecord &row : rows)
    row.kernel = file.intern(texts[row.kernel]);
  const bool isWritten = file.write(format::SectionKind::Launches, std::span<const format::LaunchRecord>(rows));
  rows.clear();
  if (unlisted > 0)
    losses.push_back({format::LossKind::LaunchesUnlisted, 0, std::exchange(unlisted, 0), 0});
  return isWritten;
}

} // namespace kperf::runtime
