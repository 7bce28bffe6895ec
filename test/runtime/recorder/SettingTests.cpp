// What the user's settings change in what is recorded.
#include "test/runtime/RecorderFixture.h"

#include "runtime/settings/Log.h"

#include <array>

namespace kperf::test {
namespace {

class SettingTest : public RecorderTest {};

TEST_F(SettingTest, PassedRecordsAreCountedWhereTheDeviceDidNot) {
  environment.skip = 10;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  const auto write = [](uint32_t produced, uint16_t flags) {
    format::WarpHeader *warp = FakeGpu::takeSlot();
    warp->kernel = 0x11, warp->flags = flags;
    warp->produced = produced;
    FakeGpu::records(warp)[0] = span(1, 2);
  };
  write(12u - 10u, format::kWarpFinished | format::kWarpWindow);
  write(3u - 10u, format::kWarpFinished | format::kWarpWindow);
  write(1, format::kWarpFinished);
  write(0, format::kWarpWindow);
  recorder.finish();
  const Contents contents = read(open());
  ASSERT_EQ(contents.warpHeaders.size(), 4u);
  const auto expect = [&](std::size_t warp, uint32_t produced, uint32_t skipped, std::size_t kept) {
    EXPECT_EQ(contents.warpHeaders[warp].produced, produced);
    EXPECT_EQ(contents.warpHeaders[warp].skipped, skipped);
    EXPECT_EQ(contents.warpRecords[warp].size(), kept);
  };
  expect(0, 12, 10, 2);
  expect(1, 3, 3, 0);
  expect(2, 1, 0, 1);
  expect(3, 1, 0, 1);
}

TEST_F(SettingTest, SwitchesAreWhereProbesLookForThem) {
  environment.kernels = "gem?";
  environment.regions = "*,-load";
  Recorder recorder(environment);
  kperf_module first = module;
  testing::internal::CaptureStderr();
  recorder.add(first);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("are heeded by builds with -DKPERF_SWITCHABLE: 'gemm.cu' has none"),
            std::string::npos);
  module.is_switchable = 1;
  const kperf_region others[] = {{0x30, 0, "other", "", "", "", 1, 1, 1, 0}, kRegions[1]};
  module.regions = others;
  recorder.add(module);
  launch(recorder);
  ASSERT_NE(FakeGpu::config.switched_off, 0u);
  const auto isOff = [](uint32_t id) { return reinterpret_cast<const uint32_t *>(FakeGpu::config.switched_off)[id / 32] >> id % 32 & 1; };
  EXPECT_TRUE(isOff(0x30));
  EXPECT_TRUE(isOff(kRegions[1].id));
  EXPECT_FALSE(isOff(kRegions[0].id));
  recorder.finish();
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.lossRecords.size(), 1u);
  EXPECT_EQ(contents.lossRecords[0].kind, format::LossKind::SwitchedOff);
  EXPECT_EQ(contents.lossRecords[0].count, 2u);
  EXPECT_EQ(trace.string(contents.lossRecords[0].reason), "KPERF_KERNELS=gem? KPERF_REGIONS=*,-load");
}

