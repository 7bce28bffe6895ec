// Blocks that end long after the others, so that most of the device idles at a launch's end.
//
// Model: from when a launch last ran about as many blocks at once as it usually did, those that are missing could share the work that is
// left: what they idle, over their number, is lost (LaunchTimeline.cpp). A single long block (longer than 1.5 times the mean) can be split,
// a last wave of equal blocks can be filled: at best all of the loss is saved, at least a quarter of it, likely three quarters.
#include "decoder/explain/Finder.h"

#include <fmt/format.h>

namespace kperf::decoder {

/// Where the longest block is longer than others: the region at work that it has more of; "" where it is in no region. What waits there
/// waits for that.
static std::string placeOfLongest(const KernelFacts &kernel, const ProgramFacts &program) {
  double outside = kernel.balance.excessOfLongest(BlockBalance::kWholeLife), most = 0;
  std::string place;
  for (const RegionFacts &region : kernel.regions) {
    const double excess = kernel.balance.excessOfLongest(region.region);
    outside -= excess;
    if (region.kind == format::RegionKind::Wait || excess <= most)
      continue;
    most = excess;
    place = placeOf(program, region.region);
  }
  return most >= outside ? place : "";
}

void findBlockTail(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const LaunchTimeline::Kernel &launches = kernel.timeline;
  const bool isWhole =
      launches.leftOut == 0 && kernel.recording.samplingInterval == 1 && kernel.launches.warps >= kernel.launches.warpsChosen();
  if (!isWhole || launches.duration <= 0 || launches.blocks <= launches.launches)
    return;
  const double lost = 100 * (1 - launches.even / launches.duration);
  if (lost < kMinEvidence)
    return;
  const double mean = launches.blockTime / static_cast<double>(launches.blocks);
  const double longest = launches.longest / static_cast<double>(launches.launches);
  const bool isOneLong = longest > 1.5 * mean || launches.maxBlocks <= launches.maxAtOnce;
  const std::string block = program.block();
  Explained found{.rule = isOneLong ? "tail-block" : "last-wave",
                  .what = longest <= 1.5 * mean && isOneLong ? fmt::format("the {}s of a launch end far apart", block)
                          : isOneLong ? fmt::format("{} {} takes {:.1f} times the mean of the launch's {}s", block, launches.longestBlock,
                                                    longest / mean, block)
                                      : fmt::format("the last wave of {}s leaves most of the device idle", block)};
  found.place = longest > 1.5 * mean     ? placeOfLongest(kernel, program)
                : kernel.regions.empty() ? ""
                                         : placeOf(program, kernel.regions.front().region);
  found.evidence =
      fmt::format("at most {} of {} {}s run at once; a launch takes {}, with its end shared evenly {}; "
                  "longest {} {}, mean {}",
                  launches.maxAtOnce, launches.maxBlocks, block, nsText(launches.duration / static_cast<double>(launches.launches)),
                  nsText(launches.even / static_cast<double>(launches.launches)), block, nsText(longest), nsText(mean));
  found.command = "timeline";
  found.why = isOneLong ? fmt::format("the launch ends when its longest {} does", block)
                        : fmt::format("{}s come in waves, and the last one is not full", block);
  found.remedy = isOneLong ? fmt::format("split its work over several {}s, or start the long ones first", block)
                           : fmt::format("make the number of {}s a multiple of {}, or let a persistent grid share the work", block,
                                         launches.maxAtOnce);
  found.confirm = "duration of the launch in kperf report, before and after (kperf diff)";
  found.noise = kernel.probesIn(lost);
  found.gain = {lost / 4, 0.75 * lost, lost};
  out.push_back(std::move(found));
}

} // namespace kperf::decoder
