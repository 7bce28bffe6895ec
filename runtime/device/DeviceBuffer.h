// One device's recording memory: the arena that its warps write into, and how it is read back.
#ifndef KPERF_RUNTIME_DEVICE_BUFFER_H
#define KPERF_RUNTIME_DEVICE_BUFFER_H

#include "runtime/device/ArenaPart.h"
#include "runtime/device/GraphReplays.h"
#include "runtime/device/ReferenceLog.h"
#include "runtime/device/SiteCounters.h"
#include "runtime/device/StreamIndex.h"
#include "runtime/device/StreamRecords.h"
#include "runtime/file/TraceFile.h"
#include "runtime/settings/Environment.h"

#include <kperf/abi/module.h>
#include <kperf/rules/AccessSample.h>
#include <kperf/rules/BlockSample.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kperf::runtime {

class DeviceBuffer {
public:
  /// `run`: tells lives of a device apart that is reset (format::ReferencesHeader::run).
  /// `frames`: outlives this, and grows with the modules.
  DeviceBuffer(const kperf_gpu_api &gpu, int ordinal, const Environment &environment, const FrameTable &frames, std::uint32_t run = 0)
      : gpu(gpu), ordinal(ordinal), frames(frames), keepLast(environment.keepLast), recordsPerWarp(environment.recordsPerWarp),
        requestedBytes(environment.bufferBytes), sample(std::max(1u, environment.sample)),
        accessesLog2(static_cast<std::uint32_t>(std::countr_zero(std::max(1u, environment.sampleAccesses)))),
        maxWarpsLog2(environment.thinsWideGrids && gpu.target != static_cast<std::uint32_t>(format::Target::Hip) ? detail::kMaxWarpsLog2
                                                                                                                 : detail::kAnyWarps),
        skip(environment.skip), sites(this->gpu, static_cast<std::uint32_t>(ordinal)),
        references(this->gpu, static_cast<std::uint32_t>(ordinal), run, accessesLog2 > 0 ? 0 : environment.lineRecords) {
  } // uses of lines tell of reuse where each is seen
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  /// A module was unloaded, and with it the API that it brought and the names at its addresses: this one is as good.
  void useApi(const kperf_gpu_api &other) {
    gpu = other;
    names.clear();
  }

  /// Takes device memory on the current device. False when there is none: why() then says so and nothing is recorded.
  bool allocate();
  /// Takes memory for the counters of these access sites. False (and nothing more is counted) when there is none.
  bool provideSites(std::span<const CountedSite> counted) {
    return !deviceConfig.arena || sites.provide(counted, deviceInfo.multiprocessors, deviceConfig) || (reason = sites.why(), false);
  }
  /// Takes memory for references to cache lines, once. False (and none is kept) when there is none.
  bool provideReferences() { return !deviceConfig.sites || references.provide(deviceConfig) || (reason = references.why(), false); }
  /// Takes memory for the streams of functions, once there are any. False (and what they record is lost) when there is none.
  bool provideStreams();
  /// Takes memory for what is switched off, once, and copies it there. False when that failed: everything is recorded then, or what was
  /// before, and why() says so.
  bool provideSwitches(std::span<const std::uint32_t> words);
  /// What the modules' symbols on this device must hold; all zero without memory.
  const kperf_device_config &config() const { return deviceConfig; }
  const std::string &why() const { return reason; }

  /// Writes everything the device recorded since the last call. The device must be idle and current. Losses are added to
  /// `losses`. False when the file could not be written.
  bool collect(TraceFile &file, std::vector<format::LossRecord> &losses) { return write(file, losses, true); }
  /// Called before the wait for the device that comes before collect(), which then may make room: warps that had come by now have ended.
  void beforeWait();
  /// The wait did not end well: no room is given back.
  void waitFailed() { countersBeforeWait.clear(); }
  /// The same of a device that may be busy, and for the time being: the next call writes all of it again.
  bool copySoFar(TraceFile &file, std::vector<format::LossRecord> &losses);
  /// Warps that have been recorded since the last collect() and have not finished; also finds hasForeignWarps. None when nothing can
  /// be read. The device must be current.
  std::uint64_t runningWarps();
  /// Writes the device's description.
  bool describe(TraceFile &file) const;

  int device() const { return ordinal; }
  /// Launches that ran while this device could not record.
  std::uint64_t unrecordedLaunches = 0;
  /// Whether kernels may run in graphs, whose replays have to be told apart.
  bool hasReplays = false;
  /// Whether kernels without probes called functions that have some.
  bool hasForeignWarps = false;
  /// The recorder's count of modules when this device's symbols were last written.
  std::uint64_t configuredGeneration = 0;

private:
  struct Section;
  bool isHost() const;
  bool write(TraceFile &file, std::vector<format::LossRecord> &losses, bool isToStay);
  void divide(std::uint64_t arena, std::uint64_t bytes, std::uint64_t partTable);
  void noteBytesNeeded(Shortage &shortage, std::uint64_t kept, std::uint64_t refused) const;
  void divideReplays();
  void makeRoom(std::span<const kperf_arena_part> counters);
  int readCounters(std::vector<kperf_arena_part> &counters) const;
  bool copySlots(Section &section, std::vector<format::LossRecord> &losses);
  void findStreams();
  bool copyForeignStreams(Section &section, const format::WarpHeader &part, std::vector<format::LossRecord> &losses);
  bool copyStreams(Section &section, const format::WarpHeader &warp, std::vector<format::LossRecord> &losses);
  std::uint32_t sampledOf(const format::WarpHeader &warp) const;
  std::uint32_t nameOf(const format::WarpHeader &warp, TraceFile &file);
  std::string numberOf(const format::WarpHeader &warp, const std::string &name);
  void addLoss(std::vector<format::LossRecord> &losses, TraceFile &file, format::LossKind kind, std::uint64_t count,
               const std::string &why);

  kperf_gpu_api gpu;
  int ordinal;
  const FrameTable &frames;
  std::vector<std::uint32_t> switches; ///< KPERF_SWITCHES bits of what is not recorded; empty: all is
  bool keepLast;
  std::uint32_t recordsPerWarp;
  std::uint64_t requestedBytes;
  std::uint32_t sample, accessesLog2, maxWarpsLog2, skip;
  SiteCounters sites;
  ReferenceLog references;
  kperf_device_config deviceConfig{};
  kperf_device_info deviceInfo{};
  bool isInfoKnown = false;
  std::string reason;
  std::vector<ArenaPart> parts;
  std::vector<kperf_arena_part> countersBeforeWait;
  std::uint64_t seen = 0; ///< device memory for a number of each part
  GraphReplays replays;
  StreamIndex streams;                                    ///< of what is being collected
  std::unordered_map<std::uint64_t, std::uint32_t> names; ///< device address of a name → string offset
  /// Addresses of the equal names of instances, by kernel and name, in the order in which their launches came.
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::uint64_t>> namesakes;
};

} // namespace kperf::runtime

#endif
