// Compares the headers of traces.
#include "decoder/trace/SameBuild.h"

#include <fmt/format.h>

namespace kperf::decoder {

std::string_view hostClock(const Trace &trace) {
  return trace.header().target == format::Target::Host && !trace.devices().empty() ? trace.string(trace.devices().front().driver)
                                                                                  : std::string_view();
}

std::string originOf(const Trace &trace) {
  if (trace.header().target != format::Target::Host)
    return "";
  const std::string_view clock = hostClock(trace);
  if (clock.empty())
    return "host target: not GPU times";
  return fmt::format("host target, {}: not GPU times but what {}", clock,
                     clock == "virtual clock" ? "operations are said to take" : "a CPU took");
}

Status checkSameClock(const Trace &first, const Trace &other) {
  const std::string_view expected = hostClock(first), found = hostClock(other);
  if (expected.empty() || found.empty() || expected == found)
    return {};
  return failure({.message = fmt::format("its times are not of the clock of {}", first.name()),
                  .found = std::string(found),
                  .expected = std::string(expected),
                  .remedy = "run both with the same KPERF_HOST_CLOCK: the virtual one counts what a program does, the wall one what "
                            "this machine takes for it",
                  .file = other.name()});
}

Status checkSameBuild(std::span<const Trace> traces) {
  for (const Trace &trace : traces.subspan(1)) {
    const format::FileHeader &first = traces.front().header(), &other = trace.header();
    if (first.buildId != other.buildId)
      return failure({.message = fmt::format("its regions are not those of {}", traces.front().name()),
                      .found = fmt::format("build id {:#x}", other.buildId),
                      .expected = fmt::format("{:#x}", first.buildId),
                      .remedy = "report traces of different builds one at a time",
                      .file = trace.name()});
    if (first.target != other.target)
      return failure({.message = fmt::format("its target is not that of {}", traces.front().name()),
                      .remedy = "report traces of different targets one at a time",
                      .file = trace.name()});
    if (Status status = checkSameClock(traces.front(), trace); !status)
      return status;
  }
  return {};
}

} // namespace kperf::decoder
