// The process-wide recorder: knows the modules, the devices in use and the launches; writes the trace.
#ifndef KPERF_RUNTIME_RECORDER_H
#define KPERF_RUNTIME_RECORDER_H

#include "runtime/device/DeviceBuffer.h"
#include "runtime/file/KernelTable.h"
#include "runtime/file/RegionTable.h"
#include "runtime/file/SiteTable.h"
#include "runtime/file/TraceFile.h"
#include "runtime/recorder/Calibration.h"
#include "runtime/recorder/LaunchList.h"
#include "runtime/recorder/LaunchSample.h"
#include "runtime/recorder/StartStop.h"
#include "runtime/recorder/Switches.h"
#include "runtime/recorder/Watchdog.h"
#include "runtime/settings/Environment.h"
#include "runtime/settings/Process.h"

#include <kperf/abi/HostClock.h>
#include <kperf/abi/module.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace kperf::runtime {

/// All members are safe to call from any thread.
class Recorder {
public:
  explicit Recorder(Environment environment);
  /// The one recorder of the process; never destroyed, because launches may come from static destructors.
  static Recorder &instance();

  /// Whether the user wants anything to be recorded.
  bool isWanted() const { return environment.enabled; }
  void add(kperf_module &module);
  void remove(kperf_module &module);
  /// Whether the launch is to be recorded, where the program has the choice.
  bool beforeLaunch(kperf_module &module, const kperf_launch &launch);
  void afterLaunch(kperf_module &module, const kperf_launch &launch);
  void beforeReset(kperf_module &module);
  /// From now on launches are recorded, or are not. Waits for those that were made before, which are recorded to their end, or not at all.
  /// False when that is so already, or nothing is being recorded.
  bool record(bool isToRecord);
  /// Collects from every device in use. False when nothing is being recorded or the file failed.
  bool flush();
  /// Writes what the devices hold so far, whatever still runs; the next flush takes its place. The watchdog's.
  void writeUnfinished();
  /// The same, and says so, when `signal` is about to end the process. Does nothing where the state is not to be had within seconds.
  void writeAtSignal(int signal);
  /// The last flush, at exit: completes the file and says where it is.
  void finish();
  /// At exit: says so when nothing was launched, so that there is nothing to finish.
  void sayUnlaunched();
  /// Whether launches can be recorded until the process ends: of the host target, whose memory needs no driver.
  bool recordsToTheEnd();
  /// Whether that is so, and the module is the last one.
  bool endsWith(const kperf_module &module);
  /// At the very end: says how many launches came behind finish(), and adds them to the trace's losses.
  void addLateLaunches();
  /// In a forked child: the parent keeps the file, the child records nothing (its GPU context is gone).
  void forkedChild();

private:
  class RecorderLock;

  void useApi(const kperf_gpu_api *api);
  DeviceBuffer &bufferOf(const kperf_gpu_api &gpu, int device);
  std::uint32_t accessesSampled(const kperf_gpu_api &api) const;
  kperf_device_config configOf(const kperf_module &module, const DeviceBuffer &buffer) const;
  void configureModules(DeviceBuffer &buffer);
  void follow(bool isToRecord);
  bool ensureFile();
  template <typename Work> auto on(const DeviceBuffer &buffer, Work work);
  bool synchronize();
  bool collectDevice(DeviceBuffer &buffer, bool isToWait);
  bool writeTables();
  bool writeLosses(const std::vector<format::LossRecord> &rows);
  void noteForeignWarps();
  bool flushLocked(bool isLast = false, bool isToWait = true);
  std::uint64_t runningWarps();
  bool awaitWarps();
  void noteActivity();
  bool writeSoFar();
  void stopWriting();
  void giveUp(const std::string &why);

  std::mutex mutex;       ///< whose turn it is
  std::timed_mutex state; ///< what is below: not held while the thread whose turn it is waits for a device
  Environment environment;
  bool isRecording;
  bool isFinished = false, hasLaunched = false, isOnHost = false;
  std::uint64_t lateLaunches = 0;  ///< behind finish()
  std::uint64_t earlyLaunches = 0; ///< before any module was there
  std::string deviceError;         ///< why a launch could not be told its device
  Process process = Process::current();
  std::uint64_t startedUnixNs = detail::hostNs();
  std::unique_ptr<TraceFile> file;
  const kperf_gpu_api *gpu = nullptr;
  std::vector<kperf_module *> modules;
  std::uint64_t generation = 0; ///< counts the modules that came
  RegionTable regions;
  std::uint32_t sampleAccesses = 0; ///< the greatest, of executions of accesses; 0: no module did
  bool countsEachAccess = false;    ///< a module has code that does
  std::uint32_t sample = 1;         ///< the greatest that a module asked for
  SiteTable sites;
  std::uint32_t resets = 0; ///< of any device: what was recorded before has nothing in common with what comes behind
  std::map<int, std::unique_ptr<DeviceBuffer>> buffers;
  Calibration calibration;
  std::set<int> described; ///< devices whose description is in the file
  LaunchList launches;
  LaunchSample launchSample;
  StartStop startStop;
  KernelTable kernels;
  Switches switches;
  bool areSwitchesWritten = false, hasSaidUnfinished = false;
  std::vector<format::LossRecord> losses;
  std::unique_ptr<Watchdog> watchdog; ///< last: it uses the others
};

} // namespace kperf::runtime

#endif
