// What the runtime tells apart, and what it counts that it can't record: equal names of instances, launches at the wrong time.
#include "test/runtime/RecorderFixture.h"

#include <cstring>

namespace kperf::test {
namespace {

void takeNamed(std::uint64_t gridId, const char *name) {
  format::WarpHeader *warp = FakeGpu::takeSlot(1);
  warp->gridId = gridId, warp->kernel = 0x11, warp->flags = format::kWarpFinished, warp->produced = 0;
  warp->nameAddress = reinterpret_cast<uint64_t>(name), warp->nameBytes = static_cast<std::uint32_t>(std::strlen(name) + 1);
}

TEST_F(RecorderTest, InstancesOfUnnamedTypesAreNumberedInTheOrderOfTheirLaunches) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  static const char first[] = "void apply(F) [with F = lambda []()->void]", second[] = "void apply(F) [with F = lambda []()->void]";
  static const char named[] = "void apply(F) [with F = int]", alsoNamed[] = "void apply(F) [with F = int]"; // of two translation units
  takeNamed(1, first);
  takeNamed(2, second);
  takeNamed(3, first);
  takeNamed(4, named);
  takeNamed(5, alsoNamed);
  recorder.finish();

  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  std::vector<std::string> names;
  for (const format::WarpHeader &header : contents.warpHeaders)
    names.emplace_back(trace.string(header.nameAddress));
  EXPECT_EQ(names, (std::vector<std::string>{first, std::string(first) + " #2", first, named, named}));
}

TEST_F(RecorderTest, LaunchesBehindTheTraceAreCountedInIt) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  recorder.finish();
  launch(recorder);
  launch(recorder);
  testing::internal::CaptureStderr();
  recorder.addLateLaunches();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("2 launches came after the trace was written"), std::string::npos);

  const decoder::Trace trace = open();
  EXPECT_EQ(trace.incomplete(), "");
  const Contents contents = read(trace);
  ASSERT_EQ(contents.lossRecords.size(), 1u);
  EXPECT_EQ(contents.lossRecords[0].kind, format::LossKind::LaunchesUnrecorded);
  EXPECT_EQ(contents.lossRecords[0].count, 2u);
  EXPECT_EQ(trace.string(contents.lossRecords[0].reason), "made after the trace was written");
}

TEST_F(RecorderTest, ATraceThatAnotherTookThePlaceOfIsLeftAlone) {
  Recorder recorder(environment);
  recorder.add(module);
  launch(recorder);
  recorder.finish();
  launch(recorder);
  std::filesystem::resize_file(environment.output, 10);
  recorder.addLateLaunches();
  EXPECT_EQ(std::filesystem::file_size(environment.output), 10u);
}

TEST_F(RecorderTest, LaunchesBeforeAnyModuleAreCounted) {
  Recorder recorder(environment);
  kperf_module unregistered{};
  recorder.beforeLaunch(unregistered, {7, "_ZN2ns4gemmEv", nullptr, {2, 1, 1}, {64, 1, 1}, 0, 0});
  recorder.add(module);
  launch(recorder);
  recorder.finish();

  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.lossRecords.size(), 1u);
  EXPECT_EQ(contents.lossRecords[0].kind, format::LossKind::LaunchesUnrecorded);
  EXPECT_EQ(contents.lossRecords[0].count, 1u);
  EXPECT_EQ(trace.string(contents.lossRecords[0].reason), "made before the code that makes them was registered");
}

} // namespace
} // namespace kperf::test
