// Says of times that they were taken while memory accesses were counted.
#include "decoder/view/CountedTimesNote.h"
#include "decoder/trace/SameBuild.h"

#include <algorithm>

namespace kperf::decoder {

std::string countedTimesNote(std::span<const Trace> traces) {
  const auto isCountedWhileTimed = [](const Trace &it) {
    return !it.sites().empty() && hasSummands(it, Summands::Times) && hostClock(it) != "virtual clock";
  };
  if (std::ranges::none_of(traces, isCountedWhileTimed))
    return "";
  return "times hold what counting memory accesses takes, which may be many times what the kernel does: probe-cost and net times leave it "
         "out; for times, build with --probes=region";
}

} // namespace kperf::decoder
