// Launches with fewer blocks than the device has multiprocessors.
//
// Model: work of one multiprocessor for each block can be spread over all of them at best in proportion; how far the program allows that is
// not in the trace, so the minimum is 0. Likely half of the way.
#include "decoder/explain/Finder.h"

#include <fmt/format.h>

namespace kperf::decoder {

void findSmallGrid(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const LaunchTimeline::Kernel &launches = kernel.timeline;
  if (program.areSmsInvented) // Explanation says what is not known instead
    return;
  if (kernel.device.sms < 2 || launches.launches == 0 || launches.leftOut > 0 || kernel.recording.samplingInterval > 1 ||
      launches.maxBlocks >= kernel.device.sms)
    return;
  const double used = static_cast<double>(launches.maxBlocks) / kernel.device.sms;
  const double idle = 100 * (1 - used);
  Explained found{.rule = "small-grid",
                  .what = fmt::format("{} {}{} for {} {}s", launches.maxBlocks, program.block(), launches.maxBlocks == 1 ? "" : "s",
                                      kernel.device.sms, program.sm())};
  found.place = kernel.regions.empty() ? "" : placeOf(program, kernel.regions.front().region);
  found.evidence = fmt::format("{} launch{} of at most {} {}{}; the device has {} {}s, {:.0f} % of them idle", launches.launches,
                               launches.launches == 1 ? "" : "es", launches.maxBlocks, program.block(), launches.maxBlocks == 1 ? "" : "s",
                               kernel.device.sms, program.sm(), idle);
  found.command = "info";
  found.why = fmt::format("an {} without a {} does nothing", program.sm(), program.block());
  found.remedy = launches.launches > 1 ? fmt::format("do the work of several launches in one, or in smaller {}s", program.block())
                                       : fmt::format("smaller {}s, or split the reduction (split-K)", program.block());
  found.confirm = "the program's time: launches and grid in kperf info, duration in kperf report";
  found.gain = {0, idle / 2, idle};
  found.needsTimes = false;
  out.push_back(std::move(found));
}

} // namespace kperf::decoder
