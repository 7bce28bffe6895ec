// What the recorder does when the program around it takes something away: libraries, devices, room, or the time for one at a time.
#include "test/runtime/RecorderFixture.h"

#include <atomic>
#include <cstring>
#include <functional>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <vector>

namespace kperf::test {
namespace {

class FaultTest : public RecorderTest {
protected:
  /// A finished warp whose kernel has this name.
  static void runWarp(const char *name = nullptr) {
    format::WarpHeader *warp = FakeGpu::takeSlot();
    warp->kernel = 0x11, warp->flags = format::kWarpFinished;
    warp->nameAddress = reinterpret_cast<uint64_t>(name), warp->nameBytes = name ? std::strlen(name) + 1 : 0;
  }

  /// How a child process that does this ends.
  static int statusOf(const std::function<int()> &action) {
    const pid_t child = fork();
    if (child == 0)
      _exit(action());
    int status = -1;
    waitpid(child, &status, 0);
    return status;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      names.push_back(entry.path().filename());
    return names;
  }
};

TEST_F(FaultTest, FlushMakesRoomUnlessAWarpComesMeanwhile) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  static uint64_t warps = 0;
  warps = 0;
  const auto fillSlot = [] {
    format::WarpHeader *warp = FakeGpu::takeSlot();
    if (!warp)
      return false;
    warp->kernel = 0x11, warp->gridId = ++warps, warp->produced = 1, warp->flags = format::kWarpFinished;
    EXPECT_EQ(FakeGpu::records(warp)[0].tag, 0u) << "what a slot held before is gone";
    FakeGpu::records(warp)[0] = span(1, 2);
    return true;
  };
  for (int time = 0; time < 3; ++time) {
    while (fillSlot())
      ;
    EXPECT_TRUE(recorder.flush());
  }
  const uint64_t inThree = warps;
  EXPECT_EQ(inThree % 3, 0u);
  fillSlot();
  FakeGpu::duringReclaim = [] {
    format::WarpHeader *warp = FakeGpu::takeSlot();
    warp->kernel = 0x11, warp->gridId = ++warps, warp->flags = format::kWarpFinished;
  };
  EXPECT_TRUE(recorder.flush());
  FakeGpu::duringReclaim = nullptr;
  recorder.finish();
  const Contents contents = read(open());
  EXPECT_EQ(contents.warpHeaders.size(), inThree + 2);
  EXPECT_EQ(contents.warpHeaders.back().gridId, inThree + 2);
  ASSERT_EQ(contents.lossRecords.size(), 3u);
  for (const format::LossRecord &loss : contents.lossRecords)
    EXPECT_EQ(loss.kind, format::LossKind::WarpsWithoutBuffer) << "nothing else is lost";
}

TEST_F(FaultTest, FlushLeavesAPartToWhichAWarpCameDuringTheWait) {
  kperf_gpu_api api = *FakeGpu::api();
  api.synchronize = [] { return FakeGpu::takeSlot()->kernel = 0x11, 0; };
  module.gpu = &api;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  runWarp();
  const auto used = [] { return reinterpret_cast<kperf_arena_part *>(FakeGpu::config.parts)[0].used_bytes; };
  const uint64_t before = used();
  EXPECT_TRUE(recorder.flush());
  EXPECT_EQ(used(), 2 * before) << "that warp may still run";
  module.gpu = FakeGpu::api();
}

TEST_F(FaultTest, UnloadedLibraryTakesItsApiAndItsNames) {
  kperf_gpu_api apiOfLibrary = *FakeGpu::api();
  kperf_module library = module;
  library.gpu = &apiOfLibrary;
  char kernel[] = "_Z5firstv", instance[] = "first<1>";
  Recorder recorder(environment);
  recorder.add(library);
  recorder.add(module);
  recorder.beforeLaunch(library, {0, kernel, nullptr, {1, 1, 1}, {32, 1, 1}, 0, 0});
  runWarp(instance);
  recorder.remove(library);
  apiOfLibrary = {}; // a call from now on is a crash

  std::strcpy(kernel, "_Z5otherv"), std::strcpy(instance, "other<2>");
  recorder.beforeLaunch(module, {0, kernel, nullptr, {1, 1, 1}, {32, 1, 1}, 0, 0});
  runWarp(instance);
  recorder.finish();
  const decoder::Trace trace = open();
  EXPECT_EQ(trace.incomplete(), "");
  const Contents contents = read(trace);
  ASSERT_EQ(contents.launchRecords.size(), 2u);
  EXPECT_EQ(trace.string(contents.launchRecords[0].kernel), "first()");
  EXPECT_EQ(trace.string(contents.launchRecords[1].kernel), "other()");
  ASSERT_EQ(contents.warpHeaders.size(), 2u);
  EXPECT_EQ(trace.string(contents.warpHeaders[0].nameAddress), "first<1>");
  EXPECT_EQ(trace.string(contents.warpHeaders[1].nameAddress), "other<2>");
}

TEST_F(FaultTest, TraceIsCompleteWhenTheLastLibraryIsUnloaded) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  runWarp();
  recorder.remove(module);
  recorder.finish();
  EXPECT_EQ(open().incomplete(), "");
  EXPECT_EQ(read(open()).warpHeaders.size(), 1u);
}

