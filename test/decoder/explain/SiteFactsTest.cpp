// What wasted accesses come to in a kernel, by hand: shares of its passes, and the times that these take at the hardware's rates.
#include "decoder/explain/SiteFacts.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

const std::string kHead = R"x(kperf 1.15
device 0 name="GPU" architecture="sm_90" multiprocessors=10 lanes=32 khz=500000
limits warps=64 memory-bytes-per-second=100000000000 l2=1000
launch "walk(int)" grid=1x1x1 block=32x1x1
region 0x20 kernel "walk" function="walk" file="dir/k.cu" line=1
region 0x21 scope "a" function="walk" file="dir/k.cu" line=2
region 0x22 scope "b" function="helper" file="dir/k.cu" line=3
region 0x30 kernel "other" function="other" file="dir/k.cu" line=30
)x";

/// walk takes 10 µs, 5000 cycles, of which 1500 in "a" and 1000 in "b"; other takes `other` ns.
std::string times(int other = 0) {
  std::string out = "warps\nwarp 0.0 kernel=\"walk\" gridId=1 ns=0..10000 cycles=0..5000\n  span \"a\" 0..1500\n  span \"b\" 2000..3000\n";
  if (other > 0)
    out += "warp 0.0 kernel=\"other\" gridId=2 ns=20000.." + std::to_string(20000 + other) + " cycles=10000..15000\n";
  return out;
}

std::string site(const std::string &id, const std::string &kind, const std::string &region, const std::string &function,
                 const std::string &counters) {
  return "site " + id + " " + kind + " \"in[i]\"" + (region.empty() ? "" : " region=" + region) + " function=\"" + function +
         "\" file=\"dir/k.cu\" line=5 column=1 width=4 bytes=4\ncounters " + id + " " + counters + "\n";
}

/// 10 loads whose lanes are 128 bytes apart: 320 sectors for 40.
const std::string kStrided =
    "accesses=10 lanes=320 bytes=1280 distinct-bytes=1280 sectors=320 min-sectors=40 lines=320 min-lines=10 strided=10 "
    "stride-bytes=1280";
/// 10 accesses of shared memory with two-way conflicts: 20 wavefronts for 10.
const std::string kConflicts =
    "shared-accesses=10 shared-lanes=320 shared-bytes=1280 wavefronts=20 min-wavefronts=10 shared-serial-lanes=10";
/// 10 accesses that waste nothing: 40 sectors.
const std::string kFine = "accesses=10 lanes=320 bytes=1280 distinct-bytes=1280 sectors=40 min-sectors=40 lines=10 min-lines=10 unit=10";

struct Sites {
  Sites(const std::string &sites, const std::string &timesText = times(), const std::string &head = kHead, const std::string &kernel = "") {
    for (const std::string &text : {head + timesText, head + sites}) {
      auto bytes = packText(text, "text");
      EXPECT_TRUE(bytes) << bytes.error().text();
      auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
      EXPECT_TRUE(trace) << trace.error().text();
      traces.push_back(std::move(*trace));
    }
    auto out = readFacts(traces, kernel);
    EXPECT_TRUE(out) << out.error().text();
    facts = std::move(*out);
  }
  const AccessFacts &of(std::size_t kernel = 0) const { return facts.kernels.at(kernel).accesses; }
  const SiteFacts &first() const { return of().sites.at(0); }
  std::vector<Trace> traces;
  ProgramFacts facts;
};

