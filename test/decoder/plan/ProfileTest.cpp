// What a profile says of kernels and regions, by hand from a handful of warps.
#include "decoder/plan/Profile.h"
#include "decoder/plan/PlanTable.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// A record costs 4 cycles inside and 10 around it: of 16 and the enclosing one's own, 164.
const char *const kHead = R"x(kperf 1.5
device 0 name="GPU" tick=32 khz=500000
region 0x1 calibration "calibration"
region 0x2 calibration "own empty"
region 0x3 calibration "own enclosing"
region 0xa0 kernel "walk" function="walk" file="k.cu" line=1
region 0xa1 scope "a" function="walk" file="k.cu" line=2
region 0xa2 scope "b" function="walk" file="k.cu" line=3
region 0xa3 scope "elsewhere" function="walk" file="k.h" line=3
region 0xa4 scope "called" function="helper" file="k.cu" line=4
region 0xa5 wait "sync" function="walk" file="k.cu" line=5 operation=barrier object=block-barrier
region 0xa6 range "r" function="walk" file="k.cu" line=6
region 0xb0 kernel "other" function="other" file="k.cu" line=9
launch "walk()" grid=2x3x5 block=11x3x2
launch "walk()" grid=2x3x5 block=11x3x2
warps
warp 0.0 ns=0..50000 cycles=0..100000 kernel="calibration"
  span "own empty" 400..404
  span "own enclosing" 1000..1014
)x";

