// Recording that is started and stopped while the program runs: by calls, by a file, and where it begins stopped.
#include "test/runtime/RecorderFixture.h"

#include <fstream>
#include <sys/stat.h>
#include <thread>

namespace kperf::test {
namespace {

class StartStopTest : public RecorderTest {
protected:
  bool launchPlainly(Recorder &recorder, uint32_t flags = 0) {
    return recorder.beforeLaunch(module, {7, "_ZN2ns4gemmEv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, flags, KPERF_PLAIN_TOO});
  }
  /// Of launches that were made while recording was stopped.
  static uint64_t missedIn(const decoder::Trace &trace, const Contents &contents) {
    uint64_t count = 0;
    for (const format::LossRecord &row : contents.lossRecords)
      if (row.kind == format::LossKind::LaunchesUnrecorded) {
        EXPECT_EQ(trace.string(row.reason), "made while recording was stopped");
        count += row.count;
      }
    return count;
  }
  void ask(const char *word) {
    std::ofstream(environment.control) << word;
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
  }
};

TEST_F(StartStopTest, LaunchesBetweenStopAndStartAreCountedOnly) {
  Recorder recorder(environment);
  recorder.add(module);
  EXPECT_TRUE(launchPlainly(recorder));
  EXPECT_NE(FakeGpu::config.sample, 0u);
  EXPECT_FALSE(recorder.record(true)) << "it is recorded already";
  EXPECT_TRUE(recorder.record(false));
  EXPECT_EQ(FakeGpu::config.sample, 0u) << "probes of kernels without a copy go on recording";
  EXPECT_EQ(FakeGpu::config.access_limit, 0u);
  EXPECT_NE(FakeGpu::config.arena, 0u) << "a kernel that runs may look at it";
  EXPECT_FALSE(recorder.record(false));
  EXPECT_FALSE(launchPlainly(recorder));
  EXPECT_FALSE(launchPlainly(recorder));
  EXPECT_TRUE(launchPlainly(recorder, format::kLaunchCaptured)) << "what goes into a graph may run when recording is on";
  EXPECT_EQ(FakeGpu::config.sample, 0u);
  EXPECT_TRUE(recorder.record(true));
  EXPECT_NE(FakeGpu::config.sample, 0u);
  EXPECT_NE(FakeGpu::config.access_limit, 0u);
  EXPECT_TRUE(launchPlainly(recorder));
  recorder.finish();
  EXPECT_FALSE(recorder.record(false)) << "the trace is complete";
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  EXPECT_EQ(contents.launchRecords.size(), 3u);
  EXPECT_EQ(missedIn(trace, contents), 2u);
}

TEST_F(StartStopTest, WhatWasRecordedIsWrittenAtTheStop) {
  Recorder recorder(environment);
  recorder.add(module);
  launchPlainly(recorder);
  FakeGpu::takeSlot(0)->flags = format::kWarpFinished;
  recorder.record(false);
  EXPECT_EQ(read(open()).warpHeaders.size(), 1u);
}

TEST_F(StartStopTest, AProgramThatBeginsStoppedTakesNoMemory) {
  environment.startsOff = true;
  Recorder recorder(environment);
  recorder.add(module);
  EXPECT_FALSE(launchPlainly(recorder));
  EXPECT_EQ(FakeGpu::config.arena, 0u);
  EXPECT_TRUE(recorder.record(true));
  EXPECT_TRUE(launchPlainly(recorder));
  EXPECT_NE(FakeGpu::config.arena, 0u);
  recorder.finish();
  const decoder::Trace trace = open();
  EXPECT_EQ(missedIn(trace, read(trace)), 1u);
}

TEST_F(StartStopTest, AProgramThatWasNeverStartedSaysSo) {
  environment.startsOff = true;
  Recorder recorder(environment);
  recorder.add(module);
  launchPlainly(recorder);
  testing::internal::CaptureStderr();
  recorder.finish();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kperf: no trace is written: recording was never started (KPERF_START, KPERF_CONTROL)\n");
  EXPECT_FALSE(std::filesystem::exists(environment.output));
}

TEST_F(StartStopTest, AFileStartsAndStops) {
  environment.control = directory + "/control";
  Recorder recorder(environment);
  recorder.add(module);
  EXPECT_TRUE(launchPlainly(recorder)) << "there is no file yet";
  ask("off\n");
  EXPECT_FALSE(launchPlainly(recorder));
  EXPECT_TRUE(std::filesystem::exists(environment.output)) << "what was recorded is to be seen now";
  EXPECT_TRUE(recorder.record(true)) << "who comes later is heeded";
  ask("off\n");
  EXPECT_TRUE(launchPlainly(recorder)) << "the file says nothing new";
  testing::internal::CaptureStderr();
  ask("of");
  EXPECT_TRUE(launchPlainly(recorder));
  EXPECT_TRUE(launchPlainly(recorder));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kperf: KPERF_CONTROL: '" + environment.control + "' says 'of', expected on or off; nothing changes\n");
  ask("off");
  EXPECT_FALSE(launchPlainly(recorder));
  ask(" on");
  EXPECT_TRUE(launchPlainly(recorder));
  recorder.finish();
  const decoder::Trace trace = open();
  EXPECT_EQ(missedIn(trace, read(trace)), 2u);
}

TEST_F(StartStopTest, NobodyWaitsForAPipeThatIsNotWrittenTo) {
  environment.control = directory + "/pipe";
  ASSERT_EQ(mkfifo(environment.control.c_str(), 0600), 0);
  Recorder recorder(environment);
  recorder.add(module);
  EXPECT_TRUE(launchPlainly(recorder));
  recorder.finish();
}

TEST_F(StartStopTest, ASignalLeavesTheCount) {
  Recorder recorder(environment);
  recorder.add(module);
  launchPlainly(recorder);
  recorder.record(false);
  launchPlainly(recorder);
  recorder.writeAtSignal(15);
  const decoder::Trace trace = open();
  EXPECT_EQ(missedIn(trace, read(trace)), 1u);
}

} // namespace
} // namespace kperf::test
