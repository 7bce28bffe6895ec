// What the runtime writes, the decoder reads: the recorder against a GPU made of host memory.
#include "test/runtime/RecorderFixture.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace kperf::test {
namespace {

TEST_F(RecorderTest, DecoderReadsWhatTheRuntimeWrites) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  static const char name[] = "void ns::gemm() [with T = float]";
  format::WarpHeader *warp = FakeGpu::takeSlot(1);
  warp->gridId = 5, warp->block = 1, warp->startNs = 100, warp->endNs = 200, warp->startCycles = 1000;
  warp->endCycles = 1200, warp->kernel = 0x11, warp->produced = 2, warp->gridX = 2, warp->blockX = 64, warp->sm = 17;
  warp->gridY = warp->gridZ = warp->blockY = warp->blockZ = 1;
  warp->nameAddress = reinterpret_cast<uint64_t>(name), warp->nameBytes = sizeof(name);
  warp->flags = format::kWarpFinished;
  FakeGpu::records(warp)[0] = span(1010, 1050);
  FakeGpu::records(warp)[1] = span(1060, 1070);
  recorder.finish();

  const decoder::Trace trace = open();
  EXPECT_EQ(trace.incomplete(), "");
  ASSERT_EQ(trace.regions().size(), 2u);
  EXPECT_EQ(trace.string(trace.regions()[1].name), "load");
  EXPECT_EQ(trace.string(trace.regions()[1].source), "  KPERF_SCOPE(\"load\");");
  ASSERT_EQ(trace.devices().size(), 1u);
  EXPECT_EQ(trace.string(trace.devices()[0].name), "Fake GPU");
  const Contents contents = read(trace);
  ASSERT_EQ(contents.warpHeaders.size(), 1u);
  EXPECT_EQ(contents.warpHeaders[0].gridId, 5u);
  EXPECT_EQ(contents.warpHeaders[0].sm, 17u);
  EXPECT_EQ(contents.warpHeaders[0].slotBytes, 0u);
  EXPECT_EQ(contents.warpHeaders[0].nameBytes, 0u);
  EXPECT_EQ(trace.string(contents.warpHeaders[0].nameAddress), name);
  ASSERT_EQ(contents.warpRecords[0].size(), 2u);
  EXPECT_EQ(contents.warpRecords[0][1].second, 1070u);
  ASSERT_EQ(contents.launchRecords.size(), 1u);
  EXPECT_EQ(trace.string(contents.launchRecords[0].kernel), "ns::gemm()");
  EXPECT_EQ(contents.launchRecords[0].stream, 7u);
  EXPECT_EQ(contents.launchRecords[0].flags, format::kLaunchCaptured);
  EXPECT_TRUE(contents.lossRecords.empty());
}

TEST_F(RecorderTest, RingIsUnrolledOldestFirst) {
  environment.keepLast = true;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  format::WarpHeader *warp = FakeGpu::takeSlot();
  warp->kernel = 0x11, warp->flags = format::kWarpFinished, warp->produced = 6;
  for (uint32_t index = 0; index < 6; ++index)
    FakeGpu::records(warp)[index % 4] = span(index * 10, index * 10 + 5);
  recorder.finish();
  const Contents contents = read(open());
  ASSERT_EQ(contents.warpRecords.size(), 1u);
  ASSERT_EQ(contents.warpRecords[0].size(), 4u);
  for (uint32_t index = 0; index < 4; ++index)
    EXPECT_EQ(contents.warpRecords[0][index].first, (index + 2) * 10);
}

TEST_F(RecorderTest, ReplaysOfAGraphAreLaunchesOfTheirOwn) {
  environment.bufferBytes = 1 << 20;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder); // as if into a graph
  const auto run = [](uint32_t part, uint32_t block, uint64_t startNs) {
    format::WarpHeader *warp = FakeGpu::takeSlot(0, part);
    warp->kernel = 0x11, warp->flags = format::kWarpFinished, warp->gridId = 7;
    warp->block = block, warp->startNs = startNs;
  };
  // A block runs on another multiprocessor in the next replay; parts are read one after the other.
  run(0, 0, 100), run(1, 1, 110);
  run(1, 0, 200), run(0, 1, 190);
  run(0, 0, 300), run(1, 1, 300);
  recorder.flush();
  run(0, 1, 400);
  recorder.finish();
  std::map<uint64_t, std::vector<uint64_t>> starts;
  for (const format::WarpHeader &warp : read(open()).warpHeaders) {
    EXPECT_EQ(warp.gridId & 0xffffffff, 7u);
    starts[warp.gridId >> format::kReplayShift].push_back(warp.startNs);
  }
  for (auto &[replay, each] : starts)
    std::ranges::sort(each);
  EXPECT_EQ(starts, (std::map<uint64_t, std::vector<uint64_t>>{{0, {100, 110}}, {1, {190, 200}}, {2, {300, 300}}, {3, {400}}}));
}

