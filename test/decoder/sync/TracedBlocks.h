// Packs a text, decodes it, and gives its blocks away, each with the graph of its waits.
#ifndef KPERF_TEST_DECODER_TRACED_BLOCKS_H
#define KPERF_TEST_DECODER_TRACED_BLOCKS_H

#include "decoder/sync/SyncBlocks.h"
#include "decoder/sync/SyncGraph.h"
#include "test/decoder/DecodedTrace.h"

#include <optional>
#include <string>

namespace kperf::test {

/// Calls `look(block, regions, graph)`. `expected`: warps of a block; nothing: as many as the headers say.
template <typename Look> void forBlocks(const std::string &text, std::optional<std::uint64_t> expected, Look look) {
  using namespace decoder;
  auto bytes = packText(text, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  RegionSet regions;
  regions.add(*trace);
  SyncGraph graph(regions);
  SyncBlocks blocks(regions, [&](const SyncBlock &block) {
    graph.build(block);
    look(block, regions, graph);
  });
  struct Sink final : WarpSink {
    SyncBlocks &blocks;
    std::optional<std::uint64_t> expected;
    Sink(SyncBlocks &blocks, std::optional<std::uint64_t> expected) : blocks(blocks), expected(expected) {}
    void warp(const WarpSpans &warp) override { blocks.add(0, 0, expected.value_or(warp.header.blockX / 32), warp); }
  } sink(blocks, expected);
  EXPECT_TRUE(SpanDecoder(regions, sink).run(*trace));
  blocks.finish();
}

} // namespace kperf::test

#endif