TEST(SiteFacts, AreSharesOfAllPassesAndOfTheUnits) {
  const Sites read(site("0xb1", "load", "a", "walk", kStrided) + site("0xb2", "load", "a", "walk", kConflicts) +
                   site("0xb3", "load", "a", "walk", kFine));
  ASSERT_EQ(read.of().sites.size(), 2u);
  const SiteFacts &strided = read.first(), &conflicts = read.of().sites[1];
  EXPECT_EQ(strided.access, "in[i]");
  EXPECT_EQ(strided.place, "dir/k.cu:5");
  EXPECT_EQ(strided.function, "walk");
  EXPECT_NEAR(strided.ofTraffic, 100 * 280 / 380.0, 1e-9); // of 360 sectors and 20 wavefronts
  EXPECT_NEAR(strided.ofUnit, 100 * 280 / 360.0, 1e-9);
  EXPECT_NEAR(conflicts.ofTraffic, 100 * 10 / 380.0, 1e-9);
  EXPECT_NEAR(conflicts.ofUnit, 50, 1e-9);
  EXPECT_EQ(strided.elsewhere, 20); // b's thousand cycles
  // An SM gets two sectors a cycle of 2 ns: of ten of them 280 take 28 ns; a wavefront takes a cycle: 10 take 2 ns.
  EXPECT_NEAR(strided.unitTime, 28, 1e-9);
  EXPECT_NEAR(conflicts.unitTime, 2, 1e-9);
  EXPECT_NEAR(strided.memoryTime, 280 * 32 / 100.0, 1e-9); // of 100 bytes a ns
  EXPECT_EQ(conflicts.memoryTime, 0);
  const TrafficFacts &traffic = *read.of().traffic;
  EXPECT_EQ(traffic.reads, 20);
  EXPECT_EQ(traffic.shared, 10);
  EXPECT_EQ(traffic.bytes, 360 * 32);
  EXPECT_EQ(traffic.ofRegion, 360 * 32);
  EXPECT_EQ(traffic.region, read.facts.regions->find(0x21));
}

TEST(SiteFacts, TheRegionOfTrafficIsTheOneThatMovesMost) {
  const Sites read(site("0xb1", "load", "b", "helper", kStrided) + site("0xb2", "load", "a", "walk", kFine));
  EXPECT_EQ(read.of().traffic->region, read.facts.regions->find(0x22));
  EXPECT_EQ(read.of().traffic->ofRegion, 320 * 32);
  EXPECT_EQ(read.first().elsewhere, 30); // a's
}

TEST(SiteFacts, AreOfTheKernelWhoseFunctionHoldsThem) {
  std::string instance = times(20000); // the other kernel takes more time
  instance.replace(instance.find("kernel=\"walk\""), 13, "kernel=\"walk\" name=\"walk<float>\"");
  for (const std::string &timesText : {times(20000), instance}) {
    const Sites read(site("0xb1", "load", "", "walk", kStrided) + site("0xb2", "load", "", "helper", kStrided), timesText);
    EXPECT_EQ(read.facts.kernels.at(0).name, "other");
    ASSERT_EQ(read.of(0).sites.size(), 1u); // of no kernel's function, and in no region: the longest's
    EXPECT_EQ(read.of(0).sites[0].function, "helper");
    ASSERT_EQ(read.of(1).sites.size(), 1u);
    EXPECT_EQ(read.of(1).sites[0].function, "walk");
  }
}

TEST(SiteFacts, StoresReadNothingAndUpdatesOnce) {
  EXPECT_EQ(Sites(site("0xb1", "store", "a", "walk", kFine)).of().traffic->reads, 0);
  EXPECT_EQ(Sites(site("0xb1", "update", "a", "walk", kFine)).of().traffic->reads, 10); // whose accesses are counted as two each
  EXPECT_EQ(Sites(site("0xb1", "atomic", "a", "walk", kFine)).of().traffic->reads, 10);
}