TEST_F(RecorderTest, TheBufferIsAPartOfWhatIsFree) {
  environment.bufferBytes = 0;
  const std::pair<std::uint64_t, std::uint64_t> sizes[] = {{1u << 10, 128}, {4u << 10, 256}, {16u << 10, 512}, {64u << 10, 1024}}; // MiB
  for (const auto &[free, expected] : sizes) {
    FakeGpu::reset();
    FakeGpu::freeBytes = free << 20;
    Recorder recorder(environment);
    recorder.add(module);
    launch(recorder);
    EXPECT_EQ(FakeGpu::largestAllocation, expected << 20) << free << " MiB are free";
    recorder.remove(module);
    module.configured = 0;
  }
}

TEST_F(RecorderTest, PartsAreMergedLaunchByLaunch) {
  environment.bufferBytes = 1 << 20;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  ASSERT_GT(FakeGpu::config.part_count, 2u);
  const auto take = [](uint32_t part, uint64_t gridId) {
    format::WarpHeader *warp = FakeGpu::takeSlot(0, part);
    warp->kernel = 0x11, warp->flags = format::kWarpFinished, warp->gridId = gridId, warp->block = part;
  };
  for (const uint64_t gridId : {1, 2, 4})
    take(0, gridId);
  for (const uint64_t gridId : {2, 3})
    take(2, gridId);
  recorder.flush();
  take(1, 5);
  recorder.finish();
  std::vector<uint64_t> gridIds;
  for (const format::WarpHeader &warp : read(open()).warpHeaders)
    gridIds.push_back(warp.gridId);
  EXPECT_EQ(gridIds, (std::vector<uint64_t>{1, 2, 2, 3, 4, 5}));
}

/// Zeroed memory at an address; MAP_FAILED where something else is, a sanitizer's shadow for one.
void *memoryAt(std::uint64_t address, std::size_t bytes) {
  return mmap(reinterpret_cast<void *>(address), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

TEST_F(RecorderTest, NoPartCrossesAMultipleOf4GiB) {
  constexpr std::uint64_t kLow = std::uint64_t{5} << 32, kHigh = std::uint64_t{0x5000} << 32;
  void *const probe = memoryAt(kLow, 4096);
  const std::uint64_t kBoundary = probe == MAP_FAILED ? kHigh : kLow;
  if (probe != MAP_FAILED)
    munmap(probe, 4096);
  for (const std::uint64_t before : {16u << 10, 40u << 10, 500u << 10, 1000u << 10})
    for (const std::uint64_t bytes : {64u << 10, 1024u << 10}) {
      if (before >= bytes)
        continue;
      FakeGpu::reset();
      environment.bufferBytes = bytes;
      void *const wanted = reinterpret_cast<void *>(kBoundary - before);
      FakeGpu::nextArena = memoryAt(kBoundary - before, bytes);
      ASSERT_EQ(FakeGpu::nextArena, wanted);
      {
        Recorder recorder(environment);
        recorder.add(module);
        module.configured = 0;
        launch(recorder);
        const kperf_device_config &config = FakeGpu::config;
        ASSERT_GT(config.part_count, 0u);
        EXPECT_GE(config.part_count * config.part_bytes, bytes / 4);
        EXPECT_GE(config.arena, kBoundary - before);
        EXPECT_LE(config.arena + config.part_count * config.part_bytes, kBoundary - before + bytes);
        for (std::uint64_t part = 0; part < config.part_count; ++part) {
          const std::uint64_t first = config.arena + part * config.part_bytes;
          EXPECT_EQ(first >> 32, (first + config.part_bytes - 1) >> 32);
        }
        recorder.finish();
      }
      munmap(wanted, bytes);
    }
}

TEST_F(RecorderTest, ForeignWarpCountsWhatFoundNoRoom) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  format::WarpHeader *warp = FakeGpu::takeSlot();
  warp->kernel = format::kForeignKernel, warp->flags = format::kWarpReserved | format::kWarpForeign;
  warp->produced = 3;                          // as the device counts them: those without room
  for (uint32_t index = 0; index < 3; ++index) // the fourth never ended
    FakeGpu::records(warp)[index] = span(index * 10, index * 10 + 5);
  recorder.finish();
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.warpRecords.size(), 1u);
  EXPECT_EQ(contents.warpRecords[0].size(), 4u);
  EXPECT_EQ(contents.warpHeaders[0].produced, 7u);
  EXPECT_EQ(trace.regions().back().id, format::kForeignKernel);
}

