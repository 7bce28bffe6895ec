// Numbers the launches of each kernel.
#include "runtime/recorder/LaunchSample.h"

#include <kperf/format.h>
#include <kperf/rules/AccessSample.h>
#include <kperf/rules/BlockSample.h>

namespace kperf::runtime {

bool LaunchSample::chooses(const kperf_launch &launch, std::uint64_t oneIn, bool areAccessesSampled) {
  const bool isUnsaid = oneIn == 0 && areAccessesSampled;
  if (isUnsaid)
    oneIn = detail::kLaunchesSampled;
  if (launch.has_plain == KPERF_PLAIN_ONLY)
    return false;
  if (!launch.has_plain || oneIn <= 1 || (launch.flags & format::kLaunchCaptured))
    return true;
  std::uint64_t number = counts[launch.kernel ? static_cast<const void *>(launch.kernel) : launch.function]++;
  if (isUnsaid && number-- == 0)
    return true;
  return detail::scrambled(static_cast<std::uint32_t>(number / oneIn) * 0x9e3779b1u + 1) % oneIn == number % oneIn;
}

} // namespace kperf::runtime
