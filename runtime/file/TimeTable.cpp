// Sums up times of launches so that a few that were held up do not count.
#include "runtime/file/TimeTable.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kperf::runtime {

LaunchShape shapeOf(const kperf_launch &launch, int device, std::uint32_t name, bool isPlain) {
  return {name,
          device,
          {launch.grid[0], launch.grid[1], launch.grid[2]},
          {launch.block[0], launch.block[1], launch.block[2]},
          launch.dynamic_shared_bytes,
          isPlain};
}

void TimeTable::add(const LaunchShape &shape, std::uint64_t ns, bool isFirst) {
  if (ns == 0 || (rows.size() >= kMaxRows && !rows.contains(shape)))
    return;
  Row &row = rows[shape];
  if (isFirst)
    row.firstNs = ns;
  else if (row.ns.size() < kMaxTimes)
    row.ns.push_back(ns);
}

/// K. K. Yuen, The two-sample trimmed t for unequal population variances, Biometrika 61, 1974.
format::LaunchTimesRecord timesOf(std::span<std::uint64_t> ns) {
  std::ranges::sort(ns);
  const std::size_t cut = ns.size() / 5, left = ns.size() - 2 * cut;
  const auto least = static_cast<double>(ns[cut]), most = static_cast<double>(ns[ns.size() - 1 - cut]);
  const std::span<const std::uint64_t> middle = ns.subspan(cut, left);
  const double sum = std::accumulate(middle.begin(), middle.end(), 0.0), moved = static_cast<double>(cut) * (least + most);
  const double mean = (sum + moved) / static_cast<double>(ns.size());
  double squares = static_cast<double>(cut) * ((least - mean) * (least - mean) + (most - mean) * (most - mean));
  for (const std::uint64_t each : middle)
    squares += (static_cast<double>(each) - mean) * (static_cast<double>(each) - mean);
  format::LaunchTimesRecord out{};
  out.launches = ns.size();
  out.totalNs = std::accumulate(ns.begin(), ns.end(), std::uint64_t{0});
  out.middleNs = sum / static_cast<double>(left);
  out.errorNs = left > 1 ? std::sqrt(squares / (static_cast<double>(left) * static_cast<double>(left - 1))) : 0;
  return out;
}

bool TimeTable::write(TraceFile &file, std::span<const std::string> names) {
  std::vector<format::LaunchTimesRecord> records;
  for (auto &[shape, row] : rows) {
    if (row.ns.empty() && row.firstNs > 0 && !row.isWritten)
      row.ns.push_back(row.firstNs);
    if (row.ns.empty())
      continue;
    format::LaunchTimesRecord record = timesOf(row.ns);
    record.kernel = file.intern(names[shape.name]);
    record.device = static_cast<std::uint32_t>(shape.device);
    std::ranges::copy(shape.grid, record.grid);
    std::ranges::copy(shape.block, record.block);
    record.dynamicSharedBytes = shape.dynamicSharedBytes;
    record.flags = shape.isPlain ? format::kTimesPlain : 0;
    row.ns.clear();
    row.isWritten = true;
    records.push_back(record);
  }
  return file.write(format::SectionKind::LaunchTimes, std::span<const format::LaunchTimesRecord>(records));
}

} // namespace kperf::runtime
