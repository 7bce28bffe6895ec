// The process-wide recorder.
#include "runtime/recorder/Recorder.h"
#include "runtime/nvtx/HostRanges.h"
#include "runtime/recorder/WrittenText.h"
#include "runtime/settings/Log.h"

#include <kperf/rules/AccessSample.h>
#include <kperf/version.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <pthread.h>
#include <span>
#include <thread>
#include <utility>

namespace kperf::runtime {
/// Held by every call into the recorder, so that callers take turns. The state has a lock of its own, because the watchdog and the thread
/// that writes the trace at a signal read it while the thread whose turn it is waits for a device.
class Recorder::RecorderLock {
public:
  explicit RecorderLock(Recorder &recorder) : turn(recorder.mutex), state(recorder.state) {}

private:
  std::lock_guard<std::mutex> turn;
  std::lock_guard<std::timed_mutex> state;
};

Recorder &Recorder::instance() {
  static Recorder *const recorder = [] { // leaked: static destructors of the program may still launch
    pthread_atfork(nullptr, nullptr, [] { instance().forkedChild(); });
    return new Recorder(Environment::read());
  }();
  return *recorder;
}

Recorder::Recorder(Environment settings)
    : environment(std::move(settings)), isRecording(environment.enabled), launchSample(environment),
      startStop(!environment.startsOff, environment.control), kernels(environment.timesLaunches),
      switches(environment.kernels, environment.regions, environment.skip > 0) {}

void Recorder::add(kperf_module &module) {
  if (module.abi != KPERF_MODULE_ABI) {
    log("an object built for module ABI %u is not recorded, this runtime has %u; rebuild it", module.abi, KPERF_MODULE_ABI);
    return;
  }
  const RecorderLock lock(*this);
  modules.push_back(&module);
  sample = std::max(sample, module.sample);
  launchSample.add(module);
  sampleAccesses = std::max(sampleAccesses, module.sample_accesses);
  countsEachAccess |= module.site_count > 0 && module.sample_accesses <= 1;
  ++generation;
  useApi(module.gpu);
  regions.add(std::span(module.regions, module.region_count), !module.is_switchable);
  sites.add(std::span(module.sites, module.site_count));
  switches.add(module);
}

void Recorder::remove(kperf_module &module) {
  const RecorderLock lock(*this);
  if (!isFinished && !buffers.empty())
    flushLocked();
  std::erase(modules, &module);
  launches.forgetAddresses(); // at these addresses others may stand soon
  useApi(modules.empty() ? nullptr : modules.back()->gpu);
}

/// The table of a module that was unloaded is used no more.
void Recorder::useApi(const kperf_gpu_api *api) {
  gpu = api;
  for (const auto &[device, buffer] : buffers)
    if (api)
      buffer->useApi(*api);
}

/// One in how many executions of an access is counted: on GPUs by builds that ask for it, on the host target by any.
std::uint32_t Recorder::accessesSampled(const kperf_gpu_api &api) const {
  const auto target = static_cast<format::Target>(api.target);
  if (target == format::Target::Hip || (target == format::Target::Cuda && countsEachAccess)) // gpu/memory/AccessSample.h
    return 1;
  const std::uint32_t said = environment.sampleAccesses ? environment.sampleAccesses : sampleAccesses;
  return std::bit_ceil(std::max(1u, said));
}

/// What a module's symbol must hold. Code that counts every access came too late where others' counts stand for several.
kperf_device_config Recorder::configOf(const kperf_module &module, const DeviceBuffer &buffer) const {
  kperf_device_config config = buffer.config();
  if (module.site_count > 0 && module.sample_accesses <= 1 && config.access_limit != detail::accessLimit(0) &&
      module.gpu->target == static_cast<std::uint32_t>(format::Target::Cuda)) {
    log("memory accesses of a translation unit are not counted: it counts each one, and came behind others that do not; build all of them "
        "with or all without --exact");
    config.sites = 0;
  }
  if (!startStop.isOn())
    config.sample = config.access_limit = 0;
  return config;
}

DeviceBuffer &Recorder::bufferOf(const kperf_gpu_api &api, int device) {
  std::unique_ptr<DeviceBuffer> &buffer = buffers[device];
  if (!buffer) {
    if (environment.sample == 0) { // from now on, whatever is loaded later
      environment.sample = std::max(1u, sample);
      environment.thinsWideGrids = sample <= 1;
    }
    const std::uint32_t accesses = accessesSampled(api);
    if (accesses < environment.sampleAccesses)
      log("KPERF_SAMPLE_ACCESSES is not heeded: %s", api.target == static_cast<std::uint32_t>(format::Target::Hip)
                                                         ? "every access is counted on AMD GPUs"
                                                         : "build all of the program without --exact");
    environment.sampleAccesses = accesses;
    buffer = std::make_unique<DeviceBuffer>(api, device, environment, regions.frames(), resets);
    if (!buffer->allocate())
      log("nothing is recorded on device %d: %s", device, buffer->why().c_str());
  }
  return *buffer;
}

void Recorder::configureModules(DeviceBuffer &buffer) {
  const std::uint64_t bit = 1ull << (buffer.device() & 63);
  const kperf_device_config before = buffer.config();
  if (switches.areSet() && !buffer.provideSwitches(switches.words()))
    log("KPERF_KERNELS and KPERF_REGIONS are not heeded on device %d: %s", buffer.device(), buffer.why().c_str());
  if (!buffer.provideSites(sites.counted()))
    log("memory accesses are not counted on device %d: %s", buffer.device(), buffer.why().c_str());
  if (!buffer.provideReferences())
    log("uses of cache lines are not kept on device %d: %s", buffer.device(), buffer.why().c_str());
  if (!buffer.provideStreams())
    log("functions are not recorded on device %d: %s", buffer.device(), buffer.why().c_str());
  for (kperf_module *module : modules) {
    if ((module->configured & bit) && buffer.config().sites == before.sites && buffer.config().streams == before.streams &&
        buffer.config().references == before.references && buffer.config().switched_off == before.switched_off)
      continue;
    const kperf_device_config config = configOf(*module, buffer);
    if (const int status = module->configure(module, &config); status != 0)
      log("a translation unit is not recorded on device %d: %s", buffer.device(), module->gpu->error_text(status));
    module->configured |= bit;
  }
  buffer.configuredGeneration = generation;
}

bool Recorder::beforeLaunch(kperf_module &module, const kperf_launch &launch) {
  const RecorderLock lock(*this);
  int device = 0;
  const kperf_gpu_api *api = module.gpu ? module.gpu : gpu; // a unit that launches, and holds no region, has none
  hasLaunched = true;
  isOnHost |= api && api->target == static_cast<std::uint32_t>(format::Target::Host);
  (isFinished ? lateLaunches : earlyLaunches) += isRecording && (isFinished || !api);
  if (!isRecording || isFinished || !api)
    return false;
  if (const int status = api->device(&device); status != 0) {
    deviceError = api->error_text(status);
    return false;
  }
  noteActivity();
  // Whoever launches must not wait here: what runs may wait for this very launch.
  if (const auto isToRecord = startStop.change(); isToRecord && *isToRecord != startStop.isOn()) {
    if (!*isToRecord)
      writeSoFar();
    follow(*isToRecord);
  }
  if (!startStop.isOn() && !(launch.flags & format::kLaunchCaptured)) { // a graph may run when recording is on
    startStop.noteLaunch();
    return false;
  }
  const bool areAccessesSampled =
      !sites.counted().empty() && api->target == static_cast<std::uint32_t>(format::Target::Cuda) && accessesSampled(*api) > 1;
  const std::uint32_t name = launches.nameOf(launch);
  std::uint32_t choice = format::kLaunchPlain;
  if (kernels.canRunProbes(*api, launch, device, name))
    choice = launchSample.choose(*api, launch, device, name, areAccessesSampled, kernels.times());
  const bool isRecorded = (choice & format::kLaunchPlain) == 0;
  DeviceBuffer &buffer = bufferOf(*api, device);
  if (buffer.configuredGeneration != generation) {
    configureModules(buffer);
    const auto timed = std::ranges::find_if(modules, [](const kperf_module *each) { return each->region_count > 0; });
    if (timed != modules.end() && buffer.config().arena && calibration.run(**timed, device)) {
      regions.addCalibration();
      calibration.compareClocks(modules, device, /*isIdle=*/false);
    }
  }
  buffer.unrecordedLaunches += !buffer.config().arena && isRecorded;
  buffer.hasReplays |= !launch.function || (launch.flags & format::kLaunchCaptured);
  launches.add(launch, device, name, choice);
  kernels.beforeLaunch(*api, launch, device, name, !isRecorded);
  return isRecorded;
}

void Recorder::afterLaunch(kperf_module &module, const kperf_launch &launch) {
  if (!environment.timesLaunches && !LaunchSample::isTimed()) // of the thread, or never changes: nothing to lock for
    return;
  const RecorderLock lock(*this);
  if (const kperf_gpu_api *api = module.gpu ? module.gpu : gpu; isRecording && !isFinished && api) {
    kernels.afterLaunch(*api, launch);
    launchSample.afterLaunch(*api, launch);
  }
}

bool Recorder::ensureFile() {
  if (file)
    return file->isOpen();
  file = std::make_unique<TraceFile>(tracePath(environment, process.executable, process.id));
  if (!file->open(static_cast<format::Target>(gpu->target), startedUnixNs, regions.buildId()))
    return false;
  const format::ProgramRecord program{file->intern(process.executable), file->intern(process.commandLine), file->intern(KPERF_VERSION),
                                      file->intern(process.host), process.id};
  return file->write(format::SectionKind::Program, std::span(&program, 1));
}

/// The device is current while `work` runs.
template <typename Work> auto Recorder::on(const DeviceBuffer &buffer, Work work) {
  int previous = 0;
  const bool isKnown = gpu->device(&previous) == 0;
  gpu->select(buffer.device());
  const auto result = work();
  if (isKnown)
    gpu->select(previous);
  return result;
}

/// Waits for the current device; false when that failed. An error shows again when its buffer is copied back, and is recorded there.
bool Recorder::synchronize() {
  state.unlock();
  const bool isIdle = gpu->synchronize() == 0;
  state.lock();
  return isIdle;
}

/// Tells probes to record, or not to: everything stays where it is, for kernels may be running.
void Recorder::follow(bool isToRecord) {
  startStop.set(isToRecord);
  for (const auto &[device, buffer] : buffers)
    on(*buffer, [&] {
      const std::uint64_t known = buffer->configuredGeneration; // what came since is calibrated with the next launch
      for (kperf_module *module : modules)
        module->configured &= ~(1ull << (buffer->device() & 63));
      configureModules(*buffer);
      return buffer->configuredGeneration = known;
    });
}

bool Recorder::record(bool isToRecord) {
  const RecorderLock lock(*this);
  if (!isRecording || isFinished || startStop.isOn() == isToRecord)
    return false;
  if (!isToRecord)
    flushLocked();
  else
    for (const auto &[device, buffer] : buffers)
      on(*buffer, [&] { return synchronize(); });
  follow(isToRecord);
  return true;
}

bool Recorder::collectDevice(DeviceBuffer &buffer, bool isToWait) {
  return on(buffer, [&] {
    if (isToWait) {
      buffer.beforeWait();
      const bool isIdle = synchronize();
      if (!isIdle)
        buffer.waitFailed();
      kernels.collect(*gpu, buffer.device());
      launchSample.collect(*gpu, kernels.times());
      if (isIdle)
        calibration.compareClocks(modules, buffer.device(), isIdle);
    }
    return file->dropTail() && buffer.collect(*file, losses); // the watchdog may have written meanwhile
  });
}

/// All that is known without a look at a device.
bool Recorder::writeTables() {
  bool isWritten = ensureFile() && file->dropTail();
  for (const auto &[device, buffer] : buffers)
    if (isWritten && described.insert(device).second)
      isWritten = buffer->describe(*file);
  return isWritten && regions.write(*file) && sites.write(*file) && launches.write(*file, losses) &&
         HostRanges::instance().write(*file, losses) && calibration.write(*file) && file->writeStrings();
}

bool Recorder::writeLosses(const std::vector<format::LossRecord> &rows) {
  return file->writeStrings() && file->write(format::SectionKind::Losses, std::span(rows)) && file->writeStrings();
}

void Recorder::noteForeignWarps() {
  for (const auto &[device, buffer] : buffers)
    if (buffer->hasForeignWarps)
      regions.addForeignKernel();
}

bool Recorder::flushLocked(bool isLast, bool isToWait) {
  if (!isRecording || buffers.empty() || !gpu)
    return false;
  bool isWritten = writeTables();
  for (const auto &[device, buffer] : buffers)
    isWritten = isWritten && collectDevice(*buffer, isToWait);
  noteForeignWarps();
  if (earlyLaunches > 0)
    losses.push_back({format::LossKind::LaunchesUnrecorded, 0, std::exchange(earlyLaunches, 0),
                      file->intern("made before the code that makes them was registered")});
  startStop.addMissed(*file, losses);
  if (isWritten && switches.count() > 0 && !std::exchange(areSwitchesWritten, true))
    losses.push_back({format::LossKind::SwitchedOff, 0, switches.count(), file->intern(environment.switchesText())});
  isWritten = isWritten && regions.write(*file) && kernels.write(*file, launches.names()) && calibration.write(*file) &&
              writeLosses(losses) && (isLast || file->publish()); // at last it is published when it is complete
  losses.clear();
  if (!isWritten)
    stopWriting();
  return isWritten;
}

std::uint64_t Recorder::runningWarps() {
  std::uint64_t running = 0;
  for (const auto &[device, buffer] : buffers)
    running += on(*buffer, [&] { return buffer->runningWarps(); });
  return running;
}

/// Publishes all that is known now. False when there is nothing to write, or no way to.
bool Recorder::writeSoFar() {
  if (!isRecording || isFinished || buffers.empty() || !gpu)
    return false;
  noteForeignWarps();
  bool isWritten = writeTables() && kernels.write(*file, launches.names());
  startStop.addMissed(*file, losses);
  isWritten = isWritten && file->writeStrings();
  if (isWritten && !file->beginTail())
    return false;
  std::vector<format::LossRecord> soFar = losses;
  for (const auto &[device, buffer] : buffers)
    isWritten = isWritten && on(*buffer, [&] { return buffer->copySoFar(*file, soFar); });
  if (isWritten && writeLosses(soFar) && file->publish())
    return true;
  stopWriting();
  return false;
}

void Recorder::writeUnfinished() {
  const std::lock_guard lock(state);
  const std::uint64_t running = gpu ? runningWarps() : 0;
  if (writeSoFar() && running > 0 && !std::exchange(hasSaidUnfinished, true))
    log("%llu warp%s on %.3g s after the last launch; %s has what was recorded so far", static_cast<unsigned long long>(running),
        running == 1 ? " runs" : "s run", std::chrono::duration<double>(environment.watchdog).count(), file->name().c_str());
}

void Recorder::writeAtSignal(int signal) {
  const std::unique_lock lock(state, std::chrono::seconds(4));
  if (lock.owns_lock() && writeSoFar() && !environment.quiet)
    log("ended by signal %d (%s); %s has what was recorded until then", signal, strsignal(signal), file->name().c_str());
}

/// Waits for warps that run, as long as the watchdog does and no longer. On the host target launches are over when they return.
bool Recorder::awaitWarps() {
  using Clock = std::chrono::steady_clock;
  if (!gpu || gpu->target == static_cast<std::uint32_t>(format::Target::Host))
    return true;
  const auto end = Clock::now() + environment.watchdog;
  for (std::chrono::milliseconds pause(1); runningWarps() > 0; pause *= 2) {
    if (Clock::now() >= end)
      return false;
    std::this_thread::sleep_until(std::min(end, Clock::now() + pause));
  }
  return true;
}

void Recorder::noteActivity() {
  if (environment.watchdog.count() == 0)
    return;
  if (!watchdog)
    watchdog = std::make_unique<Watchdog>(environment.watchdog, [this] { writeUnfinished(); });
  watchdog->noteActivity();
}

bool Recorder::flush() {
  const RecorderLock lock(*this);
  return !isFinished && flushLocked();
}

void Recorder::finish() {
  std::unique_ptr<Watchdog> ended; // when the turn is over: it may be about to look at the state
  const RecorderLock lock(*this);
  if (isFinished)
    return;
  const bool isToWait = !watchdog || !isRecording || awaitWarps();
  if (!isToWait)
    log("kernels still run %.3g s after the program's end; the trace has what they recorded so far",
        std::chrono::duration<double>(environment.watchdog).count());
  HostRanges::instance().close();
  flushLocked(/*isLast=*/true, isToWait);
  ended = std::move(watchdog);
  isFinished = true;
  if (isRecording)
    switches.sayUnmatched();
  if (isRecording && !file)
    log("no trace is written: %s", unwrittenText(generation > 0, startStop.missedLaunches() > 0, deviceError).c_str());
  if (!isRecording || !file) // a device that was reset, or a library that was unloaded, has left its part of the file already
    return;
  if (!file->finish())
    return giveUp("the trace '" + file->name() + "' could not be completed: " + file->error());
  if (!environment.quiet)
    log("%s", writtenText(*file, sites.counted().size(), environment.recordsPerWarp).c_str());
  launchSample.say(environment.quiet);
}

void Recorder::sayUnlaunched() {
  const RecorderLock lock(*this);
  if (isRecording && !isFinished && !hasLaunched && !environment.quiet)
    log("no trace is written: no kernel was launched by code that kperf instrumented");
}

bool Recorder::recordsToTheEnd() {
  const RecorderLock lock(*this);
  return isOnHost;
}

bool Recorder::endsWith(const kperf_module &module) {
  const RecorderLock lock(*this);
  return isOnHost && modules.size() == 1 && modules.front() == &module;
}

void Recorder::addLateLaunches() {
  const RecorderLock lock(*this);
  if (lateLaunches == 0)
    return;
  log("%llu launch%s came after the trace was written, from static destructors or what atexit() was given: not recorded",
      static_cast<unsigned long long>(lateLaunches), lateLaunches == 1 ? "" : "es");
  if (!file || !file->reopen())
    return;
  const format::LossRecord late{format::LossKind::LaunchesUnrecorded, 0, std::exchange(lateLaunches, 0),
                                file->intern("made after the trace was written")};
  if (!writeLosses({late}) || !file->finish())
    log("they could not be added to the losses of '%s': %s", file->name().c_str(), file->error().c_str());
}

void Recorder::beforeReset(kperf_module &module) {
  const RecorderLock lock(*this);
  int device = 0;
  const kperf_gpu_api *api = module.gpu ? module.gpu : gpu;
  if (!api || isFinished || api->device(&device) != 0 || !buffers.contains(device))
    return;
  flushLocked();
  kernels.drop(device);
  launchSample.drop(device);
  buffers.erase(device);
  ++resets;
  for (kperf_module *each : modules)
    each->configured &= ~(1ull << (device & 63));
}

void Recorder::forkedChild() {
  new (&mutex) std::mutex; // the parent's thread that may have held it does not exist here
  new (&state) std::timed_mutex;
  static_cast<void>(watchdog.release()); // nor does its thread, for which its destructor would wait
  isRecording = false;
  HostRanges::instance().close();
  if (file)
    file->abandon();
}

void Recorder::stopWriting() {
  giveUp("the trace '" + file->name() + "' could not be written: " + file->error() + "; set KPERF_OUTPUT to " + file->betterPlace());
}

void Recorder::giveUp(const std::string &why) {
  if (!std::exchange(isRecording, false)) // the watchdog said it
    return;
  file->discard();
  log("recording stopped: %s", why.c_str());
}

} // namespace kperf::runtime
