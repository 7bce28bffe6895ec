// Reads a block from text, and writes what is said of its waits.
#include "test/decoder/sync/SyncVerdicts.h"
#include "decoder/sync/Replay.h"
#include "decoder/sync/SelfTime.h"
#include "test/decoder/sync/TracedBlocks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kperf::test {

using namespace decoder;
using Verdict = SyncGraph::Verdict;

namespace {

constexpr const char *kRegions = R"(region 0xa0 kernel "k"
region 0xa1 scope "work"
region 0xb0 wait "sync" operation=barrier object=block-barrier
region 0xb1 signal "arrive" operation=arrive object=block-barrier
region 0xb2 wait "barrier.wait" operation=await object=block-barrier
region 0xc0 wait "mbar.sync" operation=barrier object=shared-barrier
region 0xc1 signal "mbar.arrive" operation=arrive object=shared-barrier
region 0xc2 wait "mbar.wait" operation=await object=shared-barrier
region 0xc3 signal "tma" operation=issue object=shared-barrier
region 0xc4 signal "fill" operation=arrive-issue object=shared-barrier
region 0xd0 signal "copy" operation=issue object=copy-group
region 0xd1 signal "commit" operation=commit object=copy-group
region 0xd2 wait "copies" operation=await object=copy-group
region 0xd3 signal "mma" operation=issue object=matrix-group
region 0xd4 signal "mma.commit" operation=commit object=matrix-group
region 0xd5 wait "mmas" operation=await object=matrix-group
region 0xe0 wait "grid.sync" operation=barrier object=grid-barrier
region 0xe1 wait "warp.sync" operation=await object=lanes
region 0xe2 wait "spin" operation=await object=unknown
region 0xf0 signal "pipe.commit" operation=commit object=pipeline
region 0xf1 wait "pipe.wait" operation=await object=pipeline
region 0xf3 wait "pipe.acquire" operation=await object=pipeline-stage
region 0xf4 signal "pipe.release" operation=arrive object=pipeline-stage
region 0xf5 wait "slot.acquire" operation=await object=pipeline-slot
region 0xf6 signal "slot.release" operation=arrive object=pipeline-slot
)";

} // namespace

std::string verdicts(const std::string &warps, const std::string &target) {
  std::string out;
  SelfTime own;
  forBlocks("kperf 1.17 target=" + target + "\n" + kRegions + warps, {},
            [&](const SyncBlock &block, const RegionSet &regions, const SyncGraph &graph) {
              own.build(block, regions);
              Replay replay(regions);
              if (replay.build(block, graph, own)) {
                EXPECT_EQ(replay.cycles(), block.cycles()) << warps;
              }
              for (const SyncGraph::Wait &wait : graph.waits()) {
                out += fmt::format("{}{}..{}{} ", out.empty() ? "" : ", ", wait.begin, wait.end, wait.isInner ? " inner" : "");
                const std::uint32_t by = wait.by == SyncGraph::kNone ? 99 : block.warps[graph.events()[wait.by].warp].index;
                if (wait.verdict == Verdict::NotWaited)
                  out += "not";
                else if (wait.verdict == Verdict::NotKnown)
                  out += fmt::format("? {}", text(wait.why, termsOf("")));
                else if (wait.verdict == Verdict::OtherBlocks)
                  out += fmt::format("others at {}", wait.released);
                else
                  out += fmt::format("by {}{} at {}", wait.isByFlight ? "flight of " : "", by, wait.released);
              }
            });
  return out;
}

} // namespace kperf::test
