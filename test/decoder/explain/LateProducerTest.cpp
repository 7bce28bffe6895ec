// Which of a ring's producers a finding names.
#include "decoder/explain/Finder.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// The findings of a trace with these regions and a wait that two of them release equally often; the kernel would gain most by "multiply".
std::string foundOf(const std::string &regions) {
  auto bytes = packText("kperf 1.14\nregion 0x10 wait \"await\" operation=await object=shared-barrier\n" + regions, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  ProgramFacts program;
  program.regions = std::make_shared<RegionSet>();
  program.regions->add(*trace);
  KernelSync sync;
  sync.cycles = 1000;
  WaitSum &wait = sync.waits[program.regions->find(0x10)];
  wait.count = wait.waited = 512;
  for (std::uint32_t region = 0; region < program.regions->size(); ++region) {
    const std::string &name = (*program.regions)[region].name;
    if (name == "await")
      continue;
    wait.releasedBy[{false, region}] = 256;
    const std::uint64_t gain = name == "multiply" ? 588 : 105;
    sync.steps[{PathStep::Kind::Region, region, UnknownReason::None}] = {.cycles = gain, .gain = gain, .blocks = 1, .replayed = 1};
  }
  KernelFacts kernel;
  kernel.sync = &sync;
  std::vector<Explained> found;
  findLateProducer(kernel, program, found);
  return found.size() == 1 ? found.front().what : "not one finding";
}

TEST(LateProducer, OfEqualsNamesTheOneThatCountsMost) {
  EXPECT_EQ(foundOf("region 0x11 scope \"load\"\nregion 0x12 scope \"multiply\"\n"), "wait 'await' waits for region 'multiply'");
  EXPECT_EQ(foundOf("region 0x11 scope \"multiply\"\nregion 0x12 scope \"load\"\n"), "wait 'await' waits for region 'multiply'");
}

} // namespace
} // namespace kperf::decoder
