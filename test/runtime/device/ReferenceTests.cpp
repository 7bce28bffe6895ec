// What is written of the references to cache lines that a device kept.
#include "test/runtime/FakeGpu.h"

#include "decoder/trace/Trace.h"
#include "runtime/device/ReferenceLog.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kperf::test {
namespace {

using format::ReferenceRecord;
using runtime::ReferenceLog;

constexpr std::uint32_t kRoom = 4;

struct References : decoder::TraceVisitor {
  std::vector<format::ReferencesHeader> heads;
  std::vector<std::uint64_t> lines;
  void references(const format::ReferencesHeader &head) override { heads.push_back(head); }
  void references(std::span<const ReferenceRecord> rows) override {
    for (const ReferenceRecord &row : rows)
      lines.push_back(row.line & format::kReferenceLineMask);
  }
};

class ReferenceTest : public testing::Test {
protected:
  void SetUp() override {
    FakeGpu::reset();
    path = testing::TempDir() + "kperf-references-" + std::to_string(getpid());
    ASSERT_TRUE(file.emplace(path).open(format::Target::Cuda, 1, 2));
    ASSERT_TRUE(references.provide(config));
  }
  void TearDown() override { std::filesystem::remove(path); }

  kperf_reference_log &log() { return *reinterpret_cast<kperf_reference_log *>(config.references); }

  /// As a probe does.
  void use(std::uint64_t line, std::uint32_t lineClass) {
    const std::uint32_t slot = log().used[lineClass]++;
    auto *records = reinterpret_cast<ReferenceRecord *>(&log() + 1);
    if (slot < kRoom)
      records[lineClass * kRoom + slot] = {line | std::uint64_t{lineClass} << format::kReferenceClassShift, 0, 1, 0, 0};
    else
      log().closed |= 1u << lineClass;
  }

  References written() {
    EXPECT_TRUE(file->finish());
    const auto trace = decoder::Trace::open(path);
    References out;
    EXPECT_TRUE(trace.has_value() && trace->visit(out).has_value());
    return out;
  }

  std::string path;
  kperf_device_config config{};
  std::optional<runtime::TraceFile> file;
  ReferenceLog references{*FakeGpu::api(), 3, 2, kRoom};
  std::uint64_t lost = 0;
};

TEST_F(ReferenceTest, EachFlushWritesWhatIsNew) {
  use(10, 0), use(11, 0), use(20, 23);
  EXPECT_TRUE(references.collect(*file, 1, lost, true));
  EXPECT_TRUE(references.collect(*file, 1, lost, true)); // nothing is new
  use(12, 0), use(13, 0);
  EXPECT_TRUE(references.collect(*file, 1, lost, true));
  const References found = written();
  EXPECT_EQ(found.lines, (std::vector<std::uint64_t>{10, 11, 20, 12, 13}));
  ASSERT_EQ(found.heads.size(), 2u);
  EXPECT_EQ(found.heads[1].device, 3u);
  EXPECT_EQ(found.heads[1].run, 2u);
  EXPECT_EQ(found.heads[1].incomplete, 0u);
  EXPECT_EQ(lost, 0u);
}

TEST_F(ReferenceTest, WhatIsNotToStayIsWrittenAgain) {
  use(10, 0);
  log().used[0]++; // of a kernel that is about to write the record
  EXPECT_TRUE(references.collect(*file, 1, lost, false));
  reinterpret_cast<ReferenceRecord *>(&log() + 1)[1] = {11, 0, 1, 0, 0};
  EXPECT_TRUE(references.collect(*file, 1, lost, true));
  EXPECT_EQ(written().lines, (std::vector<std::uint64_t>{10, 10, 11}));
}

TEST_F(ReferenceTest, ClassWithoutRoomIsSaidToBeIncomplete) {
  use(10, 1);
  EXPECT_TRUE(references.collect(*file, 8, lost, true));
  for (std::uint64_t line = 0; line < kRoom; ++line)
    use(line, 1);
  use(20, 2);
  EXPECT_TRUE(references.collect(*file, 8, lost, true));
  const References found = written();
  EXPECT_EQ(found.lines, (std::vector<std::uint64_t>{10, 20})); // of a class that is full nothing more
  ASSERT_EQ(found.heads.size(), 2u);
  EXPECT_EQ(found.heads[0].incomplete, 0u);
  EXPECT_EQ(found.heads[1].incomplete, 1u << 1);
  EXPECT_EQ(found.heads[1].sampled, 8u);
}

TEST_F(ReferenceTest, WhatCannotBeCopiedBackIsCounted) {
  use(10, 0), use(11, 0);
  FakeGpu::hasFaulted = true;
  EXPECT_TRUE(references.collect(*file, 1, lost, true));
  EXPECT_GT(lost, 0u);
  FakeGpu::hasFaulted = false;
  EXPECT_TRUE(written().heads.empty());
}

TEST_F(ReferenceTest, WithoutMemoryNothingIsKeptAndAllIsIncomplete) {
  ReferenceLog none(*FakeGpu::api(), 3, 2, kRoom);
  kperf_device_config other{};
  FakeGpu::hasMemory = false;
  EXPECT_FALSE(none.provide(other));
  EXPECT_NE(none.why().find("KPERF_LINES"), std::string::npos);
  EXPECT_EQ(other.references, 0u);
  EXPECT_TRUE(none.provide(other)); // said once
  EXPECT_TRUE(none.collect(*file, 1, lost, true) && none.collect(*file, 1, lost, true));
  const References found = written();
  ASSERT_EQ(found.heads.size(), 1u);
  EXPECT_EQ(found.heads[0].incomplete, (1u << format::kReferenceClasses) - 1);
}

} // namespace
} // namespace kperf::test
