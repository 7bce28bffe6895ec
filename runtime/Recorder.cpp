// The process-wide recorder.
#include "Recorder.h"
#include "Say.h"

#include <kperf/version.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <pthread.h>
#include <span>
#include <unistd.h>
#include <utility>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kperf::runtime {
namespace {

constexpr std::size_t kMostLaunchRecords = 1u << 20; ///< 56 MiB of host memory; launches beyond it are counted

std::uint64_t unixNs() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

/// The process's arguments; the first is the executable as it was called.
std::vector<std::string> processArguments() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(in, argument, '\0');)
    arguments.push_back(argument);
  if (arguments.empty())
    arguments.push_back("program");
  return arguments;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string demangled(const char *mangled) {
  int status = 0;
  char *text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 && text ? text : mangled;
  std::free(text);
  return name;
}

/// The rows of the calibration kernel (format.h), which no module's table holds.
constexpr kperf_region kCalibrationRows[] = {
    {format::kCalibrationKernel, 6, "(calibration)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationOwnEmpty, 6, "(empty, own)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationOwnEnclosing, 6, "(enclosing, own)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationSharedEmpty, 6, "(empty, shared)", "kperf", "", "", 0, 0, 0, 0},
    {format::kCalibrationSharedEnclosing, 6, "(enclosing, shared)", "kperf", "", "", 0, 0, 0, 0},
};
static_assert(static_cast<int>(format::RegionKind::Calibration) == 6);

/// The kernel of warps that only functions recorded.
constexpr kperf_region kForeignRow = {format::kForeignKernel, 0, "(kernels without probes)", "", "", "", 0, 0, 0, 0};

RegionRow rowOf(const kperf_region &region) {
  return {region.id, region.kind, region.line, region.column, region.end_line, region.sync,
          region.name, region.function, region.file, region.source};
}

} // namespace

Recorder &Recorder::instance() {
  static Recorder *const recorder = [] { // leaked: static destructors of the program may still launch
    pthread_atfork(nullptr, nullptr, [] { instance().forkedChild(); });
    return new Recorder(Environment::read());
  }();
  return *recorder;
}

Recorder::Recorder(Environment settings)
    : environment(std::move(settings)), isRecording(environment.enabled), kernels(environment.timesLaunches),
      switches(environment.kernels, environment.regions, environment.passOver > 0) {
  processId = static_cast<std::uint64_t>(getpid());
  startedUnixNs = unixNs();
  const std::vector<std::string> arguments = processArguments();
  executable = arguments.front();
  commandLine = joined(arguments);
}

void Recorder::add(kperf_module &module) {
  if (module.abi != KPERF_MODULE_ABI) {
    say("an object built for module ABI %u is not recorded, this runtime has %u; rebuild it", module.abi,
        KPERF_MODULE_ABI);
    return;
  }
  const std::lock_guard lock(mutex);
  modules.push_back(&module);
  sample = std::max(sample, module.sample);
  ++generation;
  useApi(module.gpu);
  for (const kperf_region &region : std::span(module.regions, module.region_count)) {
    const auto [known, isNew] = regions.try_emplace(region.id, rowOf(region));
    if (!isNew && known->second != rowOf(region))
      say("regions '%s' (%s:%u) and '%s' (%s:%u) have the same id and are reported as the first; rename one of them",
          known->second.name.c_str(), known->second.file.c_str(), known->second.line, region.name, region.file,
          region.line);
  }
  sites.add(std::span(module.sites, module.site_count));
  switches.add(module);
}

void Recorder::remove(kperf_module &module) {
  const std::lock_guard lock(mutex);
  if (!isFinished && !buffers.empty())
    flushLocked();
  std::erase(modules, &module);
  launchNames.clear(); // at these addresses others may stand soon
  useApi(modules.empty() ? nullptr : modules.back()->gpu);
}

/// The table of a module that was unloaded is used no more.
void Recorder::useApi(const kperf_gpu_api *api) {
  gpu = api;
  for (const auto &[device, buffer] : buffers)
    if (api)
      buffer->useApi(*api);
}

DeviceBuffer &Recorder::bufferOf(const kperf_gpu_api &api, int device) {
  std::unique_ptr<DeviceBuffer> &buffer = buffers[device];
  if (!buffer) {
    if (environment.sample == 0)
      environment.sample = std::max(1u, sample); // from now on, whatever is loaded later
    buffer = std::make_unique<DeviceBuffer>(api, device, environment);
    if (!buffer->allocate())
      say("nothing is recorded on device %d: %s", device, buffer->why().c_str());
  }
  return *buffer;
}

