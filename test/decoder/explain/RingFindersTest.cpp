// Which side of a ring is found to be late, or whether it is too shallow: each threshold from both sides.
#include "test/decoder/explain/HandmadeFacts.h"

namespace kperf::decoder {
namespace {

using Facts = HandmadeFacts;
using Kind = PathStep::Kind;

/// Consumers wait at an mbarrier for "load", which is 40 % of the path and busy for 80 % of the blocks' lives; its producers wait for free
/// slots for 10 %.
Facts ring() {
  Facts out;
  out.gains(Kind::Region, out.at(0x21), 40);
  WaitSum &wait = out.sync.waits[out.at(0x10)];
  wait = {.count = 100, .waited = 50, .cycles = 1200};
  wait.releasedBy[{false, out.at(0x21)}] = 50;
  out.sync.waits[out.at(0x13)] = {.count = 100, .waited = 10, .unneeded = 4, .cycles = 150, .latency = 50};
  out.kernel.balance.life = 1000;
  out.kernel.balance.rows[out.at(0x21)].longest = 800;
  out.kernel.balance.rows[out.at(0x22)].longest = 300;
  out.kernel.balance.rows[out.at(0x10)].longest = 900;  // waits are not busy
  out.kernel.balance.rows[out.at(0x20)].longest = 1000; // nor is the kernel as a whole
  out.kernel.balance.rows[BlockBalance::kWholeLife].longest = 1000;
  out.region(0x21).probeShare = 3;
  return out;
}

bool isShallow(void (*set)(Facts &)) {
  Facts facts = ring();
  set(facts);
  return facts.one(findLateProducer).rule == "shallow-ring";
}

TEST(LateProducerFinder, TellsAShallowRingFromABusyProducer) {
  Facts facts = ring();
  Explained found = facts.one(findLateProducer);
  EXPECT_EQ(found.rule, "shallow-ring");
  EXPECT_EQ(found.what, "both sides of a ring wait in turn: wait 'await' for region 'load'");
  EXPECT_EQ(found.place, "k.cu:3");
  EXPECT_EQ(found.evidence,
            "50 of 100 entries waited, 12 cycles each; region 'load' is 40.0 % of the critical path; the busiest region takes "
            "80 % of the block's life");
  EXPECT_EQ(found.why, "a slot is free only when the other side has finished the one before: nothing runs ahead");
  EXPECT_EQ(found.remedy, "more slots, so that the producer runs ahead; the consumer releases each as early as it can");
  EXPECT_EQ(found.noise, 3);
  expectGain(found, 5, 15, 20);                  // the 20 % in which nothing is busy
  facts.sync.waits[facts.at(0x13)].cycles = 149; // producers hardly wait
  found = facts.one(findLateProducer);
  EXPECT_EQ(found.rule, "late-producer");
  EXPECT_EQ(found.what, "wait 'await' waits for region 'load'");
  EXPECT_EQ(found.why, "that region is busy all the time: it alone sets the pace");
  EXPECT_EQ(found.remedy, "make region 'load' shorter, start it earlier, or give it more warps");
  expectGain(found, 0, 20, 40);
  facts.gains(Kind::Region, facts.at(0x21), 99);
  expectGain(facts.one(findLateProducer), 0, 49.5, 99);
}

TEST(LateProducerFinder, AShallowRingHasNobodyBusyAndProducersThatWait) {
  EXPECT_TRUE(isShallow([](Facts &it) { it.kernel.balance.rows[it.at(0x21)].longest = 849; }));
  EXPECT_FALSE(isShallow([](Facts &it) { it.kernel.balance.rows[it.at(0x21)].longest = 850; }));
  EXPECT_TRUE(isShallow([](Facts &it) { it.sync.waits.erase(it.at(0x13)); })); // no producer is seen to wait: it is not known
  EXPECT_FALSE(isShallow([](Facts &it) { it.kernel.balance.rows.clear(); }));  // nothing is known to be busy
  EXPECT_FALSE(isShallow([](Facts &it) { it.kernel.balance.life = 0; }));
  EXPECT_FALSE(isShallow([](Facts &it) { it.sync.waits[it.at(0x13)].latency = 200; }));
  Facts nearly = ring();
  nearly.kernel.balance.rows[nearly.at(0x21)].longest = 4;
  nearly.kernel.balance.rows[nearly.at(0x22)].longest = 1;
  expectGain(nearly.one(findLateProducer), 24.9, 74.7, 99.6);
}

/// With three slots in place of one the blocks would take `then` of 1000 cycles.
Facts ringOf(std::uint64_t then, std::size_t rings = 1) {
  Facts out = ring();
  out.sync.rings = {.slots = {{out.at(0x10), {.there = 1, .enough = 3}}}, .rings = rings, .cycles = 1000, .then = then};
  return out;
}

TEST(LateProducerFinder, SaysHowManySlotsAreEnough) {
  const Explained found = ringOf(880).one(findLateProducer);
  EXPECT_EQ(found.remedy, "3 slots in place of 1, so that the producer runs ahead; the consumer releases each as early as it can");
  expectGain(found, 5, 12, 20);
  expectGain(ringOf(970).one(findLateProducer), 5, 5, 20); // within the interval
  expectGain(ringOf(700).one(findLateProducer), 5, 20, 20);
  EXPECT_EQ(ringOf(880, 2).one(findLateProducer).remedy,
            "3 slots in place of 1 (the block's 2 rings together), so that the producer runs ahead; the consumer releases each as early as "
            "it can");
  EXPECT_EQ(ringOf(980).one(findLateProducer).rule, "shallow-ring");
  EXPECT_EQ(ringOf(981).one(findLateProducer).rule, "late-producer"); // slots are not what is missing
  Facts elsewhere = ringOf(981);
  elsewhere.sync.rings.slots = {{elsewhere.at(0x11), {.there = 1, .enough = 3}}};
  EXPECT_EQ(elsewhere.one(findLateProducer).rule, "shallow-ring"); // nothing is known of this one
}

TEST(LateProducerFinder, NeedsAQuarterOfTheEntriesAndTwoPercent) {
  EXPECT_TRUE(finds(ring, findLateProducer, [](Facts &it) { it.sync.waits[it.at(0x10)].waited = 25; }));
  EXPECT_FALSE(finds(ring, findLateProducer, [](Facts &it) { it.sync.waits[it.at(0x10)].waited = 24; }));
  EXPECT_TRUE(finds(ring, findLateProducer, [](Facts &it) { it.gains(Kind::Region, it.at(0x21), 2); }));
  EXPECT_FALSE(finds(ring, findLateProducer, [](Facts &it) { it.gains(Kind::Region, it.at(0x21), 1); }));
  EXPECT_FALSE(finds(ring, findLateProducer, [](Facts &it) { it.hasWaits = false; }));
  EXPECT_FALSE(finds(ring, findLateProducer, [](Facts &it) { it.sync.waits[it.at(0x10)].releasedBy.clear(); }));
  EXPECT_FALSE(finds(ring, findLateProducer, [](Facts &it) { it.sync.waits[it.at(0x10)].unneeded = 1; })); // a producer's
  EXPECT_FALSE(finds(ring, findLateProducer, [](Facts &it) { // asynchronous work is ExposedCopyFinder's
    it.sync.waits[it.at(0x10)].releasedBy = {{{true, it.at(0x21)}, 50}};
  }));
  EXPECT_TRUE(finds(ring, findLateProducer, [](Facts &it) { it.sync.waits[it.at(0x10)].releasedBy[{true, it.at(0x22)}] = 49; }));
  EXPECT_FALSE(finds(ring, findLateProducer, [](Facts &it) { it.sync.waits[it.at(0x10)].releasedBy[{true, it.at(0x22)}] = 51; }));
}

/// Where the producer's wait is in an if, no entry of it passes for a slot's first use: whose it is the ring says.
TEST(LateProducerFinder, OfOneRingIsOneFinding) {
  Facts facts = ringOf(880);
  EXPECT_EQ(facts.all(findLateProducer).size(), 1u);
  facts.sync.rings.asks = {facts.at(0x10)};
  EXPECT_TRUE(facts.all(findLateProducer).empty());
}

TEST(LateProducerFinder, TheWholeKernelIsNoProducer) {
  Facts facts;
  auto bytes = packText(R"(kperf 1.14
region 0x10 wait "await" operation=await object=shared-barrier file="k.cu" line=13
region 0x20 kernel "walk" function="walk" file="k.cu" line=1 endLine=30
region 0x21 automatic "walk:1" function="walk" file="k.cu" line=1 endLine=30
region 0x22 automatic "for:2" function="walk" file="k.cu" line=2 endLine=30
)",
                        "text");
  ASSERT_TRUE(bytes) << bytes.error().text();
  const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  ASSERT_TRUE(trace) << trace.error().text();
  facts.program.regions = std::make_shared<RegionSet>();
  facts.program.regions->add(*trace);
  const auto remedyFor = [&](std::uint32_t id) {
    facts.gains(Kind::Region, facts.at(id), 40);
    facts.sync.waits[facts.at(0x10)] = {.count = 100, .waited = 50, .cycles = 1200};
    facts.sync.waits[facts.at(0x10)].releasedBy[{false, facts.at(id)}] = 50;
    const Explained found = facts.one(findLateProducer);
    return found.what + ": " + found.remedy;
  };
  EXPECT_EQ(
      remedyFor(0x21),
      "wait 'await' waits for code in no region but that of the whole kernel: put regions around what the producer does (KPERF_SCOPE, "
      "kperf-cc --auto=loops), and make the one that it is in longest shorter, start it earlier, or give it more warps");
  EXPECT_EQ(remedyFor(0x22), "wait 'await' waits for region 'for:2': make region 'for:2' shorter, start it earlier, or give it more warps");
}

TEST(LateProducerFinder, CodeOutsideOfRegionsMayBeLateToo) {
  Facts facts = ring();
  facts.sync.waits[facts.at(0x10)].releasedBy = {{{false, RegionSet::kNone}, 50}};
  EXPECT_TRUE(facts.all(findLateProducer).empty());
  facts.gains(Kind::NoRegion, RegionSet::kNone, 30);
  const Explained found = facts.one(findLateProducer);
  EXPECT_EQ(found.what, "both sides of a ring wait in turn: wait 'await' for code outside of all regions");
  EXPECT_NE(found.evidence.find("code outside of all regions is 30.0 %"), std::string::npos);
}

} // namespace
} // namespace kperf::decoder
