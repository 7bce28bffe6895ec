// Records that lanes wrote into chunks, as they come out of a warp's slot.
#include "runtime/device/KeptRecords.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>

namespace kperf::test {
namespace {

using format::Record;
using format::RecordKind;
using format::WarpHeader;

constexpr std::uint32_t kChunk = 8;

Record span(std::uint32_t begin, std::uint32_t end) {
  return {begin, end, 2, 0x11 | static_cast<std::uint32_t>(RecordKind::Span) << format::kKindShift};
}
Record begin(std::uint32_t at) { return {at, 0, 2, 0x12 | static_cast<std::uint32_t>(RecordKind::Begin) << format::kKindShift}; }

/// A finished warp that took chunks until `produced` places were counted.
WarpHeader chunked(std::uint32_t produced, std::uint32_t capacity) {
  WarpHeader header{};
  header.flags = format::kWarpFinished | format::kWarpInChunks;
  header.produced = produced;
  header.capacity = capacity;
  return header;
}

struct Kept {
  WarpHeader header;
  std::vector<Record> records;
};

/// What goes into the file of a slot with those `records`, by place.
Kept keptOf(WarpHeader header, const std::map<std::uint32_t, Record> &records) {
  std::vector<Record> slot(header.capacity);
  for (const auto &[place, record] : records)
    slot[place] = record;
  std::vector<std::byte> bytes;
  runtime::appendRecords(bytes, header, slot.data(), false, kChunk);
  Kept kept{};
  std::memcpy(&kept.header, bytes.data(), sizeof(WarpHeader));
  kept.records.resize((bytes.size() - sizeof(WarpHeader)) / sizeof(Record));
  std::memcpy(kept.records.data(), bytes.data() + sizeof(WarpHeader), bytes.size() - sizeof(WarpHeader));
  return kept;
}

std::vector<std::uint32_t> clocksOf(const std::vector<Record> &records) {
  std::vector<std::uint32_t> clocks;
  for (const Record &record : records)
    clocks.push_back(record.second != 0 ? record.second : record.first);
  return clocks;
}

TEST(KeptRecordsTest, ChunksAreOneSequenceWithoutTheirEmptyPlaces) {
  const Kept kept = keptOf(chunked(24, 32), {{0, span(10, 20)}, {1, span(70, 80)}, {8, span(25, 30)}, {9, begin(40)}, {16, span(45, 60)}});
  EXPECT_EQ(clocksOf(kept.records), (std::vector<std::uint32_t>{20, 30, 40, 60, 80}));
  EXPECT_EQ(kept.header.produced, 5u);
  EXPECT_EQ(kept.header.capacity, 32u);
  EXPECT_EQ(kept.header.flags, format::kWarpFinished);
}

/// The one that led first comes again long after the others' clocks have wrapped twice.
TEST(KeptRecordsTest, TheOrderHoldsOverClocksThatWrap) {
  std::map<std::uint32_t, Record> records{{0, span(10, 20)}, {1, span(0x80000000u, 0x80000010u)}};
  for (std::uint32_t index = 0; index < 8; ++index) // 0x40000000 cycles from one to the next: past 2^32 with the fourth
    records[8 + index] = span(0x30000000u + index * 0x40000000u, 0x30000010u + index * 0x40000000u);
  const Kept kept = keptOf(chunked(16, 16), records);
  EXPECT_EQ(clocksOf(kept.records), (std::vector<std::uint32_t>{20, 0x30000010u, 0x70000010u, 0x80000010u, 0xb0000010u, 0xf0000010u,
                                                                0x30000010u, 0x70000010u, 0xb0000010u, 0xf0000010u}));
}

/// The last chunk that found room, and one behind it of which the lane gave back what it did not need: 8 were made and 3 dropped. What is
/// kept ends before the first of those can have been made, though a lane that had room yet went on.
TEST(KeptRecordsTest, WhatFoundNoRoomIsCountedAndLiesBehindAllThatIsKept) {
  const Kept kept = keptOf(chunked(16 + 3, 16), {{0, span(1, 2)}, {1, span(3, 4)}, {2, span(20, 30)}, {8, span(5, 6)}, {9, span(7, 8)}});
  EXPECT_EQ(clocksOf(kept.records), (std::vector<std::uint32_t>{2, 4, 6}));
  EXPECT_EQ(kept.header.produced, 5u + 3u);
  EXPECT_EQ(kept.header.capacity, kept.records.size()) << "as many follow as the header says";
}

/// Of a warp that did not end nobody knows how far it came: what is there is kept, in order too, by which its clocks are told apart.
TEST(KeptRecordsTest, AWarpThatDidNotEndKeepsWhatIsThere) {
  WarpHeader header = chunked(16, 32);
  header.flags = format::kWarpInChunks;
  const Kept kept = keptOf(header, {{0, span(1, 2)}, {1, span(50, 60)}, {8, span(3, 4)}, {16, span(30, 40)}});
  EXPECT_EQ(clocksOf(kept.records), (std::vector<std::uint32_t>{2, 4, 40, 60}));
  EXPECT_EQ(kept.header.produced, 4u);
  EXPECT_EQ(kept.header.flags, 0u);
}

} // namespace
} // namespace kperf::test