TEST(SiteFacts, AtomicsTakeTurns) {
  // 10 atomics with 320 lanes in 80 turns: 70 could be saved of 80, and of 40 sectors and those turns.
  const Sites read(site("0xb1", "atomic", "a", "walk", kFine + " serial-lanes=80"));
  ASSERT_EQ(read.of().sites.size(), 1u);
  EXPECT_NEAR(read.first().ofUnit, 87.5, 1e-9);
  EXPECT_NEAR(read.first().ofTraffic, 100 * 70 / 120.0, 1e-9);
  EXPECT_EQ(read.first().unitTime, 0); // at no rate that is known
  EXPECT_EQ(read.first().memoryTime, 0);
  const Sites shared(site("0xb1", "atomic", "a", "walk",
                          "shared-accesses=10 shared-lanes=320 shared-bytes=1280 wavefronts=10 min-wavefronts=10 "
                          "shared-serial-lanes=80"));
  EXPECT_NEAR(shared.first().ofUnit, 87.5, 1e-9);
}

TEST(SiteFacts, NoUnitIsBusyForLongerThanTheKernel) {
  // 10 kernels of 100 ns would have to move 360 sectors each in 36 ns: of a kernel of 18 ns half is counted.
  const std::string quick = "warps\nwarp 0.0 kernel=\"walk\" gridId=1 ns=0..10000 cycles=0..5000\n";
  const std::string many =
      "accesses=100000 lanes=3200000 bytes=12800000 distinct-bytes=12800000 sectors=200000 min-sectors=100000 lines=3200000 "
      "min-lines=100000 strided=100000 stride-bytes=12800000";
  const Sites read(site("0xb1", "load", "", "walk", many), quick);
  // 200000 sectors at 0.1 ns each are 20 µs, in 10: of the half that is wasted 5.
  EXPECT_NEAR(read.first().unitTime, 5000, 1e-6);
  // They are 6.4 MB, and memory moves 1 MB meanwhile: caches hold them.
  EXPECT_EQ(read.first().memoryTime, 0);
  const auto memoryTime = [&](int sectors) {
    const std::string counters = "accesses=2000 lanes=64000 bytes=256000 distinct-bytes=256000 sectors=" + std::to_string(sectors) +
                                 " min-sectors=8000 lines=64000 min-lines=2000 strided=2000 stride-bytes=256000";
    return Sites(site("0xb1", "load", "", "walk", counters), quick).first().memoryTime;
  };
  EXPECT_NEAR(memoryTime(34375), (34375 - 8000) * 32 / 100.0, 1e-6); // 1.1 MB, a tenth more than it moves
  EXPECT_EQ(memoryTime(34376), 0);
}

TEST(SiteFacts, SitesAreOfTheirKernelOrOfTheOneOfMostTime) {
  const Sites own(site("0xb1", "load", "", "walk", kStrided), times(20000)); // other takes longer
  ASSERT_EQ(own.facts.kernels[1].name, "walk");
  EXPECT_EQ(own.of(1).sites.size(), 1u);
  const Sites entered(site("0xb1", "load", "b", "helper", kStrided), times(20000));
  EXPECT_EQ(entered.of(1).sites.size(), 1u);
  const Sites nobodys(site("0xb1", "load", "", "helper", kStrided), times(20000));
  ASSERT_EQ(nobodys.facts.kernels[0].name, "other");
  EXPECT_EQ(nobodys.of(0).sites.size(), 1u);
  EXPECT_EQ(nobodys.of(1).sites.size(), 0u);
  const Sites shorter(site("0xb1", "load", "", "helper", kStrided), times(5000));
  ASSERT_EQ(shorter.facts.kernels[0].name, "walk");
  EXPECT_EQ(shorter.of(0).sites.size(), 1u);
}