TEST_F(SettingTest, PatternsThatMatchNothingAreSaid) {
  const auto saidOf = [&](const char *kernels, const char *regions) {
    environment.kernels = kernels;
    environment.regions = regions;
    module.is_switchable = 1;
    module.configured = 0;
    Recorder recorder(environment);
    recorder.add(module);
    launch(recorder);
    testing::internal::CaptureStderr();
    recorder.finish();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(saidOf("", ""), "");
  EXPECT_EQ(saidOf("gem?", "*,-load"), "");
  EXPECT_EQ(saidOf("", "zzz"), "kperf: KPERF_REGIONS: no region matches 'zzz'; there are load\n");
  EXPECT_EQ(saidOf("gemm,x,-y*", "l*,-gemm"), "kperf: KPERF_KERNELS: no kernel matches 'x', 'y*'; there are gemm\n"
                                              "kperf: KPERF_REGIONS: no region matches 'gemm'; there are load\n");
}

TEST_F(SettingTest, ProgramsWithoutATraceSayWhy) {
  environment.quiet = false;
  const auto saidOf = [&](auto act) {
    Recorder recorder(environment);
    testing::internal::CaptureStderr();
    act(recorder);
    return testing::internal::GetCapturedStderr();
  };
  const auto unlaunched = [&](Recorder &recorder) {
    recorder.add(module);
    recorder.sayUnlaunched();
  };
  EXPECT_EQ(saidOf(unlaunched), "kperf: no trace is written: no kernel was launched by code that kperf instrumented\n");
  EXPECT_EQ(saidOf([&](Recorder &recorder) {
              recorder.add(module);
              recorder.forkedChild();
              recorder.sayUnlaunched();
            }),
            "");
  EXPECT_EQ(saidOf([](Recorder &recorder) { recorder.finish(); }), "kperf: no trace is written: nothing in this program is instrumented, "
                                                                   "annotate it or build it with --auto=kernels (kperf-cc warns of "
                                                                   "kernels that this leaves out)\n");
  const std::string launched = saidOf([&](Recorder &recorder) {
    recorder.add(module);
    launch(recorder);
    recorder.finish();
    recorder.sayUnlaunched();
  });
  EXPECT_NE(launched.find("kperf: wrote "), std::string::npos);
  EXPECT_EQ(launched.find("no trace"), std::string::npos);
  environment.quiet = true;
  EXPECT_EQ(saidOf(unlaunched), "");
  environment.quiet = environment.enabled = false;
  EXPECT_EQ(saidOf(unlaunched), "");
}

TEST_F(SettingTest, TheLastLineSaysWhatFoundNoRoomAndWhatWouldMakeIt) {
  environment.quiet = false;
  const auto saidOf = [&](std::uint32_t recordsPerWarp, std::uint32_t produced, int warps, std::uint32_t capacity = 0) {
    FakeGpu::reset();
    module.configured = 0;
    environment.recordsPerWarp = recordsPerWarp;
    environment.bufferBytes = 2 * (sizeof(format::WarpHeader) + recordsPerWarp * sizeof(format::Record)) + 16;
    Recorder recorder(environment);
    recorder.add(module);
    launch(recorder);
    for (int index = 0; index < warps; ++index)
      if (format::WarpHeader *warp = FakeGpu::takeSlot())
        warp->kernel = 0x11, warp->flags = format::kWarpFinished, warp->produced = produced,
        warp->capacity = capacity > 0 ? capacity : warp->capacity;
    testing::internal::CaptureStderr();
    recorder.finish();
    const std::string said = testing::internal::GetCapturedStderr();
    return said.substr(said.find(" MB)"));
  };
  EXPECT_EQ(saidOf(16, 3, 2), " MB)\n");
  EXPECT_EQ(saidOf(64, 3, 5), " MB); 3 more found the device buffer full: set KPERF_BUFFER_MB=1, or KPERF_RECORDS=4 in place "
                              "of 64: none of those that were kept made more than 3 records\n");
  EXPECT_EQ(saidOf(8, 3, 9), " MB); 7 more found the device buffer full: set KPERF_BUFFER_MB=1\n"); // with 4 they would, too
  EXPECT_EQ(saidOf(4, 3, 3), " MB); 1 more found the device buffer full: set KPERF_BUFFER_MB=1\n");
  EXPECT_EQ(saidOf(16, 3, 3, /*capacity=*/4), " MB); 1 more found the device buffer full: set KPERF_BUFFER_MB=1\n"); // no slot was larger
  EXPECT_EQ(saidOf(1 << 16, 3, 9, /*capacity=*/4),
            " MB); 7 more found the device buffer full: set KPERF_BUFFER_MB=14\n"); // 2 of 1 MiB each
  EXPECT_EQ(saidOf(1 << 14, 1 << 16, 9), " MB); 7 more found the device buffer full: set KPERF_BUFFER_MB=14; 98304 records found no "
                                         "room in the slots of their warps: set KPERF_RECORDS=65536\n"); // both together
  EXPECT_EQ(saidOf(4, 9, 2), " MB); 10 records found no room in the slots of their warps: set KPERF_RECORDS=16\n");
  environment.keepLast = true; // by the user's wish
  EXPECT_EQ(saidOf(4, 9, 2), " MB)\n");
}

TEST_F(SettingTest, LaunchesAreTimedWhereTheUserAsks) {
  environment.timesLaunches = true;
  Recorder recorder(environment);
  recorder.add(module);
  for (const uint64_t ns : {30, 10, 20, 500}) {
    const kperf_launch made{7, "_ZN2ns4gemmEv", &kRegions, {2, 1, 1}, {64, 2, 1}, 1024, ns == 500 ? format::kLaunchCaptured : 0u};
    FakeGpu::now += 1000;
    recorder.beforeLaunch(module, made);
    FakeGpu::now += ns;
    recorder.afterLaunch(module, made);
  }
  recorder.finish();
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.kernelRecords.size(), 1u);
  const format::KernelRecord &kernel = contents.kernelRecords[0];
  EXPECT_EQ(trace.string(kernel.kernel), "ns::gemm()");
  EXPECT_EQ(kernel.blockThreads, 128u);
  EXPECT_EQ(kernel.registers, 40u);
  EXPECT_EQ(kernel.residentBlocks, 3u);
  EXPECT_EQ(kernel.launches, 3u);
  EXPECT_EQ(kernel.totalNs, 60u);
  EXPECT_EQ(kernel.minNs, 10u);
  EXPECT_EQ(kernel.medianNs, 20u);
}

