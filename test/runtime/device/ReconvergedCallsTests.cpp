// Lanes of several calls of a function that came together inside it: each record of theirs is kept once, and each lane without one is
// counted.
#include "runtime/device/ReconvergedCalls.h"

#include <gtest/gtest.h>

#include <vector>

namespace kperf::test {
namespace {

using format::Record;
using format::RecordKind;
using runtime::mergeReconverged;
using runtime::otherLanesOf;
using runtime::StreamRecords;

uint32_t tagged(RecordKind kind, uint32_t id) { return id | static_cast<uint32_t>(kind) << format::kKindShift; }
Record spanAt(uint32_t id, uint32_t begin, uint32_t end, uint32_t lanes) { return {begin, end, lanes, tagged(RecordKind::Span, id)}; }
Record beginAt(uint32_t id, uint32_t clock, uint32_t lanes) { return {clock, 0, lanes, tagged(RecordKind::Begin, id)}; }
Record endAt(uint32_t id, uint32_t clock, uint32_t lanes) { return {clock, 0, lanes, tagged(RecordKind::End, id)}; }

/// One of pieces that hold a record each, to which lanes came so often.
StreamRecords streamOf(const std::vector<Record> &records, int64_t came) {
  StreamRecords result;
  for (const Record &record : records) {
    result.records.push_back(record);
    result.pieces.push_back({result.records.size(), static_cast<uint32_t>(std::popcount(record.lanes))});
  }
  result.produced = records.size();
  result.came = came;
  return result;
}

TEST(ReconvergedCalls, WhatBothRecordedIsKeptOnce) {
  StreamRecords streams[] = {streamOf({spanAt(7, 10, 20, 0xff), spanAt(8, 30, 40, ~0u)}, 8 + 16),
                             streamOf({spanAt(7, 12, 24, 0xff00), spanAt(8, 30, 40, ~0u)}, 8 + 16)};
  mergeReconverged(streams);
  EXPECT_EQ(streams[0].records.size(), 2u);
  ASSERT_EQ(streams[1].records.size(), 1u);
  EXPECT_EQ(streams[1].records[0].lanes, 0xff00u);
  EXPECT_EQ(streams[1].produced, 1u);
  EXPECT_EQ(otherLanesOf(streams), 0u);
}

TEST(ReconvergedCalls, TheEntryThatBeganFirstStandsForThoseThatCameLater) {
  StreamRecords streams[] = {streamOf({spanAt(7, 15, 40, ~0u)}, 16), streamOf({spanAt(7, 10, 40, ~0u)}, 16)};
  mergeReconverged(streams);
  EXPECT_TRUE(streams[0].records.empty());
  ASSERT_EQ(streams[1].records.size(), 1u);
  EXPECT_EQ(streams[1].records[0].first, 10u);
  EXPECT_EQ(otherLanesOf(streams), 0u);
}

TEST(ReconvergedCalls, OtherClocksLanesOrRegionsAreOtherEntries) {
  StreamRecords streams[] = {streamOf({spanAt(7, 10, 20, 0xff), spanAt(7, 30, 40, 0xff), spanAt(7, 50, 60, 0xff)}, 24),
                             streamOf({spanAt(7, 10, 21, 0xff), spanAt(7, 30, 40, 0xf0), spanAt(8, 50, 60, 0xff)}, 20)};
  mergeReconverged(streams);
  EXPECT_EQ(streams[0].records.size(), 3u);
  EXPECT_EQ(streams[1].records.size(), 3u);
}

TEST(ReconvergedCalls, ClocksThatCameRoundAreOthers) {
  StreamRecords streams[] = {streamOf({spanAt(7, 10, 20, ~0u), spanAt(7, 0xf0000000, 0xf0000010, ~0u), spanAt(7, 10, 30, ~0u)}, 96),
                             streamOf({spanAt(7, 10, 30, ~0u)}, 32)};
  mergeReconverged(streams);
  EXPECT_EQ(streams[0].records.size(), 3u);
  EXPECT_EQ(streams[1].records.size(), 1u);
}

TEST(ReconvergedCalls, ARangeGoesWithBothItsEnds) {
  StreamRecords streams[] = {streamOf({beginAt(7, 10, 0xff), endAt(7, 40, ~0u)}, 8 + 16),
                             streamOf({beginAt(7, 12, 0xff00), endAt(7, 40, ~0u)}, 8 + 16)};
  mergeReconverged(streams);
  EXPECT_EQ(streams[0].records.size(), 2u);
  EXPECT_TRUE(streams[1].records.empty());
  EXPECT_EQ(otherLanesOf(streams), 0u); // eight lanes came to the beginning that is left out, and are in the end that is kept
}

TEST(ReconvergedCalls, OfRangesThatBeganTogetherEachHasTheLanesOfItsEnd) {
  StreamRecords streams[] = {streamOf({beginAt(7, 10, ~0u), endAt(7, 40, 0xff)}, 24 + 8),
                             streamOf({beginAt(7, 10, ~0u), endAt(7, 44, 0xff00)}, 8 + 8)};
  mergeReconverged(streams);
  EXPECT_EQ(streams[0].records[0].lanes, 0xffff00ffu); // those that are in no end, too
  EXPECT_EQ(streams[1].records[0].lanes, 0xff00u);
  EXPECT_EQ(otherLanesOf(streams), 0u);
}

TEST(ReconvergedCalls, OneMarkIsKeptWhateverItsPayload) {
  const uint32_t mark = tagged(RecordKind::Mark, 7);
  StreamRecords streams[] = {streamOf({{10, 1, ~0u, mark}, {20, 1, 0xff, mark}}, 16 + 8),
                             streamOf({{10, 2, ~0u, mark}, {21, 2, 0xff00, mark}}, 16 + 8)};
  mergeReconverged(streams);
  EXPECT_EQ(streams[0].records.size(), 2u);
  ASSERT_EQ(streams[1].records.size(), 1u);
  EXPECT_EQ(streams[1].records[0].first, 21u);
  EXPECT_EQ(otherLanesOf(streams), 0u);
}

TEST(ReconvergedCalls, APieceIsToldElsewhereByItsLastRecord) {
  StreamRecords streams[] = {streamOf({spanAt(8, 30, 40, ~0u)}, 16), streamOf({}, 16)};
  streams[1].records = {spanAt(7, 10, 20, ~0u), spanAt(8, 30, 40, ~0u)};
  streams[1].pieces = {{2, 32}};
  mergeReconverged(streams);
  ASSERT_EQ(streams[1].records.size(), 1u);
  EXPECT_EQ(streams[1].pieces[0].end, 1u);
  EXPECT_EQ(otherLanesOf(streams), 0u);
}

TEST(ReconvergedCalls, WhatOneStreamHasTooManyAnotherHasTooFew) {
  StreamRecords streams[] = {streamOf({spanAt(7, 10, 20, 0xff)}, 28), streamOf({spanAt(8, 10, 20, 0xff)}, -12)};
  EXPECT_EQ(otherLanesOf(streams), 0u);
  streams[1].came = -10;
  EXPECT_EQ(otherLanesOf(streams), 2u);
}

TEST(ReconvergedCalls, OfAStreamOfWhichSomeIsNotKnownNothingIsSetOff) {
  StreamRecords streams[] = {streamOf({spanAt(7, 10, 20, 0xff)}, 28), streamOf({spanAt(8, 10, 20, 0xff)}, 0), streamOf({}, 0)};
  streams[2].came.reset(); // some of its records were dropped
  EXPECT_EQ(otherLanesOf(streams), 20u);
  streams[2].isRow = true;
  streams[2].otherLanes = 5;
  EXPECT_EQ(otherLanesOf(streams), 5u + 12);
}

TEST(ReconvergedCalls, WaitsThatDoNotSayWhoCameSetNothingOff) {
  StreamRecords streams[] = {streamOf({spanAt(7, 10, 20, 0xff)}, 28), streamOf({spanAt(8, 10, 20, 0x400)}, 8)};
  streams[1].pieces[0].lanes = 32;
  streams[1].saysLanes = false;
  EXPECT_EQ(otherLanesOf(streams), 20u);
}

} // namespace
} // namespace kperf::test