TEST(SiteFacts, OtherLaunchesAreScaledWhereTheyAreOfOneSize) {
  const auto timed = [](int launches) {
    std::string out = "warps\n";
    for (int i = 0; i < launches; ++i)
      out += "warp 0.0 kernel=\"walk\" gridId=" + std::to_string(i + 1) + " ns=" + std::to_string(20000 * i) + ".." +
             std::to_string(20000 * i + 10000) + " cycles=" + std::to_string(10000 * i) + ".." + std::to_string(10000 * i + 5000) + "\n";
    return out;
  };
  std::string head = kHead;
  const Sites two(site("0xb1", "load", "", "walk", kStrided), timed(2),
                  head.replace(head.find("launch"), 0, "launch \"walk(int)\" grid=1x1x1 block=32x1x1 flags=0x2\n"));
  EXPECT_EQ(two.of().scale, 2); // one was counted, and one captured
  EXPECT_NEAR(two.first().unitTime, 56, 1e-9);
  EXPECT_EQ(two.of().traffic->bytes, 2 * 320 * 32);
  // Four launches were counted and timed, and two of these found no room: what the others moved took the time that is known.
  std::string four = kHead;
  for (int i = 0; i < 3; ++i)
    four.replace(four.find("launch"), 0, "launch \"walk(int)\" grid=1x1x1 block=32x1x1\n");
  const Sites lost(site("0xb1", "load", "", "walk", kStrided), timed(2), four);
  EXPECT_EQ(lost.of().scale, 0.5);
  EXPECT_EQ(lost.of().traffic->bytes, 320 * 32 / 2);
  std::string larger = kHead;
  larger.replace(larger.find("grid=1x1x1"), 10, "grid=2x1x1");
  const Sites other(site("0xb1", "load", "", "walk", kStrided), timed(2), larger);
  EXPECT_FALSE(other.of().scale);
  EXPECT_FALSE(other.of().traffic);
  EXPECT_EQ(other.first().unitTime, 0);
  EXPECT_EQ(other.first().memoryTime, 0);
}

TEST(SiteFacts, OfSeveralInstancesNobodyKnowsWhichPartIsWhose) {
  const std::string both = "warps\nwarp 0.0 kernel=\"walk\" name=\"walk<a>\" gridId=1 ns=0..10000 cycles=0..5000\n"
                           "warp 0.0 kernel=\"walk\" name=\"walk<b>\" gridId=2 ns=20000..29000 cycles=10000..14500\n";
  std::string head = kHead;
  head.replace(head.find("launch"), 0, "launch \"walk(int)\" grid=1x1x1 block=32x1x1\n");
  for (const char *kernel : {"", "walk<a>", "walk<b>"}) {
    const Sites read(site("0xb1", "load", "", "walk", kStrided), both, head, kernel);
    EXPECT_FALSE(read.of().scale) << kernel;
    EXPECT_FALSE(read.of().traffic) << kernel;
    EXPECT_EQ(read.of().kernels, 2u) << kernel; // counted, if one is left out or not
    for (std::size_t i = 0; i < read.facts.kernels.size(); ++i) {
      ASSERT_EQ(read.of(i).sites.size(), 1u) << kernel;
      EXPECT_EQ(read.of(i).sites[0].ofUnit, 87.5) << kernel;
      EXPECT_EQ(read.of(i).sites[0].kernels, 2u) << kernel;
      EXPECT_FALSE(read.of(i).sites[0].isGuess) << kernel;
    }
  }
  EXPECT_EQ(Sites(site("0xb1", "load", "", "walk", kStrided), both, head).facts.kernels.size(), 2u);
}

TEST(SiteFacts, OfAFunctionsRegionAllKernelsThatEnterItAre) {
  const std::string both = times(5000) + "  span \"b\" 10000..11000\n";
  const Sites read(site("0xb1", "load", "b", "helper", kStrided) + site("0xb2", "load", "", "other", kStrided), both);
  ASSERT_EQ(read.of(0).sites.size(), 1u);
  EXPECT_EQ(read.of(0).sites[0].kernels, 2u);
  ASSERT_EQ(read.of(1).sites.size(), 2u);
  EXPECT_EQ(read.of(1).sites[0].kernels + read.of(1).sites[1].kernels, 3u); // and its own
  EXPECT_FALSE(read.of(0).scale || read.of(1).scale);
}