struct Read {
  explicit Read(const std::string &warps, const std::string &head = kHead) {
    auto bytes = packText(head + warps, "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    traces.push_back(std::move(*trace));
    auto out = readProfile(traces, "");
    EXPECT_TRUE(out) << out.error().text();
    profile = std::move(*out);
  }
  const ProfiledKernel &kernel(std::size_t index = 0) const { return profile.kernels.at(index); }
  const ProfiledRow *row(std::uint32_t id) const {
    for (const ProfiledRow &row : kernel().rows)
      if (row.region == profile.regions->find(id))
        return &row;
    return nullptr;
  }
  std::vector<Trace> traces;
  Profile profile;
};

const std::string kWarp = "warp 0.0 kernel=\"walk\" gridId=1 ns=100000..120000 cycles=200000..210000 grid=2x3x5 block=11x3x2\n";

TEST(Profile, HasTheKernelsLaunchesAndBlocks) {
  const Read read(kWarp + "  span \"a\" 201000..203000\n  span \"b\" 201500..202000\n"
                          "warp 0.0 kernel=\"other\" gridId=9 ns=300000..340000 cycles=600000..620000\n");
  ASSERT_EQ(read.profile.kernels.size(), 2u);
  EXPECT_EQ(read.kernel(0).name, "other"); // of more time
  const ProfiledKernel &walk = read.kernel(1);
  EXPECT_EQ(walk.name, "walk");
  EXPECT_EQ(walk.function, "walk");
  EXPECT_EQ(walk.file, "k.cu");
  EXPECT_EQ(walk.launches, 2u);
  EXPECT_EQ(walk.warps, 1u);
  EXPECT_EQ(walk.blocks, 60); // of 66 threads, three warps each
  EXPECT_EQ(walk.blocksOfLaunch, 30u);
  EXPECT_EQ(walk.cycles, 10000);
  EXPECT_EQ(walk.unattributed, 8000);
  EXPECT_EQ(walk.nsPerCycle, 2);
  EXPECT_EQ(walk.samplingInterval, 1u);
  EXPECT_TRUE(walk.isCostKnown);
  EXPECT_EQ(walk.cyclesOfRecord, 10);
}

TEST(Profile, HasRowsByRegionOnAllPaths) {
  const Read read(kWarp +
                  "  span \"a\" 201000..203000\n  span \"b\" 201500..202000\n  span \"a\" 203000..204000\n  span \"b\" 205000..205100\n"
                  "  span \"elsewhere\" 206000..206010\n  span \"called\" 207000..207010\n  span \"sync\" 208000..208010\n");
  ASSERT_EQ(read.kernel().rows.size(), 5u);
  const ProfiledRow &a = *read.row(0xa1), &b = *read.row(0xa2);
  EXPECT_EQ(read.kernel().rows[0].region, read.profile.regions->find(0xa1)); // of most time
  EXPECT_EQ(a.visits, 2u);
  EXPECT_EQ(a.total, 3000);
  EXPECT_EQ(a.self, 2500);
  EXPECT_EQ(a.depth, 0u);
  EXPECT_EQ(b.visits, 2u);
  EXPECT_EQ(b.total, 600);
  EXPECT_EQ(b.self, 600);
  EXPECT_EQ(b.depth, 0u); // once inside of a, and once of nothing
  EXPECT_EQ(b.lengths.count(), 2u);
  EXPECT_EQ(b.recordCost, 20);
  EXPECT_EQ(b.costNow, 20);
  EXPECT_FALSE(b.isSummed);
  EXPECT_TRUE(a.isSummable);
  EXPECT_FALSE(read.row(0xa3)->isSummable); // of another file
  EXPECT_FALSE(read.row(0xa4)->isSummable); // of another function
  EXPECT_FALSE(read.row(0xa5)->isSummable); // a wait
  EXPECT_EQ(read.kernel().netCycles(), 10000 - 70);
}

/// Two of eight records were kept: of the time without them nothing is known, and it is taken to be like theirs.
TEST(Profile, DroppedRecordsCountAsTheOthers) {
  std::string warp = kWarp;
  warp.insert(warp.size() - 1, " produced=8 capacity=2");
  const Read read(warp + "  span \"a\" 201000..203000\n  span \"b\" 204000..205000\n");
  EXPECT_EQ(read.kernel().keptShare, 0.25);
  EXPECT_EQ(read.kernel().recordsNeeded, 8u);
  const ProfiledRow &a = *read.row(0xa1);
  EXPECT_EQ(a.visits, 4u);
  EXPECT_NEAR(a.total, 10000 * 2. / 3, 1e-6);
  EXPECT_EQ(a.recordCost, 40);
  EXPECT_EQ(a.costNow, 40);
  EXPECT_NEAR(read.row(0xa2)->total, 10000 / 3., 1e-6);
  EXPECT_EQ(read.kernel().unattributed, 0);
  const Table table = planTable(read.profile, planFor(read.profile, 2));
  ASSERT_GE(table.leadNotes, 1u);
  EXPECT_EQ(table.notes[0], "75.0 % of the records of walk were dropped: what is said of its regions is as if those had been like the "
                            "others; with KPERF_RECORDS=8 each warp has room for all");
}

TEST(Profile, RangesOfTwoRecordsCostTwice) {
  const Read read(kWarp + "  begin \"r\" 201000\n  end \"r\" 202000\n  span \"a\" 203000..203100\n");
  EXPECT_EQ(read.row(0xa6)->recordCost, 20);
  EXPECT_EQ(read.row(0xa6)->costNow, 20);
  EXPECT_FALSE(read.row(0xa6)->isSummable);
  EXPECT_EQ(read.row(0xa1)->recordCost, 10);
}

TEST(Profile, RangesOfOneRecordAreAsScopesAre) {
  const Read read(kWarp + "  span \"r\" 201000..202000\n");
  EXPECT_EQ(read.row(0xa6)->recordCost, 10);
  EXPECT_TRUE(read.row(0xa6)->isSummable); // begun and ended in one block
  EXPECT_FALSE(read.row(0xa6)->isPair);
  const Read summed(kWarp + "  total \"r\" count=8 cycles=4000\n");
  EXPECT_TRUE(summed.row(0xa6)->isSummable); // it was
}

/// 100 entries of a range were seen to take the virtual clock 200 cycles, as those of a scope did. On the host target all ranges are two
/// records, which tells nothing of their blocks.
TEST(Profile, RangesOfTwoRecordsCostTheVirtualClockOnce) {
  const auto read = [](const std::string &clock) {
    std::string head = kHead;
    head.replace(0, 9, "kperf 1.14 target=host");
    head.replace(head.find("name=\"GPU\""), 10, "name=\"kperf host target\" driver=\"" + clock + "\"");
    return Read(kWarp + "  begin \"r\" 201000\n  end \"r\" 202000\n", head);
  };
  EXPECT_EQ(read("virtual clock").row(0xa6)->recordCost, 10);
  EXPECT_EQ(read("virtual clock").row(0xa6)->costNow, 10);
  EXPECT_EQ(read("wall clock").row(0xa6)->recordCost, 20);
  EXPECT_TRUE(read("virtual clock").row(0xa6)->isSummable);
  EXPECT_TRUE(read("virtual clock").row(0xa6)->isPair);
}

TEST(Profile, SumsCostHalfOfRecordsAndSampledBlocksStandForAll) {
  const Read summed(kWarp + "  total \"a\" count=8 cycles=4000\n  total \"b\" count=0 cycles=0\n");
  ASSERT_EQ(summed.kernel().rows.size(), 1u); // what was never entered is no row
  const ProfiledRow &a = *summed.row(0xa1);
  EXPECT_TRUE(a.isSummed);
  EXPECT_EQ(a.visits, 8u);
  EXPECT_EQ(a.total, 4000);
  EXPECT_EQ(a.recordCost, 80);
  EXPECT_EQ(a.costNow, 40);
}

/// 8 entries of a scope were seen to take it as long when they were summed up.
TEST(Profile, SumsCostTheVirtualClockAsMuchAsRecords) {
  const auto read = [](const std::string &clock) {
    std::string head = kHead;
    head.replace(0, 9, "kperf 1.14 target=host");
    head.replace(head.find("name=\"GPU\""), 10, "name=\"kperf host target\" driver=\"" + clock + "\"");
    return Read(kWarp + "  total \"a\" count=8 cycles=4000\n", head);
  };
  const Read known = read("virtual clock"), assumed = read("wall clock");
  EXPECT_EQ(known.row(0xa1)->costNow, 80);
  EXPECT_EQ(costOf(*known.row(0xa1), Choice::Sums), 80);
  EXPECT_EQ(assumed.row(0xa1)->costNow, 40);
  EXPECT_EQ(costOf(*assumed.row(0xa1), Choice::Sums), 40);
  EXPECT_TRUE(planTable(known.profile, planFor(known.profile, 2)).notes[0].starts_with("costs are what the virtual clock charges"));
  EXPECT_TRUE(planTable(assumed.profile, planFor(assumed.profile, 2)).notes[0].starts_with("costs are what probes take on this CPU"));
}

/// Of a launch of 32768 warps one block in 8 is recorded. Ten entries cost the recorded warp 100 of its 10000 cycles.
class WideLaunch : public testing::Test {
protected:
  static Read read(const std::string &warp, const std::string &head = kHead) {
    std::string spans;
    for (int at = 201000; at < 202000; at += 100)
      spans += "  span \"a\" " + std::to_string(at) + ".." + std::to_string(at + 50) + "\n";
    return Read("warp 0.0 kernel=\"walk\" gridId=1 ns=100000..120000 cycles=200000..210000 grid=32768x1x1 block=32x1x1 " + warp + "\n" +
                    spans,
                head);
  }
  static constexpr double kAll = 32768 * 100.0; ///< cycles that the probes would cost in all blocks
};

TEST_F(WideLaunch, OthersWithoutProbesCostNothing) {
  const Read plain = read("sampled=8 flags=finished,others-plain");
  EXPECT_EQ(plain.row(0xa1)->recordCost, kAll);
  EXPECT_EQ(plain.row(0xa1)->nextShare, 1. / 8);
  EXPECT_EQ(plain.row(0xa1)->costNow, kAll / 8);
  EXPECT_EQ(plain.kernel().nextShare, 1. / 8);
  EXPECT_EQ(plain.kernel().netCycles(), 32768 * 9900.0); // what recorded blocks took is what all are estimated by
}

TEST_F(WideLaunch, OthersWithProbesCostAsMuchAsRecordedOnes) {
  const Read probed = read("sampled=8");
  EXPECT_EQ(probed.row(0xa1)->nextShare, 1);
  EXPECT_EQ(probed.row(0xa1)->costNow, kAll);
  EXPECT_EQ(probed.kernel().netCycles(), 32768 * 9900.0);
}

TEST_F(WideLaunch, TheNextRunGoesByItsWidthWhereThisOneWasToldHowManyBlocks) {
  const Read sampled = read("sampled=64 flags=finished,others-plain");
  EXPECT_EQ(sampled.row(0xa1)->nextShare, 1. / 8);
  EXPECT_EQ(sampled.row(0xa1)->costNow, kAll / 64);
  const Read whole = read("flags=finished,others-plain"); // KPERF_SAMPLE=1, or a build that records each
  EXPECT_EQ(whole.row(0xa1)->nextShare, 1);
  EXPECT_EQ(whole.row(0xa1)->costNow, 100);
}

TEST_F(WideLaunch, OnTheHostTargetWhatIsNotRecordedHasNoProbes) {
  std::string head = kHead;
  head.replace(0, 9, "kperf 1.14 target=host");
  const Read host = read("sampled=8", head);
  EXPECT_EQ(host.row(0xa1)->nextShare, 1. / 8);
  EXPECT_EQ(host.row(0xa1)->costNow, kAll / 8);
}

TEST(Profile, ARecordCostsWhatOwnOnesDoOrElseSharedOnes) {
  const auto cost = [](const std::string &calibrated) {
    return Read("warp 0.0 kernel=\"walk\" gridId=1 ns=100000..120000 cycles=200000..210000\n",
                "kperf 1.5\ndevice 0 name=\"GPU\" tick=32 khz=500000\nregion 0x1 calibration \"calibration\"\n"
                "region 0x2 calibration \"own empty\"\nregion 0x3 calibration \"own enclosing\"\n"
                "region 0x4 calibration \"shared empty\"\nregion 0x5 calibration \"shared enclosing\"\n"
                "region 0xa0 kernel \"walk\" function=\"walk\"\nwarps\nwarp 0.0 ns=0..50000 cycles=0..100000 kernel=\"calibration\"\n" +
                    calibrated)
        .kernel()
        .cyclesOfRecord;
  };
  // 16 records are between two reads of the clock, besides what the enclosing one holds of itself.
  const std::string own = "  span \"own empty\" 400..400\n  span \"own enclosing\" 1000..1001\n";
  const std::string shared = "  span \"shared empty\" 2000..2004\n  span \"shared enclosing\" 3000..3014\n";
  EXPECT_EQ(cost(own + shared), 1);
  EXPECT_EQ(cost(shared), 10);
}

} // namespace
} // namespace kperf::decoder
