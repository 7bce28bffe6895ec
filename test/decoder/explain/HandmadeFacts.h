// Facts of a kernel as a test sets them, and what a finder says of them.
#ifndef KPERF_TEST_HANDMADE_FACTS_H
#define KPERF_TEST_HANDMADE_FACTS_H

#include "decoder/explain/Finder.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace kperf::decoder {

/// Regions 0x10 "await" (a shared barrier), 0x11 "sync" (__syncthreads), 0x12 "issue" (a copy's), 0x13 "acquire" (a pipeline's slot),
/// 0x21 "load" at dir/k.cu:12, 0x22 "multiply", and the kernel 0x20.
struct HandmadeFacts {
  HandmadeFacts() {
    auto bytes = packText(R"(kperf 1.14
region 0x10 wait "await" operation=await object=shared-barrier file="k.cu" line=3
region 0x11 wait "sync" operation=barrier object=block-barrier file="k.cu" line=5
region 0x12 signal "issue" operation=issue object=bulk-group file="k.cu" line=7
region 0x13 wait "acquire" operation=await object=pipeline-stage file="k.cu" line=9
region 0x20 kernel "walk" file="dir/k.cu" line=1
region 0x21 scope "load" file="dir/k.cu" line=12
region 0x22 scope "multiply" file="dir/k.cu" line=20
)",
                          "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    program.regions = std::make_shared<RegionSet>();
    program.regions->add(*trace);
    kernel.recording.probeCost = 10;
  }

  std::uint32_t at(std::uint32_t id) const { return program.regions->find(id); }
  /// A region of the kernel, for which it has facts.
  RegionFacts &region(std::uint32_t id) {
    const Region &row = (*program.regions)[at(id)];
    kernel.regions.push_back({.region = at(id), .name = row.name, .place = placeOf(program, at(id)), .kind = row.kind});
    return kernel.regions.back();
  }
  /// A step of the path, of `percent` of its 1000 cycles.
  void gains(PathStep::Kind kind, std::uint32_t region, std::uint64_t percent) {
    hasWaits = true;
    sync.cycles = 1000;
    sync.steps[{kind, region, UnknownReason::None}] = {.cycles = 10 * percent, .gain = 10 * percent, .blocks = 1, .replayed = 1};
  }
  std::vector<Explained> all(FindIn find) {
    kernel.sync = hasWaits ? &sync : nullptr;
    std::vector<Explained> out;
    find(kernel, program, out);
    return out;
  }
  Explained one(FindIn find) {
    const std::vector<Explained> found = all(find);
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Explained{} : found.front();
  }

  ProgramFacts program;
  KernelFacts kernel;
  KernelSync sync;
  bool hasWaits = false; ///< whether the kernel has `sync`
};

/// Whether there is something to find once `set` has changed the facts.
template <typename Set> bool finds(HandmadeFacts (*make)(), FindIn find, Set set) {
  HandmadeFacts facts = make();
  set(facts);
  return !facts.all(find).empty();
}

inline void expectGain(const Explained &found, double min, double likely, double max) {
  EXPECT_NEAR(found.gain.min, min, 1e-9) << found.rule;
  EXPECT_NEAR(found.gain.likely, likely, 1e-9) << found.rule;
  EXPECT_NEAR(found.gain.max, max, 1e-9) << found.rule;
}

} // namespace kperf::decoder

#endif
