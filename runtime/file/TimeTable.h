// How long launches took with a kernel's probes and without, by what makes them alike.
#ifndef KPERF_RUNTIME_TIME_TABLE_H
#define KPERF_RUNTIME_TIME_TABLE_H

#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace kperf::runtime {

/// What launches have in common whose times can be compared.
struct LaunchShape {
  std::uint32_t name; ///< the caller's number of the kernel's name
  int device;
  std::array<std::uint32_t, 3> grid, block;
  std::uint32_t dynamicSharedBytes;
  bool isPlain; ///< it runs the copy without probes

  auto operator<=>(const LaunchShape &) const = default;
};

LaunchShape shapeOf(const kperf_launch &launch, int device, std::uint32_t name, bool isPlain);

class TimeTable {
public:
  /// Notes a launch that is to be timed. Whether it is the kernel's first one, with probes or without: it may wait for its code to be
  /// loaded.
  bool noteFirst(const LaunchShape &shape) { return begun.emplace(shape.name, shape.device, shape.isPlain).second; }
  /// Such a launch counts only where no other of its shape was timed.
  void add(const LaunchShape &shape, std::uint64_t ns, bool isFirst);
  /// Writes what was added since the last call; `names` by their numbers.
  bool write(TraceFile &file, std::span<const std::string> names);

private:
  struct Row {
    std::vector<std::uint64_t> ns;
    std::uint64_t firstNs = 0;
    bool isWritten = false;
  };

  static constexpr std::size_t kMaxRows = 1 << 14;
  static constexpr std::size_t kMaxTimes = 1 << 16; ///< of one row between two write()s

  std::map<LaunchShape, Row> rows;
  std::set<std::tuple<std::uint32_t, int, bool>> begun; ///< name, device, whether plain
};

/// The record of these times, which are at least one, without what says which launches they are of.
format::LaunchTimesRecord timesOf(std::span<std::uint64_t> ns);

} // namespace kperf::runtime

#endif