void Recorder::configureModules(DeviceBuffer &buffer) {
  const std::uint64_t bit = 1ull << (buffer.device() & 63);
  const kperf_device_config before = buffer.config();
  if (switches.areSet() && !buffer.provideSwitches(switches.words()))
    say("KPERF_KERNELS and KPERF_REGIONS are not heeded on device %d: %s", buffer.device(), buffer.why().c_str());
  if (!buffer.provideSites(sites.ids()))
    say("memory accesses are not counted on device %d: %s", buffer.device(), buffer.why().c_str());
  if (!buffer.provideReferences())
    say("uses of cache lines are not kept on device %d: %s", buffer.device(), buffer.why().c_str());
  for (kperf_module *module : modules) {
    if ((module->configured & bit) && buffer.config().sites == before.sites &&
        buffer.config().references == before.references &&
        buffer.config().switched_off == before.switched_off)
      continue;
    if (const int status = module->configure(&buffer.config()); status != 0)
      say("a translation unit is not recorded on device %d: %s", buffer.device(), module->gpu->error_text(status));
    module->configured |= bit;
  }
  buffer.configuredGeneration = generation;
}

void Recorder::beforeLaunch(kperf_module &module, const kperf_launch &launch) {
  const std::lock_guard lock(mutex);
  int device = 0;
  const kperf_gpu_api *api = module.gpu ? module.gpu : gpu; // a unit that launches, and holds no region, has none
  if (!isRecording || isFinished || !api || api->device(&device) != 0)
    return;
  DeviceBuffer &buffer = bufferOf(*api, device);
  if (buffer.configuredGeneration != generation) {
    configureModules(buffer);
    const auto timed = std::ranges::find_if(modules, [](const kperf_module *each) { return each->region_count > 0; });
    if (timed != modules.end())
      calibrate(buffer, **timed);
  }
  if (!buffer.config().arena)
    ++buffer.unrecordedLaunches;
  buffer.hasReplays |= !launch.kernel || (launch.flags & format::kLaunchCaptured);
  const std::uint32_t name = nameIndex(launch.kernel);
  noteLaunch(launch, device, name);
  kernels.beforeLaunch(*api, launch, device, name);
}

void Recorder::afterLaunch(kperf_module &module, const kperf_launch &launch) {
  if (!environment.timesLaunches) // never changes: nothing to lock for
    return;
  const std::lock_guard lock(mutex);
  if (const kperf_gpu_api *api = module.gpu ? module.gpu : gpu; isRecording && !isFinished && api)
    kernels.afterLaunch(*api, launch);
}

void Recorder::calibrate(DeviceBuffer &buffer, kperf_module &module) {
  if (!buffer.config().arena || !module.calibrate || !calibrated.insert(buffer.device()).second)
    return;
  if (const int status = module.calibrate(); status != 0)
    return say("the probes are not calibrated on device %d, times are raw: %s", buffer.device(),
               module.gpu->error_text(status));
  for (const kperf_region &row : kCalibrationRows)
    regions.try_emplace(row.id, rowOf(row));
}

/// Index of the kernel's name in launchNameTexts.
std::uint32_t Recorder::nameIndex(const char *mangled) {
  const char *name = mangled ? mangled : "";
  const auto [entry, isNew] = launchNames.try_emplace(name, launchNameTexts.size());
  if (isNew)
    launchNameTexts.push_back(demangled(name));
  return entry->second;
}

void Recorder::noteLaunch(const kperf_launch &launch, int device, std::uint32_t name) {
  if (launches.size() == kMostLaunchRecords) {
    ++launchesUnlisted;
    return;
  }
  format::LaunchRecord record{};
  record.hostNs = unixNs();
  record.stream = launch.stream;
  record.device = static_cast<std::uint32_t>(device);
  record.kernel = name;
  std::copy_n(launch.grid, 3, record.grid);
  std::copy_n(launch.block, 3, record.block);
  record.dynamicSharedBytes = launch.dynamic_shared_bytes;
  record.flags = launch.flags;
  launches.push_back(record);
}

std::uint64_t Recorder::buildId() const {
  std::string text;
  for (const auto &[id, row] : regions)
    text += std::to_string(id) + row.name + '\0' + row.function + '\0' + row.file + '\0' + std::to_string(row.line);
  return XXH3_64bits(text.data(), text.size());
}

bool Recorder::ensureFile() {
  if (file)
    return file->isOpen();
  file = std::make_unique<TraceFile>(tracePath(environment, executable, processId));
  if (!file->open(static_cast<format::Target>(gpu->target), startedUnixNs, buildId()))
    return false;
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  const format::ProgramRecord program{file->intern(executable), file->intern(commandLine), file->intern(KPERF_VERSION),
                                      file->intern(host), processId};
  return file->write(format::SectionKind::Program, std::span(&program, 1));
}

bool Recorder::writeRegions() {
  std::vector<format::RegionRecord> rows;
  for (auto &[id, row] : regions)
    if (!std::exchange(row.isWritten, true))
      rows.push_back({id, static_cast<format::RegionKind>(row.kind), file->intern(row.name), file->intern(row.function),
                      file->intern(row.file), file->intern(row.source), row.line, row.column, row.endLine, row.sync});
  return file->write(format::SectionKind::Regions, std::span<const format::RegionRecord>(rows));
}

