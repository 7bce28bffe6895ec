// What is written of the counters of memory access sites that a device kept: those of all copies, and what its patterns
// stand for.
#include "test/runtime/FakeGpu.h"

#include "decoder/trace/Trace.h"
#include "runtime/device/SiteCounters.h"
#include "runtime/file/SiteTable.h"

#include <kperf/rules/AccessPattern.h>
#include <kperf/rules/AccessSample.h>
#include <kperf/rules/MachineCode.h>

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unistd.h>

namespace kperf::test {
namespace {

using detail::AccessPattern;
using runtime::SiteCounters;

/// The counters of each site, added up over the file's records.
struct Counters : decoder::TraceVisitor {
  std::map<std::uint32_t, std::array<std::uint64_t, format::kSiteCounters>> of;
  std::map<unsigned, std::uint64_t> ofGroup; ///< accesses
  unsigned records = 0, groups = 0;
  std::set<std::uint32_t> sampled;
  void siteCounters(std::span<const format::SiteCounterRecord> rows) override {
    records += static_cast<unsigned>(rows.size());
    for (const format::SiteCounterRecord &row : rows) {
      for (unsigned i = 0; i < format::kSiteCounters; ++i)
        of[row.site][i] += row.counts[i];
      groups = row.groups;
      sampled.insert(row.sampled);
      ofGroup[row.group] += row.counts[format::kAccesses];
    }
  }
};

class SiteTest : public testing::Test {
protected:
  void SetUp() override {
    FakeGpu::reset();
    path = testing::TempDir() + "kperf-sites-" + std::to_string(getpid());
    ASSERT_TRUE(file.emplace(path).open(format::Target::Cuda, 1, 2));
    config.sample = 1;
    ASSERT_TRUE(counters.provide(kSites, 4, config));
    ASSERT_EQ(config.site_copy_mask, 3u);
  }
  void TearDown() override { std::filesystem::remove(path); }

  /// What a multiprocessor counts of the site that stands at `index` of kSites.
  kperf_site_row &row(std::uint32_t multiprocessor, std::uint32_t index) {
    return reinterpret_cast<kperf_site_row *>(config.site_counters)[multiprocessor * config.site_rows + index];
  }
  /// As a probe does.
  void count(kperf_site_row &row, const AccessPattern &pattern, std::uint64_t times) {
    const std::uint64_t key = pattern.key(), place = AccessPattern::placeOf(key);
    ASSERT_TRUE(row.patterns[place] == 0 || row.patterns[place] == key) << "two patterns of the test share a place";
    row.patterns[place] = key;
    row.times[place] = (row.times[place] + times) | KPERF_TAKEN;
  }

  Counters written() {
    EXPECT_TRUE(file->finish());
    const auto trace = decoder::Trace::open(path);
    Counters out;
    EXPECT_TRUE(trace.has_value() && trace->visit(out).has_value());
    return out;
  }

