// Streams of functions: what a device writes into them, the decoder reads as ordinary records behind their warp's own.
#include "test/runtime/RecorderFixture.h"

#include "runtime/device/ReconvergedCalls.h"

#include <cstring>

namespace kperf::test {
namespace {

using format::Record;
using format::RecordKind;
using runtime::FrameTable;
using runtime::recordsOf;
using runtime::StreamRecords;

/// A frame of a range and, behind it, one whose first clock is the other's last, and a scope: words 0 1, 1 2 and 3 4.
const kperf_region kFrame[] = {{0x11, 0, "gemm", "", "", "", 1, 1, 1, 0},
                               {0x31, 2, "a", "", "", "", 2, 1, 2, 0, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x100u, 0x32},
                               {0x32, 2, "b", "", "", "", 3, 1, 3, 0, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x201u, 0x33},
                               {0x33, 1, "c", "", "", "", 4, 1, 4, 0, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x403u}};

uint32_t tag(RecordKind kind, uint32_t id) { return id | static_cast<uint32_t>(kind) << format::kKindShift; }

FrameTable frames() {
  FrameTable table;
  for (const kperf_region &region : kFrame)
    table.add(region);
  return table;
}

/// The two pieces of such a frame; the last region is not entered where its clocks are 0.
std::array<Record, 2> frame(uint32_t start, bool hasLast, uint32_t lanes = ~0u) {
  return {Record{start, start + 10, start + 30, hasLast ? start + 40 : 0}, Record{hasLast ? start + 45 : 0, 0, lanes, 0x31}};
}

/// The header of a stream whose warp has `lanes` lanes for it.
format::WarpHeader header(uint32_t words, uint32_t pieces, uint32_t lanes = 32) {
  format::WarpHeader part{};
  part.flags = KPERF_STREAM_PART | format::kWarpFinished;
  part.nameBytes = words | lanes << KPERF_STREAM_LANES_SHIFT;
  part.produced = pieces;
  return part;
}

uint64_t otherLanes(const StreamRecords &stream) { return runtime::otherLanesOf(std::span(&stream, 1)); }

TEST(StreamTest, FramesBecomeTheirRegionsInTheOrderOfTheirEnds) {
  std::vector<Record> pieces;
  for (const auto &each : {frame(100, true), frame(200, false)})
    pieces.insert(pieces.end(), each.begin(), each.end());
  format::WarpHeader part = header(8, 4);
  part.capacity = 4;
  const StreamRecords stream = recordsOf(part, pieces, frames(), false);
  const std::pair<uint32_t, uint32_t> expected[] = {
      {tag(RecordKind::Begin, 0x31), 100}, {tag(RecordKind::End, 0x31), 110},   {tag(RecordKind::Begin, 0x32), 110},
      {tag(RecordKind::End, 0x32), 130},   {tag(RecordKind::Span, 0x33), 140},  {tag(RecordKind::Begin, 0x31), 200},
      {tag(RecordKind::End, 0x31), 210},   {tag(RecordKind::Begin, 0x32), 210}, {tag(RecordKind::End, 0x32), 230}};
  ASSERT_EQ(stream.records.size(), std::size(expected));
  for (std::size_t index = 0; index < std::size(expected); ++index) {
    EXPECT_EQ(stream.records[index].tag, expected[index].first) << index;
    EXPECT_EQ(stream.records[index].first, expected[index].second) << index;
  }
  EXPECT_EQ(stream.records[4].second, 145u);
  EXPECT_EQ(stream.produced, std::size(expected));
  EXPECT_EQ(otherLanes(stream), 0u);
}

TEST(StreamTest, WhatFoundNoRoomIsProduced) {
  std::vector<Record> pieces;
  for (const auto &each : {frame(100, true), frame(200, true)})
    pieces.insert(pieces.end(), each.begin(), each.end());
  format::WarpHeader part = header(8, 10); // five frames
  part.capacity = 4;
  const StreamRecords first = recordsOf(part, pieces, frames(), false);
  EXPECT_EQ(first.records.size(), 10u);
  EXPECT_EQ(first.produced, 25u);
  EXPECT_EQ(first.records.front().first, 100u);
  const StreamRecords last = recordsOf(part, pieces, frames(), true); // the fifth came upon the first's place
  EXPECT_EQ(last.records.front().first, 200u);
  EXPECT_EQ(last.produced, 25u);
}

TEST(StreamTest, WaitsAndSignalsOfAFrameSayWhatTheyAreFor) {
  // A range that is all wait: words 0 and 1 of both, what is waited for in word 2; and a signal at the clock of word 1, of word 3.
  const kperf_region rows[] = {{0x41, 2, "turn", "", "", "", 1, 1, 1, 0, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x100u, 0x42},
                               {0x42, 7, "wait", "", "", "", 1, 1, 1, 0, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x20100u, 0x43},
                               {0x43, 8, "signal", "", "", "", 2, 1, 2, 0, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x30101u}};
  FrameTable table;
  for (const kperf_region &region : rows)
    table.add(region);
  const std::array<Record, 2> pieces{Record{100, 150, 0x80, 0x88}, Record{0, 0, 0xffff, 0x41}};
  format::WarpHeader part = header(8, 2, 16);
  part.capacity = 2;
  const StreamRecords stream = recordsOf(part, pieces, table, false);
  const Record expected[] = {{100, 0, 0xffff, tag(RecordKind::Begin, 0x41)},
                             {100, 150, 0x80, tag(RecordKind::Span, 0x42)}, // the inner one ends first
                             {150, 0, 0xffff, tag(RecordKind::End, 0x41)},
                             {150, 0x88, 0xffff, tag(RecordKind::Mark, 0x43)}};
  ASSERT_EQ(stream.records.size(), std::size(expected));
  for (std::size_t index = 0; index < std::size(expected); ++index)
    EXPECT_EQ(std::memcmp(&stream.records[index], &expected[index], sizeof(Record)), 0) << index;
  EXPECT_EQ(otherLanes(stream), 0u);
}

TEST(StreamTest, WhatIsOffIsLeftOutOfItsFrames) {
  const auto one = frame(100, true);
  format::WarpHeader part = header(8, 2);
  part.capacity = 2;
  std::vector<uint32_t> off(KPERF_SWITCHES / 32);
  off[0x31 / 32] |= 1u << 0x31 % 32;
  const StreamRecords stream = recordsOf(part, one, frames(), false, off);
  ASSERT_EQ(stream.records.size(), 3u);
  EXPECT_EQ(stream.records[0].tag, tag(RecordKind::Begin, 0x32)); // whose clock is that of the end that is left out
  EXPECT_EQ(stream.records[0].first, 110u);
}

TEST(StreamTest, ARecordMayStandBetweenFrames) {
  const auto one = frame(100, false);
  const uint32_t wait = tag(RecordKind::Span, 0x33);
  std::vector<Record> pieces(one.begin(), one.end());
  pieces.push_back({200, 250, 0xabc, wait});
  pieces.push_back({0, 0, ~0u, wait}); // the lanes that came, and that this is no frame
  format::WarpHeader part = header(8, 4);
  part.capacity = 4;
  const StreamRecords stream = recordsOf(part, pieces, frames(), false);
  ASSERT_EQ(stream.records.size(), 5u);
  EXPECT_EQ(std::memcmp(&stream.records[4], &pieces[2], sizeof(Record)), 0);
  EXPECT_EQ(otherLanes(stream), 0u);
}

TEST(StreamTest, ARowSaysHowManyLanesCameToNoRecord) {
  const Record one[] = {{100, 200, 0x7, tag(RecordKind::Span, 0x33)}};
  format::WarpHeader part = header(4, 1, 0);
  part.capacity = 1;
  part.nameAddress = 5;
  const StreamRecords stream = recordsOf(part, one, frames(), false);
  EXPECT_EQ(stream.records.size(), 1u);
  EXPECT_EQ(otherLanes(stream), 5u);
}

TEST(StreamTest, LanesWithoutTheWriterAreCounted) {
  const auto one = frame(100, true, 0xffff);
  format::WarpHeader part = header(8, 2);
  part.capacity = 2;
  EXPECT_EQ(otherLanes(recordsOf(part, one, frames(), false)), 16u); // as many as came to it are missing in it
  part.nameAddress = static_cast<uint64_t>(0) - 16;                  // they say themselves that they did not come
  EXPECT_EQ(otherLanes(recordsOf(part, one, frames(), false)), 0u);
}

TEST(StreamTest, FramesOfNoKnownRegionAreCountedAndLeftOut) {
  const auto one = frame(100, true);
  format::WarpHeader part = header(8, 2);
  part.capacity = 2;
  const StreamRecords stream = recordsOf(part, one, FrameTable(), false);
  EXPECT_TRUE(stream.records.empty());
  EXPECT_EQ(stream.unknown, 1u);
}

TEST(StreamTest, HeadersThatNoDeviceWritesGiveNothing) {
  const auto one = frame(100, true);
  for (uint32_t words : {0u, 1u, 12u, 64u, 255u}) {
    format::WarpHeader part = header(words, 2);
    part.capacity = 2;
    EXPECT_TRUE(recordsOf(part, one, frames(), false).records.empty()) << words;
  }
}

using StreamRecorderTest = RecorderTest;

TEST_F(StreamRecorderTest, StreamsFollowTheirWarpWhereverTheyLie) {
  environment.recordsPerWarp = 8;
  environment.bufferBytes = 8192;
  kperf_module withFrames{KPERF_MODULE_ABI, std::size(kFrame), kFrame, FakeGpu::api(), &FakeGpu::configure, nullptr, 0};
  Recorder recorder(environment);
  recorder.add(withFrames);
  launch(recorder);
  ASSERT_NE(FakeGpu::config.streams, 0u);
  EXPECT_EQ(FakeGpu::config.stream_units, 8u);
  const auto take = [](uint32_t warp, uint32_t kernel, uint16_t flags) {
    format::WarpHeader *header = FakeGpu::takeSlot();
    header->gridId = 5, header->warp = warp, header->startNs = 100, header->endNs = 200, header->startCycles = 1000;
    header->endCycles = 1200, header->kernel = kernel, header->gridX = 1, header->blockX = 96, header->flags = flags;
    header->gridY = header->gridZ = header->blockY = header->blockZ = 1;
    return header;
  };
  const auto stream = [&](uint32_t warp, uint32_t start) {
    format::WarpHeader *part = take(warp, format::kForeignKernel, KPERF_STREAM_PART | format::kWarpFinished);
    part->nameBytes = 8 | 32 << KPERF_STREAM_LANES_SHIFT, part->produced = 2;
    const auto pieces = frame(start, false);
    std::memcpy(FakeGpu::records(part), pieces.data(), sizeof(pieces));
  };
  take(0, 0x11, format::kWarpFinished);
  take(0, 0x11, format::kWarpFinished | format::kWarpContinued)->endCycles = 1500; // of lanes that left later
  take(1, 0x11, format::kWarpFinished);
  stream(1, 1100);
  stream(0, 1010);
  stream(2, 1050); // its kernel has no probes
  recorder.finish();

  const Contents contents = read(open());
  ASSERT_EQ(contents.warpHeaders.size(), 7u);
  const auto isOf = [&](std::size_t index, uint32_t warp, uint32_t kernel, uint16_t flags, std::size_t records) {
    EXPECT_EQ(contents.warpHeaders[index].warp, warp) << index;
    EXPECT_EQ(contents.warpHeaders[index].kernel, kernel) << index;
    EXPECT_EQ(contents.warpHeaders[index].flags, flags) << index;
    EXPECT_EQ(contents.warpRecords[index].size(), records) << index;
  };
  isOf(0, 0, 0x11, format::kWarpFinished, 0);
  isOf(1, 0, 0x11, format::kWarpFinished | format::kWarpContinued, 0);
  isOf(2, 0, 0x11, format::kWarpFinished | format::kWarpContinued, 4);
  EXPECT_EQ(contents.warpHeaders[2].endCycles, 1500u); // as late as its records may be
  isOf(3, 1, 0x11, format::kWarpFinished, 0);
  isOf(4, 1, 0x11, format::kWarpFinished | format::kWarpContinued, 4);
  EXPECT_EQ(contents.warpRecords[4].front().first, 1100u);
  isOf(5, 2, format::kForeignKernel, format::kWarpForeign, 0);
  isOf(6, 2, format::kForeignKernel, format::kWarpForeign | format::kWarpContinued, 4);
  EXPECT_TRUE(contents.lossRecords.empty());
}

} // namespace
} // namespace kperf::test
