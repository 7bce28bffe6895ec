// What the watchdog writes while kernels run, what becomes of it, and that it stands in nobody's way.
#include "runtime/recorder/Watchdog.h"
#include "test/runtime/RecorderFixture.h"

#include <atomic>
#include <sys/wait.h>
#include <thread>

namespace kperf::test {
namespace {

using namespace std::chrono_literals;

class WatchdogTest : public RecorderTest {
protected:
  void SetUp() override {
    RecorderTest::SetUp();
    environment.watchdog = 1h; // long enough for what is called by hand
  }

  static format::WarpHeader *beginWarp(uint64_t grid, const char *name = "gemm<4>") {
    format::WarpHeader *warp = FakeGpu::takeSlot();
    warp->kernel = 0x11, warp->gridId = grid;
    warp->nameAddress = reinterpret_cast<uint64_t>(name), warp->nameBytes = 8;
    FakeGpu::records(warp)[0] = span(1, 2);
    return warp;
  }
  static void endWarp(format::WarpHeader *warp) { warp->flags = format::kWarpFinished, warp->produced = 1; }

  /// Whether the trace comes to say what `isSo` looks for, within a few seconds.
  template <typename Condition> bool eventually(Condition isSo) {
    for (int tries = 0; tries < 500; ++tries, std::this_thread::sleep_for(10ms))
      if (std::filesystem::exists(environment.output) && isSo(read(open())))
        return true;
    return false;
  }
};

TEST_F(WatchdogTest, WhatIsWrittenOfARunningKernelIsReplacedByTheNextFlush) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  endWarp(beginWarp(1, "gemm<3>"));
  format::WarpHeader *running = beginWarp(2);
  testing::internal::CaptureStderr();
  recorder.writeUnfinished();
  recorder.writeUnfinished();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("kperf: 1 warp runs on"), 0u) << said;
  EXPECT_EQ(said.find("kperf: ", 1), std::string::npos) << "once: " << said;

  EXPECT_NE(open().incomplete(), "");
  Contents contents = read(open());
  ASSERT_EQ(contents.warpHeaders.size(), 2u);
  EXPECT_EQ(contents.warpHeaders[1].flags & format::kWarpFinished, 0);
  EXPECT_EQ(contents.warpRecords[1].size(), 1u) << "what it stored so far";
  EXPECT_EQ(contents.launchRecords.size(), 1u);

  endWarp(running);
  recorder.finish();
  const decoder::Trace trace = open();
  EXPECT_EQ(trace.incomplete(), "");
  contents = read(trace);
  ASSERT_EQ(contents.warpHeaders.size(), 2u) << "none of them twice";
  EXPECT_EQ(contents.warpHeaders[1].flags & format::kWarpFinished, format::kWarpFinished);
  EXPECT_EQ(trace.string(contents.warpHeaders[0].nameAddress), "gemm<3>") << "names outlive what was taken back";
  EXPECT_EQ(trace.string(contents.warpHeaders[1].nameAddress), "gemm<4>");
  EXPECT_EQ(contents.launchRecords.size(), 1u);
}

TEST_F(WatchdogTest, LossesAreCountedOnce) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  while (format::WarpHeader *warp = FakeGpu::takeSlot())
    warp->kernel = 0x11, endWarp(warp);
  recorder.writeUnfinished();
  EXPECT_EQ(read(open()).lossRecords.size(), 1u);
  recorder.finish();
  ASSERT_EQ(read(open()).lossRecords.size(), 1u);
  EXPECT_EQ(read(open()).lossRecords[0].count, 1u);
}

TEST_F(WatchdogTest, ActsWhenNothingIsLaunchedForLong) {
  environment.watchdog = 30ms;
  Recorder recorder(environment);
  recorder.add(module);
  format::WarpHeader *running = nullptr;
  for (int count = 0; count < 20; ++count, std::this_thread::sleep_for(5ms)) {
    launch(recorder);
    running = running ? running : beginWarp(1);
  }
  testing::internal::CaptureStderr();
  EXPECT_TRUE(eventually([](const Contents &contents) { return contents.warpHeaders.size() == 1; }));
  testing::internal::GetCapturedStderr();
}

TEST_F(WatchdogTest, WritesWhileAFlushWaitsForTheDevice) {
  environment.watchdog = 20ms;
  static std::atomic<bool> isStuck;
  isStuck = true;
  kperf_gpu_api api = *FakeGpu::api();
  api.synchronize = [] {
    while (isStuck)
      std::this_thread::sleep_for(1ms);
    return 0;
  };
  module.gpu = &api;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  endWarp(beginWarp(1));
  std::thread flush([&] { recorder.flush(); });
  EXPECT_TRUE(eventually([](const Contents &contents) { return contents.warpHeaders.size() == 1; }));
  isStuck = false;
  flush.join();
  recorder.finish();
  EXPECT_EQ(open().incomplete(), "");
  EXPECT_EQ(read(open()).warpHeaders.size(), 1u);
}

TEST_F(WatchdogTest, ExitDoesNotWaitForAKernelThatNeverEnds) {
  environment.watchdog = 20ms;
  kperf_gpu_api api = *FakeGpu::api();
  api.synchronize = []() -> int { throw "waits for ever"; };
  module.gpu = &api;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  beginWarp(1);
  testing::internal::CaptureStderr();
  recorder.finish();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("kernels still run 0.02 s after the program's end"), std::string::npos);
  EXPECT_EQ(read(open()).warpHeaders.size(), 1u);
}

TEST_F(WatchdogTest, ForkedChildHasNone) {
  environment.watchdog = 1ms;
  auto *recorder = new Recorder(environment); // as the process's own: the child leaves it alone
  recorder->add(module);
  launch(*recorder);
  for (int time = 0; time < 20; ++time, std::this_thread::sleep_for(1ms)) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      recorder->forkedChild();
      launch(*recorder);
      recorder->finish();
      delete recorder;
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  recorder->finish();
  delete recorder;
  EXPECT_EQ(open().incomplete(), "");
}

TEST_F(WatchdogTest, WithoutTheSettingThereIsNoThread) {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  const auto before = threads();
  environment.watchdog = 0s;
  Recorder unwatched(environment);
  unwatched.add(module);
  launch(unwatched);
  EXPECT_EQ(threads(), before);
  unwatched.finish();
  environment.watchdog = 1h;
  Recorder watched(environment);
  watched.add(module);
  launch(watched);
  EXPECT_EQ(threads(), before + 1);
  watched.finish();
  EXPECT_EQ(threads(), before) << "it is gone when the program ends";
}

} // namespace
} // namespace kperf::test
