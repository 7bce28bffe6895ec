// What each kernel needs (registers, memory, occupancy), and how long its launches took where that was asked for.
#ifndef KPERF_RUNTIME_KERNEL_TABLE_H
#define KPERF_RUNTIME_KERNEL_TABLE_H

#include "runtime/file/TimeTable.h"
#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace kperf::runtime {

class KernelTable {
public:
  /// `isTimed`: launches are timed, by two events of their stream.
  explicit KernelTable(bool isTimed) : isTimed(isTimed) {}

  /// False where a block of the launch has no room on a multiprocessor with the kernel's probes, and has a copy without to run. `name` is
  /// the caller's number of the kernel's name.
  bool canRunProbes(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name);
  /// The calling thread is about to make a launch on `device`, with the kernel's probes or without.
  void beforeLaunch(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name, bool isPlain);
  /// It has made it. Never waits: a launch for which there is no room is not timed.
  void afterLaunch(const kperf_gpu_api &gpu, const kperf_launch &launch);
  /// Waits for the launches that were timed on `device`, the current one.
  void collect(const kperf_gpu_api &gpu, int device);
  /// Forgets events of a device that is about to be reset.
  void drop(int device);
  /// Writes what was learned since the last call; `names` by their numbers.
  bool write(TraceFile &file, std::span<const std::string> names);
  /// What launches took with probes and without, which write() writes too.
  TimeTable &times() { return timeTable; }

private:
  using Key = std::tuple<std::uint32_t, int, std::uint32_t, std::uint32_t>; ///< name, device, threads, dynamic shared bytes
  struct Row {
    kperf_kernel_needs needs{};
    std::vector<std::uint64_t> ns; ///< of launches since the last write()
    bool isKnown = false, isWritten = false;
    bool hadNoCopy = false; ///< a launch had none without probes to run in its place
  };
  struct Timed {
    std::map<Key, Row>::iterator row;
    LaunchShape shape;
    bool isFirst; ///< TimeTable::noteFirst()
    void *first, *last;
  };

  static constexpr std::size_t kMaxRows = 1 << 16;
  static constexpr std::size_t kMaxPending = 1024;  ///< events in use: two each
  static constexpr std::size_t kMaxTimed = 1 << 20; ///< launches of one row between two write()s

  std::map<Key, Row>::iterator rowOf(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name);
  void take(const kperf_gpu_api &gpu, int device, bool isToWait);

  bool isTimed;
  std::map<Key, Row> rows;
  std::map<Key, Row>::iterator last = rows.end(); ///< that was asked for
  std::vector<Timed> pending;
  TimeTable timeTable;
};

} // namespace kperf::runtime

#endif