bool Recorder::writeLaunches() {
  for (format::LaunchRecord &launch : launches)
    launch.kernel = file->intern(launchNameTexts[launch.kernel]);
  const bool isWritten = file->write(format::SectionKind::Launches, std::span<const format::LaunchRecord>(launches));
  launches.clear();
  if (launchesUnlisted > 0)
    losses.push_back({format::LossKind::LaunchesUnlisted, 0, std::exchange(launchesUnlisted, 0), 0});
  return isWritten;
}

bool Recorder::collectDevice(DeviceBuffer &buffer) {
  int previous = 0;
  const bool isKnown = gpu->device(&previous) == 0;
  gpu->select(buffer.device());
  gpu->synchronize(); // an error here shows again when the buffer is copied back, and is recorded there
  kernels.collect(*gpu, buffer.device());
  const bool isWritten = buffer.collect(*file, losses);
  if (isKnown)
    gpu->select(previous);
  return isWritten;
}

bool Recorder::flushLocked(bool isLast) {
  if (!isRecording || buffers.empty() || !gpu)
    return false;
  bool isWritten = ensureFile();
  for (const auto &[device, buffer] : buffers)
    if (isWritten && described.insert(device).second)
      isWritten = buffer->describe(*file);
  isWritten = isWritten && writeRegions() && sites.write(*file) && writeLaunches() && file->writeStrings();
  for (const auto &[device, buffer] : buffers)
    isWritten = isWritten && collectDevice(*buffer);
  for (const auto &[device, buffer] : buffers)
    if (buffer->hasForeignWarps)
      regions.try_emplace(kForeignRow.id, rowOf(kForeignRow));
  if (isWritten && switches.count() > 0 && !std::exchange(areSwitchesWritten, true))
    losses.push_back({format::LossKind::SwitchedOff, 0, switches.count(), file->intern(environment.switchesText())});
  isWritten = isWritten && writeRegions() && kernels.write(*file, launchNameTexts) && file->writeStrings() &&
              file->write(format::SectionKind::Losses, std::span<const format::LossRecord>(losses)) &&
              file->writeStrings() && (isLast || file->publish()); // at last it is published when it is complete
  losses.clear();
  if (!isWritten)
    stop("the trace '" + file->name() + "' could not be written: " + file->error() +
         "; set KPERF_OUTPUT to a place with room");
  return isWritten;
}

bool Recorder::flush() {
  const std::lock_guard lock(mutex);
  return !isFinished && flushLocked();
}

void Recorder::finish() {
  const std::lock_guard lock(mutex);
  if (isFinished)
    return;
  flushLocked(/*isLast=*/true);
  isFinished = true;
  if (!isRecording || !file) // a device that was reset, or a library that was unloaded, has left its part of the file already
    return;
  if (!file->finish())
    return stop("the trace '" + file->name() + "' could not be completed: " + file->error());
  if (!environment.quiet)
    say("wrote %s (%llu warps, %.1f MB)", file->name().c_str(), static_cast<unsigned long long>(file->warpsWritten()),
        static_cast<double>(file->bytesWritten()) / 1e6);
}

void Recorder::beforeReset(kperf_module &module) {
  const std::lock_guard lock(mutex);
  int device = 0;
  const kperf_gpu_api *api = module.gpu ? module.gpu : gpu;
  if (!api || isFinished || api->device(&device) != 0 || !buffers.contains(device))
    return;
  flushLocked();
  kernels.drop(device);
  buffers.erase(device);
  for (kperf_module *each : modules)
    each->configured &= ~(1ull << (device & 63));
}

void Recorder::forkedChild() {
  new (&mutex) std::mutex; // the parent's thread that may have held it does not exist here
  isRecording = false;
  if (file)
    file->abandon();
}

void Recorder::stop(const std::string &why) {
  isRecording = false;
  file->discard();
  say("recording stopped: %s", why.c_str());
}

} // namespace kperf::runtime

extern "C" {

void kperf_module_register(kperf_module *module) { kperf::runtime::Recorder::instance().add(*module); }

void kperf_module_unregister(kperf_module *module) { kperf::runtime::Recorder::instance().remove(*module); }

/// The calibration kernel's own launch comes here too.
static thread_local bool isInside = false;

void kperf_before_launch(kperf_module *module, const kperf_launch *launch) {
  if (isInside)
    return;
  isInside = true;
  kperf::runtime::Recorder::instance().beforeLaunch(*module, *launch);
  isInside = false;
  // Only now have the vendor's own exit handlers been registered: this one runs before them.
  [[maybe_unused]] static const int registered = std::atexit([] { kperf::runtime::Recorder::instance().finish(); });
}

void kperf_after_launch(kperf_module *module, const kperf_launch *launch) {
  if (!isInside)
    kperf::runtime::Recorder::instance().afterLaunch(*module, *launch);
}

void kperf_before_reset(kperf_module *module) { kperf::runtime::Recorder::instance().beforeReset(*module); }

int kperf_flush(void) { return kperf::runtime::Recorder::instance().flush() ? 0 : -1; }
}