  static constexpr runtime::CountedSite kSites[] = {{70, 0, false}, {71, 0, false}};
  std::string path;
  kperf_device_config config{};
  std::optional<runtime::TraceFile> file;
  SiteCounters counters{*FakeGpu::api(), 0};
  std::uint64_t lost = 0;
};

constexpr AccessPattern kUnit = {4, 0, 32, 4, false, detail::AccessKind::Load}, kStride2 = {8, 0, 32, 4, false, detail::AccessKind::Load},
                        kBanks = {128, 0, 32, 4, true, detail::AccessKind::Load},
                        kOneAddress = {0, 0, 32, 4, false, detail::AccessKind::Atomic};

TEST_F(SiteTest, PatternsOfAllCopiesBecomeCounters) {
  count(row(0, 0), kUnit, 5);
  count(row(3, 0), kUnit, 2);
  count(row(1, 0), kStride2, 10);
  row(2, 0).counts[format::kAccesses] = 1; // one that had no pattern, of a single lane
  row(2, 0).counts[format::kSectors] = 1;
  count(row(1, 1), kBanks, 3);
  count(row(0, 1), kOneAddress, 2); // a turn for each lane
  EXPECT_TRUE(counters.collect(*file, lost, true));
  EXPECT_EQ(lost, 0u);
  Counters found = written();
  EXPECT_EQ(found.of[70][format::kAccesses], 5u + 2 + 10 + 1);
  EXPECT_EQ(found.of[70][format::kLanes], 32u * 17);
  EXPECT_EQ(found.of[70][format::kSectors], 4u * 7 + 8 * 10 + 1);
  EXPECT_EQ(found.of[70][format::kUnit], 7u);
  EXPECT_EQ(found.of[70][format::kStrided], 10u);
  EXPECT_EQ(found.of[70][format::kStrideBytes], 80u);
  EXPECT_EQ(found.of[70][format::kSharedAccesses], 0u);
  EXPECT_EQ(found.of[71][format::kSharedAccesses], 3u);
  EXPECT_EQ(found.of[71][format::kWavefronts], 96u);
  EXPECT_EQ(found.of[71][format::kSectors], 64u);
}

TEST_F(SiteTest, EachFlushWritesWhatIsNew) {
  count(row(0, 0), kUnit, 5);
  EXPECT_TRUE(counters.collect(*file, lost, true));
  EXPECT_TRUE(counters.collect(*file, lost, true)); // nothing is new
  count(row(0, 0), kUnit, 1);
  EXPECT_TRUE(counters.collect(*file, lost, true));
  Counters found = written();
  EXPECT_EQ(found.records, 2u);
  EXPECT_EQ(found.of[70][format::kAccesses], 6u);
}

/// Where blocks are sampled, what groups of them counted stays apart, equally many copies in each.
TEST_F(SiteTest, SampledCountersAreSplit) {
  SiteCounters sampled{*FakeGpu::api(), 0};
  config.sample = 16;
  ASSERT_TRUE(sampled.provide(kSites, 132, config));
  ASSERT_EQ(config.site_copy_mask, 255u);
  for (std::uint32_t copy = 0; copy < 256; ++copy)
    count(row(copy, 1), kUnit, 1 + copy % 64);
  EXPECT_TRUE(sampled.collect(*file, lost, true));
  row(131, 1).counts[format::kSectors] += 5;
  EXPECT_TRUE(sampled.collect(*file, lost, true)); // what is new of one group
  Counters found = written();
  EXPECT_EQ(found.records, 65u);
  ASSERT_EQ(found.ofGroup.size(), 64u);
  for (const auto &[group, accesses] : found.ofGroup)
    EXPECT_EQ(accesses, 4u * group);
  EXPECT_EQ(found.groups, 64u);
}

/// Where executions are sampled, the groups are of them, and a record says what one stands for.
TEST_F(SiteTest, SampledExecutionsAreSplitAndWeighed) {
  for (const std::uint32_t blocks : {1u, 16u}) {
    SiteCounters sampled{*FakeGpu::api(), 0};
    config.sample = blocks;
    config.access_limit = detail::accessLimit(6);
    ASSERT_TRUE(sampled.provide(kSites, 1, config));
    ASSERT_EQ(config.site_copy_mask, 63u);
    count(row(5, detail::kAccessRates), kUnit, 7); // of the second site, at the first of its levels
    EXPECT_TRUE(sampled.collect(*file, lost, true));
  }
  Counters found = written();
  EXPECT_EQ(found.records, 2u);
  EXPECT_EQ(found.ofGroup[6], 14u);
  EXPECT_EQ(found.groups, 64u | 6u << format::kExecutionsShift);
  EXPECT_EQ(found.sampled, (std::set<std::uint32_t>{64, 1024}));
}

/// A site that warps come to once has counters for each rate at which launches of its kernel may be sampled, another one for each level.
TEST_F(SiteTest, SitesHaveARowForEachRate) {
  const std::vector<runtime::CountedSite> sites = {{70, 0, true}, {71, 0, false}};
  SiteCounters sampled{*FakeGpu::api(), 0};
  config.access_limit = detail::accessLimit(6);
  ASSERT_TRUE(sampled.provide(sites, 1, config));
  ASSERT_EQ(config.site_rows, 2 * detail::kAccessRates);
  for (std::uint32_t rate = 0; rate < detail::kAccessRates; ++rate) {
    count(row(5, rate), kUnit, 1);
    count(row(5, detail::kAccessRates + rate), kUnit, 7);
  }
  EXPECT_TRUE(sampled.collect(*file, lost, true));
  Counters found = written();
  EXPECT_EQ(found.of[70][format::kAccesses], 3u);
  EXPECT_EQ(found.of[71][format::kAccesses], 21u);
  EXPECT_EQ(found.sampled, (std::set<std::uint32_t>{1, 8, 64, 1024, 16384}));
}

/// Of a launch all are counted, or so many that some thousands are.
TEST(AccessRate, FollowsTheLaunch) {
  for (std::uint32_t log2 = 0; log2 <= detail::kMaxAccessesSampledLog2; ++log2)
    for (std::uint32_t warpsLog2 = 0; warpsLog2 < 32; ++warpsLog2)
      for (const std::uint32_t warps : {(1u << warpsLog2) - (warpsLog2 > 0), 1u << warpsLog2, (1u << warpsLog2) + 1}) {
        const std::uint32_t rateLog2 = detail::accessRateLog2(detail::accessRateOf(warps, log2), log2);
        EXPECT_LE(rateLog2, log2);
        if (rateLog2 > 0)
          EXPECT_GT(warps, 1u << (detail::kMinCountedLog2 + rateLog2)) << log2;
        if (warps >> (detail::kMinCountedLog2 + log2) > 1)
          EXPECT_EQ(rateLog2, log2);
      }
}

/// All warps together count some 2048 iterations, or each of them four, before they count fewer, and eight times as many before fewer
/// again.
TEST(IterationLevel, FollowsTheLaunch) {
  for (const std::uint32_t warps : {0u, 1u, 12u, 100u, 512u, 2048u, 1u << 20}) {
    std::uint32_t counted[detail::kAccessRates] = {};
    for (std::uint32_t iteration = 0; iteration < 100000; ++iteration)
      ++counted[detail::iterationLevelOf(iteration, warps)];
    EXPECT_GE(counted[0], 4u) << warps;
    if (warps > 0 && warps <= 512)
      EXPECT_NEAR(counted[0] * warps, 2048, warps) << warps;
    EXPECT_EQ(counted[1], 7 * counted[0]) << warps;
  }
}

/// A lane that comes alone touches a sector of a line, or a bank, wherever it goes.
TEST_F(SiteTest, LoneLanesBecomeCounters) {
  row(0, 0).lone[AccessPattern::loneIndex(8, false)] = 3;
  row(1, 0).lone[AccessPattern::loneIndex(16, false)] = 2;
  row(0, 1).lone[AccessPattern::loneIndex(4, true)] = 5;
  EXPECT_TRUE(counters.collect(*file, lost, true));
  Counters found = written();
  EXPECT_EQ(found.of[70][format::kAccesses], 5u);
  EXPECT_EQ(found.of[70][format::kBytes], 3u * 8 + 2 * 16);
  for (const format::SiteCounter counter :
       {format::kLanes, format::kSectors, format::kMinSectors, format::kLines, format::kUnit, format::kSerialLanes})
    EXPECT_EQ(found.of[70][counter], 5u) << counter;
  EXPECT_EQ(found.of[70][format::kMisaligned], 0u);
  EXPECT_EQ(found.of[71][format::kSharedAccesses], 5u);
  EXPECT_EQ(found.of[71][format::kWavefronts], 5u);
  EXPECT_EQ(found.of[71][format::kSharedBytes], 20u);
}

/// A device of few multiprocessors has as many groups.
TEST_F(SiteTest, SmallDevicesHaveAsManyGroups) {
  SiteCounters sampled{*FakeGpu::api(), 0};
  config.sample = 2;
  ASSERT_TRUE(sampled.provide(kSites, 1, config));
  EXPECT_EQ(config.site_copy_mask, 63u);
}

/// A kernel that still runs may have counted what was copied before its key was there, and a program may have written
/// anything.
TEST_F(SiteTest, TimesWithoutAKeyAreLeftToTheNextFlush) {
  const std::uint64_t place = AccessPattern::placeOf(kUnit.key());
  row(0, 0).times[place] = 4 | KPERF_TAKEN;
  for (const std::uint64_t key : {~std::uint64_t{0}, std::uint64_t{63} << 32 | std::uint64_t{4} << 38, std::uint64_t{1} << 32,
                                  kUnit.key() | std::uint64_t{3} << 51}) {
    row(0, 1).patterns[place] = key;
    row(0, 1).times[place] = 4;
    EXPECT_FALSE(AccessPattern::isKey(key));
    EXPECT_TRUE(counters.collect(*file, lost, true));
  }
  row(0, 0).patterns[place] = kUnit.key();
  EXPECT_TRUE(AccessPattern::isKey(kUnit.key()));
  EXPECT_TRUE(counters.collect(*file, lost, true));
  Counters found = written();
  EXPECT_EQ(found.records, 1u);
  EXPECT_EQ(found.of[70][format::kAccesses], 4u);
  EXPECT_EQ(found.of[71][format::kAccesses], 0u);
}

constexpr std::uint32_t wordOf(format::MachineState state, std::uint32_t bytes, std::uint32_t pieces) {
  return static_cast<std::uint32_t>(state) | bytes << format::kMachineBytesShift | pieces << format::kMachinePiecesShift;
}

kperf_site siteOf(std::uint32_t id, std::uint32_t machine, std::uint32_t leader = 0) {
  return {id, 0, 0, 4, "k", "k.cu", "", "a[i]", "", 1, id, 4, machine, leader};
}

TEST_F(SiteTest, TablesSayWhatTheMachineExecutes) {
  using detail::MachineCode;
  using format::MachineState;
  runtime::SiteTable table;
  const kperf_site first[] = {siteOf(1, wordOf(MachineState::Wide, 16, 9)), siteOf(2, wordOf(MachineState::Merged, 0, 0), 1),
                              siteOf(3, wordOf(MachineState::Narrow, 4, 6)), siteOf(4, 0)};
  table.add(first);
  const kperf_site other[] = {siteOf(1, wordOf(MachineState::Wide, 16, 9)), siteOf(3, wordOf(MachineState::Same, 0, 0))};
  table.add(other); // another module made something else of the header's third site
  ASSERT_EQ(table.counted().size(), 4u);
  const MachineCode wide = {table.counted()[0].code};
  EXPECT_EQ(wide.kind(), MachineCode::Wide);
  EXPECT_EQ(wide.bytes(), 16u);
  EXPECT_TRUE(wide.counts(8) && !wide.counts(0));
  EXPECT_EQ(MachineCode{table.counted()[1].code}.kind(), MachineCode::Skipped);
  EXPECT_EQ(table.counted()[2].code, 0u);
  EXPECT_EQ(table.counted()[3].code, 0u);
  EXPECT_TRUE(table.write(*file) && file->writeStrings() && file->finish());
  const auto trace = decoder::Trace::open(path);
  ASSERT_TRUE(trace.has_value());
  const auto rows = trace->machineAccesses();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].bytes, 16u);
  EXPECT_EQ(rows[1].leader, 1u);
  EXPECT_EQ(rows[2].state, MachineState::Varies);
}

