// Profiles made by hand, of one kernel "walk" at least.
#ifndef KPERF_TEST_HANDMADE_PROFILE_H
#define KPERF_TEST_HANDMADE_PROFILE_H

#include "decoder/plan/Profile.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

namespace kperf::decoder {

/// 10000 cycles without probes and 1000 blocks, of a kernel whose regions a trace in text form has; no rows.
inline Profile profileOfWalk(std::string_view text) {
  auto bytes = packText(text, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  Profile out;
  out.regions = std::make_shared<RegionSet>();
  out.regions->add(*trace);
  ProfiledKernel &kernel = out.kernels.emplace_back();
  kernel.name = kernel.function = "walk";
  kernel.warps = 1000;
  kernel.blocks = 1000;
  kernel.cycles = 10000;
  kernel.isCostKnown = true;
  return out;
}

} // namespace kperf::decoder

#endif