TEST_F(RecorderTest, TrappedWarpKeepsWhatItStored) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  format::WarpHeader *warp = FakeGpu::takeSlot();
  warp->kernel = 0x11, warp->produced = 3; // lanes without lane 0 count in the header while the kernel runs
  FakeGpu::records(warp)[0] = span(10, 15);
  FakeGpu::records(warp)[1] = span(20, 25); // the third was not stored yet
  recorder.finish();
  const Contents contents = read(open());
  ASSERT_EQ(contents.warpRecords.size(), 1u);
  EXPECT_EQ(contents.warpRecords[0].size(), 2u);
  EXPECT_EQ(contents.warpHeaders[0].produced, 2u);
}

TEST_F(RecorderTest, LossesHaveTheirOwnReasons) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  recorder.flush(); // everything is well
  for (int warp = 0; warp < 100; ++warp)
    if (format::WarpHeader *header = FakeGpu::takeSlot())
      header->kernel = 0x11, header->flags = format::kWarpFinished;
  recorder.finish();
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.lossRecords.size(), 1u);
  EXPECT_EQ(contents.lossRecords[0].kind, format::LossKind::WarpsWithoutBuffer);
  EXPECT_EQ(trace.string(static_cast<std::uint32_t>(contents.lossRecords[0].reason)), "");
}

TEST_F(RecorderTest, FullArenaIsCounted) {
  environment.bufferBytes = 2 * (sizeof(format::WarpHeader) + 4 * sizeof(format::Record)) + 16;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  for (int index = 0; index < 5; ++index)
    if (format::WarpHeader *warp = FakeGpu::takeSlot())
      warp->kernel = 0x11, warp->flags = format::kWarpFinished;
  recorder.finish();
  const Contents contents = read(open());
  EXPECT_EQ(contents.warpHeaders.size(), 2u);
  ASSERT_EQ(contents.lossRecords.size(), 1u);
  EXPECT_EQ(contents.lossRecords[0].kind, format::LossKind::WarpsWithoutBuffer);
  EXPECT_EQ(contents.lossRecords[0].count, 3u);
}

TEST_F(RecorderTest, UnfinishedWarpKeepsWhatItStored) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  format::WarpHeader *warp = FakeGpu::takeSlot();
  warp->kernel = 0x11;
  FakeGpu::records(warp)[0] = span(1, 2);
  FakeGpu::records(warp)[2] = span(5, 6);
  recorder.finish();
  const Contents contents = read(open());
  ASSERT_EQ(contents.warpHeaders.size(), 1u);
  EXPECT_EQ(contents.warpHeaders[0].produced, 2u);
  EXPECT_EQ(contents.warpHeaders[0].flags & format::kWarpFinished, 0);
  EXPECT_EQ(contents.warpRecords[0][1].first, 5u);
}

TEST_F(RecorderTest, FlushesAppendAndOnlyTheLastCompletesTheFile) {
  Recorder recorder(environment);
  recorder.add(module);
  for (uint64_t grid = 1; grid <= 2; ++grid) {
    launch(recorder);
    format::WarpHeader *warp = FakeGpu::takeSlot();
    warp->kernel = 0x11, warp->gridId = grid, warp->flags = format::kWarpFinished;
    EXPECT_TRUE(recorder.flush());
    EXPECT_NE(open().incomplete(), "");
    EXPECT_EQ(read(open()).warpHeaders.size(), grid);
  }
  recorder.finish();
  EXPECT_EQ(open().incomplete(), "");
  EXPECT_EQ(read(open()).warpHeaders.size(), 2u);
}

TEST_F(RecorderTest, WithoutDeviceMemoryLaunchesAreCountedAsLost) {
  FakeGpu::hasMemory = false;
  Recorder recorder(environment);
  recorder.add(module);
  testing::internal::CaptureStderr();
  launch(recorder);
  launch(recorder);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("set KPERF_BUFFER_MB to less"), std::string::npos);
  EXPECT_EQ(FakeGpu::config.arena, 0u);
  recorder.finish();
  const Contents contents = read(open());
  ASSERT_EQ(contents.lossRecords.size(), 1u);
  EXPECT_EQ(contents.lossRecords[0].kind, format::LossKind::LaunchesUnrecorded);
  EXPECT_EQ(contents.lossRecords[0].count, 2u);
}

