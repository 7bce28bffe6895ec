// One value of each launch by each measure, and what becomes of very many.
#include "decoder/totals/LaunchSamples.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

TEST(SampleList, AveragesNeighboursOnceThereAreMany) {
  SampleList list;
  for (int i = 0; i < 511; ++i)
    list.add(i);
  ASSERT_EQ(list.values().size(), 511u);
  EXPECT_EQ(list.values()[7], 7);
  list.add(511);
  ASSERT_EQ(list.values().size(), 256u);
  EXPECT_EQ(list.values()[0], 0.5);
  EXPECT_EQ(list.values()[255], 510.5);
  list.add(600);
  EXPECT_EQ(list.values().size(), 256u); // half a pair
  list.add(700);
  ASSERT_EQ(list.values().size(), 257u);
  EXPECT_EQ(list.values()[256], 650);
  EXPECT_EQ(list.launches(), 514u);
  for (int i = 514; i < 1024; ++i)
    list.add(1000);
  ASSERT_EQ(list.values().size(), 256u); // of four each
  EXPECT_EQ(list.values()[0], 1.5);
  EXPECT_EQ(list.values()[255], 1000);
}

struct Sampled {
  Sampled(Measure measure, const std::string &warps) {
    auto bytes = packText("kperf 1.14\ndevice 0 name=\"GPU\" tick=32\nregion 0x20 kernel \"walk\"\nregion 0x21 scope \"a\"\n"
                          "region 0x22 scope \"b\"\nregion 0x23 kernel \"other\"\nwarps\n" +
                              warps,
                          "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    auto read = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(read) << read.error().text();
    trace = std::make_unique<Trace>(std::move(*read));
    regions.add(*trace);
    samples = std::make_unique<LaunchSamples>(*trace, regions, "walk", measure);
    EXPECT_TRUE(samples->run());
  }
  const KernelSamples &kernel() const { return samples->kernels().front(); }
  std::vector<double> of(std::uint32_t id) const { return kernel().regions.at(regions.find(id)).cycles.values(); }

  std::unique_ptr<Trace> trace;
  RegionSet regions;
  std::unique_ptr<LaunchSamples> samples;
};

/// Two launches: of two warps, in which "a" is entered three times and holds itself once, and of one.
const char *const kLaunches = "warp 0.0 kernel=\"walk\" gridId=1 ns=100..900 cycles=0..1000\n"
                              "  span \"a\" 0..300\n  span \"a\" 100..200\n  span \"b\" 120..150\n"
                              "warp 0.1 kernel=\"walk\" gridId=1 ns=200..1100 cycles=0..1000\n"
                              "  span \"a\" 0..80\n"
                              "warp 0.0 kernel=\"other\" gridId=2 ns=1200..1300 cycles=0..1000\n"
                              "warp 0.0 kernel=\"walk\" gridId=3 ns=2000..2400 cycles=5000..6000\n"
                              "  span \"a\" 5000..5010\n";

TEST(LaunchSamples, AreMeansOfEntries) {
  const Sampled out(Measure::Mean, kLaunches);
  EXPECT_EQ(out.of(0x21), (std::vector<double>{(300 + 100 + 80) / 3.0, 10}));
  EXPECT_EQ(out.of(0x22), (std::vector<double>{30}));
  EXPECT_EQ(out.kernel().regions.at(out.regions.find(0x21)).visits, 4u);
  EXPECT_EQ(out.kernel().launches, 2u);
  EXPECT_EQ(out.kernel().warps, 3u);
  EXPECT_EQ(out.kernel().durationNs.values(), (std::vector<double>{1000, 400}));
  EXPECT_EQ(std::vector<std::string>(out.samples->others().begin(), out.samples->others().end()), (std::vector<std::string>{"other"}));
}

TEST(LaunchSamples, AreTotalsAndSelfTimesByWarp) {
  EXPECT_EQ(Sampled(Measure::Total, kLaunches).of(0x21), (std::vector<double>{(300 + 80) / 2.0, 10})); // what it holds of itself once
  EXPECT_EQ(Sampled(Measure::Self, kLaunches).of(0x21), (std::vector<double>{(200 + 70 + 80) / 2.0, 10}));
  EXPECT_EQ(Sampled(Measure::Self, kLaunches).of(0x22), (std::vector<double>{15}));
}

/// Sums of 32 bits of a warp that lived too long are no sample; of another "b" lies in "a".
const char *const kSums = "warp 0.0 kernel=\"walk\" gridId=1 ns=0..100 cycles=0..1000\n"
                          "  total \"a\" count=2 cycles=90\n  total \"b\" count=3 cycles=60 around=1\n"
                          "warp 0.0 kernel=\"walk\" gridId=2 ns=1000..4294968296 cycles=2000..4294969296\n"
                          "  total \"a\" count=5 cycles=7\n  total \"b\" count=0 cycles=0 around=1\n";

TEST(LaunchSamples, OfSumsNeedKnownTimes) {
  const Sampled mean(Measure::Mean, kSums), self(Measure::Self, kSums);
  EXPECT_EQ(mean.of(0x21), (std::vector<double>{45}));
  EXPECT_EQ(mean.of(0x22), (std::vector<double>{20}));
  EXPECT_EQ(self.of(0x21), (std::vector<double>{30}));
  EXPECT_EQ(self.of(0x22), (std::vector<double>{60}));
  EXPECT_EQ(mean.kernel().untimed, 5u);
  EXPECT_EQ(mean.kernel().regions.at(mean.regions.find(0x21)).visits, 7u);
  EXPECT_EQ(mean.kernel().launches, 2u);
}

TEST(LaunchSamples, OpenLaunchesAreBounded) {
  std::string warps;
  for (int grid = 1; grid <= 300; ++grid) // each has one warp here
    warps += "warp 0.0 kernel=\"walk\" gridId=" + std::to_string(grid) + " ns=" + std::to_string(1000 * grid) + ".." +
             std::to_string(1000 * grid + grid) + " cycles=0..1000\n";
  for (int grid = 1; grid <= 300; ++grid) // and another one later, when the first 44 are closed
    warps += "warp 0.1 kernel=\"walk\" gridId=" + std::to_string(grid) + " ns=" + std::to_string(1000 * grid) + ".." +
             std::to_string(1000 * grid + grid) + " cycles=0..1000\n";
  const Sampled out(Measure::Mean, warps);
  EXPECT_EQ(out.kernel().warps, 600u);
  EXPECT_GE(out.kernel().launches, 344u);
}

} // namespace
} // namespace kperf::decoder