TEST(SiteFacts, OfKernelsOfOneNameTheFileTells) {
  std::string head = kHead;
  for (std::size_t at = head.find("\"other\""); at != std::string::npos; at = head.find("\"other\"", at))
    head.replace(at, 7, "\"walk\"");
  head.replace(head.find("dir/k.cu\" line=30"), 8, "dir/x.cu");
  std::string both = times(5000);
  both.replace(both.find("\"walk\""), 6, "0x20");
  both.replace(both.find("\"other\""), 7, "0x30");
  std::string sites = site("0xb1", "load", "", "walk", kStrided) + site("0xb2", "load", "", "walk", kConflicts);
  sites.replace(sites.rfind("dir/k.cu"), 8, "dir/x.cu");
  const Sites read(sites, both, head);
  ASSERT_EQ(read.facts.kernels.size(), 2u);
  EXPECT_EQ(read.facts.kernels[0].name, "walk (k.cu)");
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(read.of(i).sites.size(), 1u);
    EXPECT_STREQ(read.of(i).sites[0].fault.rule, i == 0 ? "strided-access" : "bank-conflict");
  }
}

TEST(SiteFacts, KernelsWithoutRegionsAreOne) {
  const std::string unnamed = kHead.substr(0, kHead.find("launch")), one = kHead.substr(0, kHead.find("region"));
  const auto name = [](const std::string &sites, const std::string &head) { return Sites(sites, "", head).facts.kernels.at(0).name; };
  const std::string walk = site("0xb1", "load", "", "walk", kStrided), run = site("0xb2", "load", "", "run", kFine);
  EXPECT_EQ(name(walk + run, one), "walk"); // the only one that was launched: it calls "run"
  EXPECT_EQ(name(run, one), "walk");
  EXPECT_EQ(name(walk + run, one + "launch \"jump(int)\" grid=1x1x1 block=32x1x1\n"), "(jump, walk)");
  EXPECT_EQ(name(walk, unnamed), "walk");
  EXPECT_EQ(name(walk + site("0xb2", "load", "", "walk", kFine), unnamed), "walk");
  EXPECT_EQ(name(walk + run, unnamed), "(unnamed: accesses in run, walk)");
}

TEST(SiteFacts, OfAFunctionThatSeveralMayCallTheOwnerIsAGuess) {
  const std::string sites = site("0x42", "load", "", "shared", kStrided);
  const Sites alone(sites);
  ASSERT_EQ(alone.of().sites.size(), 1u);
  EXPECT_FALSE(alone.of().sites[0].isGuess);
  const Sites two(sites + site("0x41", "load", "", "other", kStrided), times(5000)); // walk takes longer
  ASSERT_EQ(two.of(0).sites.size(), 1u);
  EXPECT_TRUE(two.of(0).sites[0].isGuess);
  ASSERT_EQ(two.of(1).sites.size(), 1u);
  EXPECT_FALSE(two.of(1).sites[0].isGuess); // its own
}

TEST(SiteFacts, AccessesOfAnotherSourceAreNoKernelsHere) {
  std::vector<Trace> traces;
  std::string other = kHead;
  for (std::size_t at = other.find("dir/k.cu"); at != std::string::npos; at = other.find("dir/k.cu"))
    other.replace(at, 8, "dir/x.cu");
  other.replace(0, std::string("kperf 1.15").size(), "kperf 1.15 build=0x2");
  for (const std::string &text : {kHead + times(), other + site("0x41", "load", "0x21", "walk", kStrided)}) {
    auto trace = Trace::read(ByteSource::memory(*packText(text, "text")));
    ASSERT_TRUE(trace);
    traces.push_back(std::move(*trace));
  }
  const auto facts = readFacts(traces, "");
  ASSERT_FALSE(facts);
  EXPECT_TRUE(facts.error().message.starts_with("its regions are not those of")) << facts.error().text();
}

} // namespace
} // namespace kperf::decoder
