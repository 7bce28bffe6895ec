// What threads say of themselves by NVTX, as the trace has it: levels, domains, ends by other threads, and what finds no room.
#include "../RecorderFixture.h"

#include "runtime/nvtx/HostRanges.h"

#include <thread>

namespace kperf::test {
namespace {

using runtime::HostRanges;

class HostRangesTest : public testing::Test {
protected:
  struct Ranges : decoder::TraceVisitor {
    void hostRanges(std::span<const format::HostRangeRecord> records) override { rows.insert(rows.end(), records.begin(), records.end()); }
    std::vector<format::HostRangeRecord> rows;
  };

  /// What is written now, as "kind name domain", with "open" behind those that have no end.
  std::vector<std::string> written() {
    const std::string path = testing::TempDir() + "kperf-ranges-" + std::to_string(getpid()) + ".kperf";
    runtime::TraceFile file(path);
    losses.clear();
    EXPECT_TRUE(file.open(format::Target::Host, 0, 0) && ranges.write(file, losses) && file.writeStrings() && file.finish());
    auto trace = decoder::Trace::open(path);
    std::filesystem::remove(path);
    Ranges all;
    EXPECT_TRUE(trace.has_value() && trace->visit(all).has_value());
    std::vector<std::string> out;
    for (const format::HostRangeRecord &row : all.rows) {
      const char *const kinds[] = {"pushed", "started", "mark"};
      out.push_back(kinds[static_cast<unsigned>(row.kind)] + (" " + std::string(trace->string(row.name))) + " " +
                    std::string(trace->string(row.domain)) + (row.endNs == 0 ? "open" : ""));
      EXPECT_TRUE(row.endNs == 0 || row.endNs >= row.beginNs);
    }
    return out;
  }
  HostRanges::What named(std::string_view name, std::string_view domain = "") { return {ranges.keep(name), ranges.keep(domain), 0}; }

  // As long as the process: threads keep a pointer to what is theirs.
  HostRanges &ranges = *new HostRanges;
  std::vector<format::LossRecord> losses;
};

using Rows = std::vector<std::string>;

TEST_F(HostRangesTest, LevelsAreOfADomain) {
  std::thread([&] {
    EXPECT_EQ(ranges.push(named("a")), 0);
    EXPECT_EQ(ranges.push(named("b")), 1);
    EXPECT_EQ(ranges.push(named("c", "other")), 0);
    EXPECT_EQ(ranges.pop(0), 1) << "the innermost of its own domain";
    EXPECT_EQ(ranges.pop(ranges.keep("other")), 0);
    EXPECT_EQ(ranges.pop(0), 0);
    EXPECT_EQ(ranges.pop(0), -1);
  }).join();
  EXPECT_EQ(written(), (Rows{"pushed b ", "pushed c other", "pushed a "}));
  EXPECT_EQ(written(), Rows());
  EXPECT_TRUE(losses.empty());
}

TEST_F(HostRangesTest, AnyThreadEndsWhatWasStarted) {
  std::uint64_t id = 0;
  std::thread([&] { id = ranges.start(named("long")); }).join();
  EXPECT_EQ(written(), Rows()) << "it may end yet";
  std::thread([&] { ranges.end(id), ranges.end(id), ranges.end(77); }).join();
  EXPECT_EQ(written(), Rows{"started long "});
}

TEST_F(HostRangesTest, WhatAThreadLeavesOpenIsWrittenWhenItIsOver) {
  std::thread([&] {
    ranges.push(named("a"));
    ranges.mark(named("here"));
    EXPECT_EQ(written(), Rows{"mark here "});
  }).join();
  EXPECT_EQ(written(), Rows{"pushed a open"});
}

TEST_F(HostRangesTest, NothingIsAddedOnceItIsClosed) {
  std::thread([&] {
    ranges.push(named("a"));
    ranges.start(named("b"));
    ranges.close();
    ranges.push(named("c"));
    EXPECT_EQ(ranges.pop(0), 0);
    ranges.mark(named("d"));
  }).join();
  EXPECT_EQ(written(), (Rows{"pushed a open", "started b open"}));
}

TEST_F(HostRangesTest, AForkedChildTakesNoLock) {
  ranges.keep("a");
  ranges.close();
  EXPECT_EQ(ranges.keep("b"), 0u);
  EXPECT_EQ(ranges.push({0, 0, 0}), 0);
  EXPECT_EQ(ranges.start({0, 0, 0}), 0u);
}

TEST_F(HostRangesTest, NamesAreCutBetweenCharacters) {
  std::string text(1023, 'x');
  text += "\u00e9 and more";
  std::thread([&] { ranges.mark(named(text)); }).join();
  EXPECT_EQ(written(), Rows{"mark " + text.substr(0, 1023) + " "});
}

TEST_F(HostRangesTest, WhatFindsNoRoomIsCounted) {
  std::thread([&] {
    for (unsigned i = 0; i < (1u << 20) + 5; ++i)
      ranges.mark({0, 0, 0});
    for (unsigned i = 0; i < 17000; ++i) // of a KiB each; room is for 16 MiB
      ranges.keep(std::to_string(i) + std::string(1200, 'x'));
    ranges.mark(named("no room for this name"));
  }).join();
  EXPECT_EQ(written().size(), 1u << 20);
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].kind, format::LossKind::RangesUnlisted);
  EXPECT_EQ(losses[0].count, 6u);
  std::thread([&] { ranges.mark({0, 0, 0}); }).join();
  EXPECT_EQ(written().size(), 1u) << "written ones make room";
}

TEST_F(RecorderTest, ClocksAreComparedBeforeTheFirstLaunchAndAtTheEnd) {
  static std::uint64_t reading;
  reading = 0;
  module.calibrate = [](kperf_module *) { return 0; };
  module.read_clock = [](kperf_module *, std::uint32_t, kperf_clock_reading *out) {
    ++reading;
    *out = {1000 * reading, 500 * reading, 700 * reading};
    return 0;
  };
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  recorder.finish();
  struct : decoder::TraceVisitor {
    void clocks(std::span<const format::ClockRecord> records) override { rows.insert(rows.end(), records.begin(), records.end()); }
    std::vector<format::ClockRecord> rows;
  } found;
  EXPECT_TRUE(open().visit(found).has_value());
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.rows[0].deviceNs, 1000u);
  EXPECT_EQ(found.rows[1].hostFromNs, 1000u);
  EXPECT_EQ(found.rows[1].hostToNs, 1400u);
  EXPECT_TRUE(std::ranges::equal(found.rows[0].boot, found.rows[1].boot));
  EXPECT_TRUE(std::ranges::any_of(found.rows[0].boot, [](unsigned char byte) { return byte != 0; }));
}

TEST_F(RecorderTest, ADeviceWhoseClockIsNotSeenHasNoReading) {
  module.calibrate = [](kperf_module *) { return 0; };
  module.read_clock = [](kperf_module *, std::uint32_t, kperf_clock_reading *) { return 801; };
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  recorder.finish();
  EXPECT_FALSE(open().has(format::SectionKind::Clocks));
}

} // namespace
} // namespace kperf::test