TEST_F(SettingTest, ALaunchThatCannotHaveStartedIsSaidToBeOne) {
  const auto saidOfBlocks = [&](uint32_t threads) {
    Recorder recorder(environment);
    recorder.add(module);
    for (int i = 0; i < 2; ++i)
      recorder.beforeLaunch(module, {7, "_ZN2ns4gemmEv", &kRegions, {2, 1, 1}, {threads, 1, 1}, 4096, 0});
    testing::internal::CaptureStderr();
    recorder.finish();
    return testing::internal::GetCapturedStderr();
  };
  const std::string said = saidOfBlocks(1056);
  const std::size_t at = said.find("warning: a launch of ns::gemm() can't have started: a block of 1056 threads that "
                                   "have 40 registers each (with probes) and 4608 bytes of shared memory");
  ASSERT_NE(at, std::string::npos) << said;
  EXPECT_EQ(said.find("can't have started", at + 60), std::string::npos); // once
  EXPECT_EQ(saidOfBlocks(1024).find("started"), std::string::npos);
}

TEST_F(SettingTest, ALaunchThatHasNoRoomForProbesRunsTheCopyWithout) {
  Recorder recorder(environment);
  recorder.add(module);
  const auto isRecorded = [&](uint32_t threads, uint32_t hasPlain) {
    return recorder.beforeLaunch(module, {7, "_ZN2ns4gemmEv", &kRegions, {2, 1, 1}, {threads, 1, 1}, 4096, 0, hasPlain});
  };
  EXPECT_FALSE(isRecorded(1056, KPERF_PLAIN_TOO));
  EXPECT_TRUE(isRecorded(1024, KPERF_PLAIN_TOO));
  EXPECT_FALSE(isRecorded(1056, KPERF_PLAIN_TOO));
  testing::internal::CaptureStderr();
  recorder.finish();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("warning: a launch of ns::gemm() ran without its probes: a block of 1056 threads that have 40 registers each (with "
                      "probes) and 4608 bytes of shared memory is more than a multiprocessor has room for; for it to be recorded give the "
                      "kernel __launch_bounds__(1056), or ask for less shared memory"),
            std::string::npos)
      << said;
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  EXPECT_EQ(std::ranges::count_if(contents.launchRecords, [](const auto &row) { return (row.flags & format::kLaunchPlain) != 0; }), 2);
}

TEST_F(SettingTest, ALaunchWhoseCopyTurnsOutToBeMissingIsNotSaidToHaveRun) {
  for (const std::array<uint32_t, 2> hasPlain : {std::array<uint32_t, 2>{KPERF_PLAIN_TOO, 0}, {0, KPERF_PLAIN_TOO}}) {
    Recorder recorder(environment);
    recorder.add(module);
    for (const uint32_t each : hasPlain)
      EXPECT_EQ(recorder.beforeLaunch(module, {7, "_ZN2ns4gemmEv", &kRegions, {2, 1, 1}, {1056, 1, 1}, 4096, 0, each}), each == 0);
    testing::internal::CaptureStderr();
    recorder.finish();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("warning: a launch of ns::gemm() can't have started: "), std::string::npos) << said;
  }
}

