// Launches so short that what lies between them counts.
//
// Model: launches of one kernel that follow each other with the device idle between them could be one launch, or a graph, without those
// gaps. Part of a gap may be the recording's own (buffers are read back between launches), so the minimum is 0; likely half. Where some
// launch on the device was not recorded, or not all of its blocks, the gaps may be its time, and nothing is found.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {

bool hasLaunchGaps(const KernelFacts &kernel) {
  const LaunchTimeline::Kernel &launches = kernel.timeline;
  if (launches.gapCount < 8 || launches.leftOut > 0 || launches.duration <= 0)
    return false;
  constexpr double kShort = 20'000; // ns: what a launch costs at most is far less
  constexpr double kLeastGap = 100; // ns: what it costs at least is far more; the virtual clock, on which it costs nothing, rounds to 1 ns
  return launches.gaps >= kLeastGap * static_cast<double>(launches.gapCount) &&
         100 * launches.gaps / (launches.gaps + launches.duration) >= kMinEvidence &&
         launches.duration / static_cast<double>(launches.launches) <= kShort;
}

void findLaunchGaps(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const LaunchTimeline::Kernel &launches = kernel.timeline;
  if (!hasLaunchGaps(kernel) || !launches.areGapsIdle)
    return;
  const double most = 100 * launches.gaps / (launches.gaps + launches.duration);
  const double each = launches.duration / static_cast<double>(launches.launches);
  Explained found{.rule = "launch-gaps",
                  .what = fmt::format("{} launches of {} each, with the device idle between", launches.launches, nsText(each))};
  found.place = kernel.regions.empty() ? "" : placeOf(program, kernel.regions.front().region);
  found.evidence = fmt::format("the device idles before {} of {} launches, for {} on average", launches.gapCount, launches.launches,
                               nsText(launches.gaps / static_cast<double>(launches.gapCount)));
  found.command = "timeline";
  found.why = "a launch costs some microseconds on the host and between two kernels of a stream";
  found.remedy = "one launch over all of the data, a CUDA graph, or programmatic dependent launch";
  found.confirm = "the program's time without probes";
  found.gain = {0, most / 2, most};
  out.push_back(std::move(found));
}

} // namespace kperf::decoder