TEST_F(FaultTest, TraceIsCompleteAfterADeviceReset) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  runWarp();
  recorder.beforeReset(module);
  recorder.finish();
  EXPECT_EQ(open().incomplete(), "");
  EXPECT_EQ(read(open()).warpHeaders.size(), 1u);
}

TEST_F(FaultTest, LimitOfFileSizesEndsTheRecordingOnly) {
  const int status = statusOf([&] {
    const rlimit limit{256, 256};
    setrlimit(RLIMIT_FSIZE, &limit);
    fclose(stderr);
    Recorder recorder(environment);
    recorder.add(module);
    launch(recorder);
    runWarp();
    recorder.finish();
    return 5;
  });
  ASSERT_TRUE(WIFEXITED(status)) << "by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_EQ(files(), std::vector<std::string>()) << "nothing is left behind";
}

TEST_F(FaultTest, FileHasTheProcessPermissions) {
  const mode_t before = umask(027);
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  recorder.finish();
  struct stat status{};
  stat(environment.output.c_str(), &status);
  EXPECT_EQ(umask(before), 027u);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(FaultTest, ProcessesThatShareAFileNameLeaveOneWholeTrace) {
  const auto record = [&] {
    for (int time = 0; time < 20; ++time) {
      Recorder recorder(environment);
      recorder.add(module);
      launch(recorder);
      runWarp();
      recorder.finish();
      if (!decoder::Trace::open(environment.output)->incomplete().empty())
        return 1;
    }
    return 0;
  };
  const pid_t other = fork();
  if (other == 0)
    _exit(record());
  EXPECT_EQ(record(), 0);
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(files(), std::vector<std::string>{"out.kperf"});
}

TEST_F(FaultTest, SixteenThreadsLaunchWhileOthersFlush) {
  constexpr unsigned kThreads = 16, kLaunches = 200;
  Recorder recorder(environment);
  recorder.add(module);
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (unsigned count = 0; count < kLaunches; ++count) {
        launch(recorder);
        if (thread < 2 && count % 16 == 0)
          recorder.flush();
      }
    });
  for (std::thread &each : threads)
    each.join();
  recorder.finish();
  EXPECT_EQ(open().incomplete(), "");
  EXPECT_EQ(read(open()).launchRecords.size(), kThreads * kLaunches);
}

TEST_F(FaultTest, ForkWhileAnotherThreadLaunchesLeavesTheChildFree) {
  Recorder recorder(environment);
  recorder.add(module);
  std::atomic<bool> goesOn = true;
  std::thread other([&] {
    while (goesOn)
      launch(recorder), recorder.flush();
  });
  for (int time = 0; time < 20; ++time)
    EXPECT_EQ(statusOf([&] {
                alarm(10);
                recorder.forkedChild();
                launch(recorder);
                recorder.finish();
                return 0;
              }),
              0);
  goesOn = false;
  other.join();
  recorder.finish();
  EXPECT_EQ(open().incomplete(), "");
}

} // namespace
} // namespace kperf::test