TEST_F(SettingTest, OneLaunchInNRunsTheProbesOfAKernelThatHasACopyWithout) {
  environment.sampleLaunches = 8;
  Recorder recorder(environment);
  recorder.add(module);
  const auto launchesOf = [&](uint32_t hasPlain, uint32_t flags) {
    std::vector<bool> recorded;
    for (int i = 0; i < 800; ++i)
      recorded.push_back(recorder.beforeLaunch(module, {7, "_Z1kv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, flags, hasPlain}));
    return recorded;
  };
  const std::vector<bool> sampled = launchesOf(KPERF_PLAIN_TOO, 0);
  for (int i = 0; i < 800; i += 8) // one of each eight, whichever
    EXPECT_EQ(std::count(sampled.begin() + i, sampled.begin() + i + 8, true), 1);
  std::set<int> places;
  for (int i = 0; i < 800; ++i)
    if (sampled[i])
      places.insert(i % 8);
  EXPECT_EQ(places.size(), 8u); // a rhythm of the program's meets it nowhere
  EXPECT_EQ(std::ranges::count(launchesOf(0, 0), true), 800);
  EXPECT_EQ(std::ranges::count(launchesOf(KPERF_PLAIN_TOO, format::kLaunchCaptured), true), 800); // a graph runs it again
  EXPECT_EQ(std::ranges::count(launchesOf(KPERF_PLAIN_ONLY, 0), true), 0);
  recorder.finish();
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.launchRecords.size(), 3200u);
  EXPECT_EQ(std::ranges::count_if(contents.launchRecords, [](const auto &row) { return (row.flags & format::kLaunchPlain) != 0; }),
            700 + 800);
}

TEST_F(SettingTest, ABuildSaysHowManyLaunchesAreSampledAndTheUserHasTheLastWord) {
  module.sample_launches = 4;
  for (const auto &[asked, expected] : {std::pair(0u, 100), std::pair(1u, 400), std::pair(100u, 4)}) {
    environment.sampleLaunches = asked;
    Recorder recorder(environment);
    recorder.add(module);
    int recorded = 0;
    for (int i = 0; i < 400; ++i)
      recorded += recorder.beforeLaunch(module, {7, "_Z1kv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, 0, KPERF_PLAIN_TOO});
    EXPECT_EQ(recorded, expected);
  }
}

TEST_F(SettingTest, LaunchesAreNotSampledOfWhatThereIsInOneVersionOnlyAndThatIsSaidOnce) {
  for (const std::uint32_t asked : {0u, 1u, 4u}) {
    environment.sampleLaunches = asked;
    Recorder recorder(environment);
    recorder.add(module);
    testing::internal::CaptureStderr();
    for (int i = 0; i < 8; ++i)
      EXPECT_TRUE(recorder.beforeLaunch(module, {7, "_Z1kv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, 0, 0}));
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              asked < 2 ? ""
                        : "kperf: KPERF_SAMPLE_LAUNCHES is not heeded for kernels that the program has in one version only, "
                          "such as k(): kperf-cc nvcc makes two\n");
  }
}

TEST_F(SettingTest, ABuildSaysWhatRecordingMayTakeAndTheUserHasTheLastWord) {
  module.overhead_budget = 20000;
  for (const auto &[launches, budget, isChosen] : {std::tuple(0u, 0.0, true), std::tuple(1u, 0.0, false), std::tuple(0u, 0.5, true)}) {
    environment.sampleLaunches = launches;
    environment.overheadBudget = budget;
    testing::internal::CaptureStderr();
    Recorder recorder(environment);
    recorder.add(module);
    int recorded = 0;
    for (int i = 0; i < 20; ++i)
      recorded += recorder.beforeLaunch(module, {7, "_Z1kv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, 0, KPERF_PLAIN_TOO});
    recorder.beforeLaunch(module, {7, "_Z1kv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, 0, 0}); // has no other version
    EXPECT_EQ(recorded < 20, isChosen);
    const std::string said = testing::internal::GetCapturedStderr(), source = budget > 0 ? "KPERF_OVERHEAD_BUDGET" : "--overhead-budget";
    EXPECT_EQ(said.contains(source + " is not heeded for kernels that the program has in one version only"), isChosen) << said;
  }
}

TEST_F(SettingTest, WithNothingToBeRecordedKernelsRunWithoutProbes) {
  environment.enabled = false;
  Recorder recorder(environment);
  recorder.add(module);
  EXPECT_FALSE(recorder.beforeLaunch(module, {7, "_Z1kv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, 0, KPERF_PLAIN_TOO}));
}

TEST(Say, ReplacesWhatATerminalWouldObey) {
  char line[] = "a\x1b[2J \x7f \xe2\x80\xaegnp \xe2\x81\xa6 \xe2\x80\x8b \xe2\x80\xa6 \xe2\x82\xac";
  runtime::makePrintable(line);
  EXPECT_STREQ(line, "a?[2J ? ???gnp ??? ??? \xe2\x80\xa6 \xe2\x82\xac"); // an ellipsis and a euro stay
}

} // namespace
} // namespace kperf::test
