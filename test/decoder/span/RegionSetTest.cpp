// Regions by their ids, and what tells regions and kernels of one name apart.
#include "decoder/span/KernelName.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {
namespace {

using Texts = std::vector<std::string>;

Trace traceOfLines(const std::string &lines, const std::string &head = "kperf 1.18") {
  auto bytes = packText(head + "\n" + lines, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  return std::move(*trace);
}

RegionSet regionsOf(const std::string &lines, const std::string &head = "kperf 1.18") {
  RegionSet regions;
  regions.add(traceOfLines(lines, head));
  return regions;
}

TEST(RegionSet, FindsRegionsByEachByteOfTheirIds) {
  const RegionSet regions = regionsOf("region 0x010203 kernel \"a\"\nregion 0x010204 scope \"b\"\nregion 0x010303 scope \"c\"\n"
                                      "region 0x020203 scope \"d\"\nregion 0xffffff scope \"e\"\n");
  ASSERT_EQ(regions.size(), 5u);
  EXPECT_EQ(regions.find(0x010203), 0u);
  EXPECT_EQ(regions.find(0x010204), 1u);
  EXPECT_EQ(regions.find(0x010303), 2u);
  EXPECT_EQ(regions.find(0x020203), 3u);
  EXPECT_EQ(regions.find(0xffffff), 4u);
  for (const std::uint32_t id : {0x010202u, 0x010205u, 0x010403u, 0x030203u, 0x000203u})
    EXPECT_EQ(regions.find(id), RegionSet::kNone) << id;
}

TEST(RegionSet, OfSeveralTracesEachRegionIsThereOnce) {
  RegionSet regions = regionsOf("region 0x11 kernel \"k\" function=\"k\"\nregion 0x12 scope \"a\"\nregion 0x13 scope \"b\"\n");
  regions.add(traceOfLines("region 0x11 kernel \"k\" function=\"k\"\nregion 0x12 scope \"a\" next=0x13\nregion 0x14 scope \"c\"\n"));
  EXPECT_EQ(regions.size(), 4u);
  EXPECT_EQ(regions.conflicts(), 0u);
  EXPECT_EQ(regions[1].next, 0x13u); // as the build says whose regions share records
  EXPECT_EQ(regions.seconds()[1], 0);
  EXPECT_EQ(regions.seconds()[2], 1);
  regions.add(traceOfLines("region 0x12 scope \"a\" next=0x14\n"));
  EXPECT_EQ(regions[1].next, 0x13u); // the first that says it
  for (const char *other : {"region 0x11 scope \"k\" function=\"k\"\n", "region 0x11 kernel \"l\" function=\"k\"\n",
                            "region 0x11 kernel \"k\" function=\"l\"\n"}) {
    const std::uint64_t before = regions.conflicts();
    regions.add(traceOfLines(other));
    EXPECT_EQ(regions.conflicts(), before + 1) << other;
  }
  EXPECT_EQ(regions.size(), 4u);
}

TEST(RegionSet, NamesThatSeveralHaveGetTheirPlaces) {
  const RegionSet regions = regionsOf("region 0x11 scope \"load\" file=\"a/k.cu\" line=8 column=3\n"
                                      "region 0x12 scope \"load\" file=\"a/k.cu\" line=9 column=3\n"
                                      "region 0x13 scope \"store\" file=\"a/k.cu\" line=8 column=9\n"
                                      "region 0x14 scope \"load\" file=\"a/k.cu\" line=8 column=20\n"
                                      "region 0x15 scope \"bare\"\nregion 0x16 scope \"bare\"\n");
  const auto names = [&](std::vector<std::uint32_t> indices) { return regions.distinctNames(indices, "other"); };
  EXPECT_EQ(names({0, 2}), (Texts{"load", "store"}));
  EXPECT_EQ(names({0, 1, 2}), (Texts{"load (k.cu:8)", "load (k.cu:9)", "store"}));
  EXPECT_EQ(names({0, 1, 3}), (Texts{"load (k.cu:8:3)", "load (k.cu:9:3)", "load (k.cu:8:20)"}));
  EXPECT_EQ(names({0, 0}), (Texts{"load", "load"})); // one region
  EXPECT_EQ(names({4, 5}), (Texts{"bare", "bare"})); // nobody knows where
  EXPECT_EQ(names({6, RegionSet::kNone, 2}), (Texts{"other", "other", "store"}));
}

TEST(RegionSet, KnowsWhatItsWaitsAndSignalsAre) {
  const RegionSet none = regionsOf("region 0x11 kernel \"k\"\n");
  EXPECT_FALSE(none.hasWaits() || none.hasRemoteArrivals() || none.hasUnnumberedArrivals());
  EXPECT_TRUE(regionsOf("region 0x11 wait \"w\" operation=barrier object=block-barrier\n").hasWaits());
  EXPECT_FALSE(regionsOf("region 0x11 signal \"s\" operation=arrive object=shared-barrier\n").hasWaits());
  EXPECT_TRUE(regionsOf("region 0x11 signal \"s\" operation=arrive object=remote-barrier\n").hasRemoteArrivals());
  const auto unnumbered = [](const std::string &words) { return regionsOf("region 0x11 " + words + "\n").hasUnnumberedArrivals(); };
  EXPECT_TRUE(unnumbered("signal \"s\" operation=arrive object=some-block-barrier"));
  EXPECT_FALSE(unnumbered("signal \"s\" operation=arrive object=block-barrier"));
  EXPECT_FALSE(unnumbered("wait \"s\" operation=barrier object=some-block-barrier"));
  const RegionSet group = regionsOf("region 0x11 wait \"w\" operation=commit-await object=copy-group\nregion 0x12 wait \"v\"\n");
  EXPECT_EQ(group[0].work(), "group before w");
  EXPECT_EQ(group[1].work(), "v");
}

TEST(RegionSet, AnAddressMaySayThatItIsOfTheCluster) {
  const std::string lines = "region 0x11 wait \"w\" operation=await object=shared-barrier\n"
                            "region 0x12 wait \"v\" operation=await object=pipeline-slot\n"
                            "region 0x13 wait \"u\" operation=barrier object=block-barrier\n";
  const RegionSet gpu = regionsOf(lines, "kperf 1.18 target=cuda"), host = regionsOf(lines, "kperf 1.18 target=host");
  EXPECT_EQ(gpu.objectIn(0, 0x101), 0x100u);
  EXPECT_EQ(gpu.objectIn(0, 0x108), 0x108u);
  EXPECT_EQ(gpu.objectIn(1, 0x101), 0x100u);
  EXPECT_EQ(gpu.objectIn(2, 1), 1u);          // a number
  EXPECT_EQ(gpu.objectIn(0, ~0u), ~0u);       // not known
  EXPECT_EQ(host.objectIn(0, 0x101), 0x101u); // numbers, too
  EXPECT_EQ(gpu.expectedUnit(), 8u);
  EXPECT_EQ(host.expectedUnit(), 1u);
}

TEST(RegionSet, ItsWarpsHaveTheLanesOfTheDevice) {
  EXPECT_EQ(regionsOf("").lanes(), 32u);
  EXPECT_EQ(regionsOf("device 0 lanes=64\n").lanes(), 64u);
  EXPECT_EQ(regionsOf("device 0 lanes=0\n").lanes(), 1u);
}

TEST(KernelName, IsThatOfTheInstanceAndWhatTellsItApart) {
  const std::string lines = "region 0x30 kernel \"k\" function=\"k\" file=\"b.cu\" line=1\n"
                            "region 0x20 kernel \"k\" function=\"k\" file=\"a.cu\" line=1\n"
                            "region 0x21 scope \"k\" function=\"k\" file=\"a.cu\" line=2\n"
                            "region 0x40 kernel \"m\"\n"
                            "warp 0.0 kernel=0x30 name=\"k<1>\"\n";
  const Trace trace = traceOfLines(lines);
  RegionSet regions;
  regions.add(trace);
  const auto nameOf = [&](std::uint32_t kernel, const std::string &name = "") {
    format::WarpHeader warp{};
    warp.kernel = kernel;
    warp.nameAddress = name.empty() ? 0 : trace.strings().find(name + '\0');
    return kernelNameOf(trace, regions, warp);
  };
  EXPECT_EQ(nameOf(0x30).name, "k (b.cu)");
  EXPECT_EQ(nameOf(0x30, "k<1>").name, "k<1> (b.cu)");
  EXPECT_EQ(nameOf(0x30, "k<1>").plain, "k");
  EXPECT_EQ(nameOf(0x20).name, "k (a.cu)");
  EXPECT_EQ(nameOf(0x40).name, "m");
  EXPECT_EQ(nameOf(0x40).region, 3u);
  EXPECT_EQ(nameOf(0x41).name, "kernel 0x41");
  EXPECT_EQ(nameOf(0x41).region, RegionSet::kNone);
  EXPECT_EQ(nameOf(0x21).name, "k"); // a damaged warp's: it is no kernel
}

TEST(KernelName, OfWhichNothingTellsThemApartAreNumberedByTheirIds) {
  const RegionSet regions = regionsOf("region 0x30 kernel \"k\"\nregion 0x20 kernel \"k\"\nregion 0x25 kernel \"k\"\n");
  EXPECT_EQ(distinguishingLabel(regions, 0), " #3");
  EXPECT_EQ(distinguishingLabel(regions, 1), " #1");
  EXPECT_EQ(distinguishingLabel(regions, 2), " #2");
}

TEST(KernelName, IsMeantByWhatPeopleCallIt) {
  const std::string name = "void ns::turn(T*, int) [with T = ns::half; int N = 8]";
  for (const char *pattern : {"", "void ns::turn*", "ns::turn", "turn", "t?rn", "turn [T = half; int N = 8]", "ns::turn<ns::half,8>",
                              "ns::turn<ns::half, 8>", "turn<ns::half, 8>", "turn<*, 8>"})
    EXPECT_TRUE(isMeant(pattern, name, "ns::turn")) << pattern;
  for (const char *pattern : {"tur", "urn", "ns::", "turn<half,8>", "turn<ns::half,9>", ":turn"})
    EXPECT_FALSE(isMeant(pattern, name, "ns::turn")) << pattern;
  EXPECT_TRUE(isFunctionMeant("gemm", "ns::gemm [N=4 T=float]"));
  EXPECT_TRUE(isFunctionMeant("ns::gemm", "ns::gemm [N=4]"));
  EXPECT_FALSE(isFunctionMeant("*N=4*", "ns::gemm [N=4]"));
}

} // namespace
} // namespace kperf::decoder