TEST_F(SiteTest, DevicesFindTheCodeBesideTheRow) {
  SiteCounters other{*FakeGpu::api(), 0};
  const runtime::CountedSite sites[] = {{70, 0}, {71, detail::MachineCode::of(format::MachineState::Narrow, 4, 6).bits}};
  ASSERT_TRUE(other.provide(sites, 1, config));
  const auto *entries = reinterpret_cast<const kperf_site_entry *>(config.sites);
  std::map<std::uint32_t, std::uint32_t> words;
  for (std::uint32_t slot = 0; slot <= config.site_mask; ++slot)
    if (entries[slot].id != 0)
      words[entries[slot].id] = entries[slot].row;
  EXPECT_EQ(words.at(70), 0u);
  EXPECT_EQ(words.at(71) & ((1u << KPERF_MACHINE_CODE_SHIFT) - 1), 1u);
  const detail::MachineCode code = {words.at(71) >> KPERF_MACHINE_CODE_SHIFT};
  EXPECT_EQ(code.kind(), detail::MachineCode::Narrow);
  bool hasMore = false;
  EXPECT_EQ(code.offsetOf(0, hasMore), 4u);
  EXPECT_TRUE(hasMore);
  EXPECT_EQ(code.offsetOf(1, hasMore), 8u);
  EXPECT_FALSE(hasMore);
}

} // namespace
} // namespace kperf::test
