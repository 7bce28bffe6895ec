// Compares the headers of traces.
#include "decoder/trace/SameBuild.h"

#include <fmt/format.h>

namespace kperf::decoder {

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
  }
  return {};
}

} // namespace kperf::decoder
