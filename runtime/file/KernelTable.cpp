// Asks the vendor's API what kernels need, and times launches with events.
#include "runtime/file/KernelTable.h"

#include "runtime/settings/Log.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace kperf::runtime {
namespace {

thread_local void *begun = nullptr; ///< the event before the launch that the thread is making

} // namespace

/// rows.end() where a kernel can't be asked about, or there is no room for what it said.
std::map<KernelTable::Key, KernelTable::Row>::iterator KernelTable::rowOf(const kperf_gpu_api &gpu, const kperf_launch &launch, int device,
                                                                          std::uint32_t name) {
  if (!launch.function || !gpu.kernel_needs)
    return rows.end();
  const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  const Key key = {name, device, threads, launch.dynamic_shared_bytes};
  if (last != rows.end() && last->first == key)
    return last;
  if (last = rows.find(key); last == rows.end() && rows.size() < kMaxRows) {
    last = rows.try_emplace(key).first;
    Row &row = last->second;
    row.isKnown = gpu.kernel_needs(launch.function, threads, launch.dynamic_shared_bytes, &row.needs) == 0;
  }
  return last;
}

bool KernelTable::canRunProbes(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name) {
  const auto row = launch.has_plain ? rowOf(gpu, launch, device, name) : rows.end();
  return row == rows.end() || !row->second.isKnown || row->second.needs.resident_blocks > 0;
}

void KernelTable::beforeLaunch(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name, bool isPlain) {
  begun = nullptr;
  const auto entry = rowOf(gpu, launch, device, name);
  if (entry == rows.end())
    return;
  Row &row = entry->second;
  row.hadNoCopy |= launch.has_plain == 0;
  if (!isTimed || !row.isKnown || (launch.flags & format::kLaunchCaptured))
    return;
  if (pending.size() >= kMaxPending)
    take(gpu, device, false);
  if (pending.size() >= kMaxPending || row.ns.size() >= kMaxTimed || gpu.mark_time(launch.stream, &begun) != 0)
    return;
  const LaunchShape shape = shapeOf(launch, device, name, isPlain);
  pending.push_back({entry, shape, timeTable.noteFirst(shape), begun, nullptr});
}

void KernelTable::afterLaunch(const kperf_gpu_api &gpu, const kperf_launch &launch) {
  void *const first = std::exchange(begun, nullptr);
  if (!first)
    return;
  const auto timed = std::ranges::find(pending.rbegin(), pending.rend(), first, &Timed::first);
  if (timed != pending.rend())
    static_cast<void>(gpu.mark_time(launch.stream, &timed->last)); // without it the entry stays until the device is reset
}

void KernelTable::collect(const kperf_gpu_api &gpu, int device) { take(gpu, device, true); }

void KernelTable::take(const kperf_gpu_api &gpu, int device, bool isToWait) {
  std::erase_if(pending, [&](const Timed &timed) {
    std::uint64_t ns = 0;
    if (timed.shape.device != device || !timed.last)
      return false;
    const int status = gpu.time_between(timed.first, timed.last, isToWait, &ns);
    if (status == 0) {
      timed.row->second.ns.push_back(ns);
      timeTable.add(timed.shape, ns, timed.isFirst);
    }
    return status == 0 || isToWait;
  });
}

void KernelTable::drop(int device) {
  std::erase_if(pending, [&](const Timed &timed) { return timed.shape.device == device; });
}

bool KernelTable::write(TraceFile &file, std::span<const std::string> names) {
  std::vector<format::KernelRecord> records;
  for (auto &[key, row] : rows) {
    if (!row.isKnown || (row.isWritten && row.ns.empty()))
      continue;
    const auto &[name, device, threads, sharedBytes] = key;
    format::KernelRecord record{};
    record.kernel = file.intern(names[name]);
    record.device = static_cast<std::uint32_t>(device);
    record.blockThreads = threads;
    record.dynamicSharedBytes = sharedBytes;
    record.registers = row.needs.registers;
    record.localBytes = row.needs.local_bytes;
    record.staticSharedBytes = row.needs.static_shared_bytes;
    record.maxThreads = row.needs.max_threads;
    record.residentBlocks = row.needs.resident_blocks;
    record.launches = static_cast<std::uint32_t>(row.ns.size());
    if (row.needs.resident_blocks == 0 && !row.isWritten)
      log("warning: a launch of %.200s %s: a block of %u threads that have %u registers each (with probes) and %u bytes of "
          "shared memory is more than a multiprocessor has room for; %sgive the kernel __launch_bounds__(%u)%s, or ask for less shared "
          "memory",
          names[name].c_str(), row.hadNoCopy ? "can't have started" : "ran without its probes", threads, row.needs.registers,
          row.needs.static_shared_bytes + sharedBytes,
          row.hadNoCopy ? "if it starts without probes, results are wrong: " : "for it to be recorded ", threads,
          row.hadNoCopy ? ", build without kperf-cc's --no-compare" : "");
    if (!row.ns.empty()) {
      std::ranges::sort(row.ns);
      record.totalNs = std::accumulate(row.ns.begin(), row.ns.end(), std::uint64_t{0});
      record.minNs = row.ns.front();
      record.medianNs = row.ns[row.ns.size() / 2];
    }
    row.ns.clear();
    row.isWritten = true;
    records.push_back(record);
  }
  return file.write(format::SectionKind::Kernels, std::span<const format::KernelRecord>(records)) && timeTable.write(file, names);
}

} // namespace kperf::runtime
