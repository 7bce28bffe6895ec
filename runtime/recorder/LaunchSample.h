// Chooses the launches that are recorded when only 1 in N is.
#ifndef KPERF_RUNTIME_LAUNCHSAMPLE_H
#define KPERF_RUNTIME_LAUNCHSAMPLE_H

#include <kperf/abi/module.h>

#include <cstdint>
#include <unordered_map>

namespace kperf::runtime {

class LaunchSample {
public:
  /// Whether this launch is one of those: one of each `oneIn` of its kernel, at a place that a hash chooses anew each time, so that no
  /// rhythm of the program's meets it. What goes into a graph is one: nobody is asked when it runs. Where nobody said how many (`oneIn` is
  /// 0) and accesses to memory are sampled, the first one of a kernel is and few of those behind it: the mere place of a call beside each
  /// access makes a kernel several times as long.
  bool chooses(const kperf_launch &launch, std::uint64_t oneIn, bool areAccessesSampled);

private:
  std::unordered_map<const void *, std::uint64_t> counts; ///< by kernel
};

} // namespace kperf::runtime

#endif
