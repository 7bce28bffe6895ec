// Numbers the launches of each kernel.
#include "runtime/recorder/LaunchSample.h"

#include "runtime/file/DemangledName.h"
#include "runtime/settings/Log.h"

#include <kperf/format.h>
#include <kperf/rules/AccessSample.h>
#include <kperf/rules/BlockSample.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace kperf::runtime {
namespace {

const void *kernelOf(const kperf_launch &launch) { return launch.kernel ? static_cast<const void *>(launch.kernel) : launch.function; }

} // namespace

LaunchSample::LaunchSample(const Environment &environment) : asked(environment.sampleLaunches), areAllTimed(environment.timesLaunches) {
  if (environment.overheadBudget > 0)
    overhead.emplace(environment.overheadBudget);
}

void LaunchSample::add(const kperf_module &module) {
  wanted = std::max(wanted, module.sample_launches);
  if (asked > 0 || overhead || module.overhead_budget == 0)
    return;
  overhead.emplace(module.overhead_budget / 1e6);
  source = "--overhead-budget";
}

std::uint32_t LaunchSample::choose(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name,
                                   bool areAccessesSampled, TimeTable &known) {
  std::uint64_t oneIn = asked ? asked : wanted;
  const bool isUnsaid = oneIn == 0 && areAccessesSampled;
  if (isUnsaid)
    oneIn = detail::kLaunchesSampled;
  if (launch.has_plain == KPERF_PLAIN_ONLY)
    return format::kLaunchPlain;
  const bool isOfGraph = launch.grid[0] == 0;
  if ((overhead || asked > 1) && !launch.has_plain && !isOfGraph && !std::exchange(hasSaidUnchosen, true))
    log("%s is not heeded for kernels that the program has in one version only%s: kperf-cc nvcc makes two",
        overhead ? source : "KPERF_SAMPLE_LAUNCHES", launch.kernel ? (", such as " + demangled(launch.kernel)).c_str() : "");
  if (!launch.has_plain || (launch.flags & format::kLaunchCaptured))
    return 0;
  if (overhead)
    return chooseByBudget(gpu, launch, device, name, known);
  if (oneIn <= 1)
    return 0;
  std::uint64_t number = counts[kernelOf(launch)]++;
  if (isUnsaid && number-- == 0)
    return 0;
  const bool isRecorded = detail::scrambled(static_cast<std::uint32_t>(number / oneIn) * 0x9e3779b1u + 1) % oneIn == number % oneIn;
  return isRecorded ? 0 : std::uint32_t{format::kLaunchPlain};
}

std::uint32_t LaunchSample::chooseByBudget(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name,
                                           TimeTable &known) {
  constexpr unsigned kLaunchesPerLook = 16;
  if (++chosen % kLaunchesPerLook == 0)
    times.take(gpu, *overhead, areAllTimed ? nullptr : &known);
  const std::uint32_t kernel = numberOf(launch, device);
  const OverheadBudget::Choice choice = overhead->choose(kernel);
  if (choice.isTimed)
    times.begin(gpu, launch, shapeOf(launch, device, name, !choice.isRecorded), kernel, *overhead);
  return choice.oneIn << format::kLaunchOneInShift | (choice.isRecorded ? 0 : std::uint32_t{format::kLaunchPlain});
}

/// Launches of one kernel on a device whose grids are about as large take about as long.
std::uint32_t LaunchSample::numberOf(const kperf_launch &launch, int device) {
  constexpr std::size_t kMaxNumbers = 4096; // further ones share the last
  const auto blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(kernelOf(launch)) ^
                            (static_cast<std::uint64_t>(std::bit_width(blocks)) | static_cast<std::uint64_t>(device) << 7) << 48;
  if (const auto known = numbers.find(key); known != numbers.end())
    return known->second;
  const auto next = static_cast<std::uint32_t>(std::min(numbers.size(), kMaxNumbers - 1));
  if (numbers.size() < kMaxNumbers)
    numbers.emplace(key, next);
  return next;
}

void LaunchSample::afterLaunch(const kperf_gpu_api &gpu, const kperf_launch &launch) {
  if (overhead && isTimed())
    times.end(gpu, launch, *overhead);
}

void LaunchSample::collect(const kperf_gpu_api &gpu, TimeTable &known) {
  if (overhead)
    times.take(gpu, *overhead, areAllTimed ? nullptr : &known);
}

void LaunchSample::drop(int device) {
  if (overhead)
    times.drop(device, *overhead);
}

void LaunchSample::say(bool quiet) const {
  if (!overhead || chosen == 0)
    return;
  const double budget = 100 * overhead->budget(), percent = 100 * overhead->overhead();
  if (overhead->isExceeded())
    log("%s=%.3g%% is too little to record 1 launch in %u of each kernel, which takes %.2g %% of their time: give more, or record fewer "
        "regions",
        source, budget, OverheadBudget::kMaxOneIn, percent);
  else if (!quiet)
    log("recording took %.2g %% of the time of launches, by those that were timed (%s=%.3g%%)", percent, source, budget);
}

} // namespace kperf::runtime