TEST_F(RecorderTest, DeviceFaultLeavesAReadableTraceThatSaysSo) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  FakeGpu::takeSlot();
  FakeGpu::hasFaulted = true;
  recorder.finish();
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.lossRecords.size(), 1u);
  EXPECT_EQ(contents.lossRecords[0].kind, format::LossKind::Unreadable);
  EXPECT_NE(trace.string(contents.lossRecords[0].reason).find("illegal memory access"), std::string::npos);
}

TEST_F(RecorderTest, UnwritableOutputStopsRecordingOnce) {
  environment.output = directory + "/missing/out.kperf";
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(recorder.flush());
  EXPECT_FALSE(recorder.flush());
  recorder.finish();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("No such file or directory; set KPERF_OUTPUT"), std::string::npos);
  EXPECT_EQ(said.find("kperf:"), said.rfind("kperf:"));
  EXPECT_FALSE(std::filesystem::exists(environment.output));
}

TEST_F(RecorderTest, DeviceAsOutputStaysADevice) {
  ASSERT_EQ(mkfifo((directory + "/fifo").c_str(), 0600), 0);
  for (const std::string &output : {directory + "/fifo", std::string("/dev/full")}) { // neither can hold a trace
    environment.output = output;
    Recorder recorder(environment);
    recorder.add(module);
    launch(recorder);
    testing::internal::CaptureStderr();
    recorder.finish();
    EXPECT_NE(testing::internal::GetCapturedStderr().find("set KPERF_OUTPUT"), std::string::npos) << output;
    EXPECT_FALSE(std::filesystem::is_regular_file(output)) << output;
  }
}

TEST_F(RecorderTest, ForkedChildWritesNothing) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  FakeGpu::takeSlot()->flags = format::kWarpFinished;
  const pid_t child = fork();
  if (child == 0) {
    recorder.forkedChild();
    recorder.finish();
    _exit(std::filesystem::exists(environment.output) ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  recorder.finish();
  EXPECT_EQ(read(open()).warpHeaders.size(), 1u);
}

/// The part of the blocks that modules ask for holds until the user says otherwise, and stands in every warp.
TEST_F(RecorderTest, SampleIsTheModulesOrTheUsers) {
  for (const auto &[said, asked, expected] : {std::tuple{0u, 0u, 1u}, {0u, 16u, 16u}, {1u, 16u, 1u}, {8u, 16u, 8u}, {8u, 0u, 8u}}) {
    environment.sample = said;
    module.sample = asked;
    module.configured = 0;
    Recorder recorder(environment);
    recorder.add(module);
    launch(recorder);
    EXPECT_EQ(FakeGpu::config.sample, expected);
    EXPECT_EQ(FakeGpu::config.max_warps_log2, said == 0 && asked == 0 ? detail::kMaxWarpsLog2 : detail::kAnyWarps);
    FakeGpu::takeSlot()->flags = format::kWarpFinished;
    recorder.finish();
    const Contents contents = read(open());
    ASSERT_EQ(contents.warpHeaders.size(), 1u);
    EXPECT_EQ(contents.warpHeaders[0].sampled, expected == 1 ? 0 : expected);
  }
}

TEST_F(RecorderTest, NoLaunchNoFile) {
  Recorder recorder(environment);
  recorder.add(module);
  recorder.finish();
  EXPECT_FALSE(std::filesystem::exists(environment.output));
}

TEST_F(RecorderTest, SwitchedOffRecordsNothing) {
  environment.enabled = false;
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  recorder.finish();
  EXPECT_EQ(FakeGpu::config.arena, 0u);
  EXPECT_FALSE(std::filesystem::exists(environment.output));
}

TEST_F(RecorderTest, CollidingRegionIdsAreNamed) {
  static const kperf_region other[] = {{0x22, 1, "store", "f", "other.cu", "", 1, 1, 1, 0}};
  kperf_module second{KPERF_MODULE_ABI, 1, other, FakeGpu::api(), &FakeGpu::configure, nullptr, 0};
  Recorder recorder(environment);
  recorder.add(module);
  testing::internal::CaptureStderr();
  recorder.add(second);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("'load' (gemm.cu:4) and 'store' (other.cu:1)"), std::string::npos);
}

} // namespace
} // namespace kperf::test
