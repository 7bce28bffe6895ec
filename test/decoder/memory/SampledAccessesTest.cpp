// Intervals of counters of memory accesses against the truth: hundreds of seeded kernels of each kind.
#include "decoder/memory/SampledAccesses.h"
#include "test/decoder/Random.h"

#include <kperf/rules/BlockSample.h>

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace kperf::decoder {
namespace {

using Sectors = std::function<std::uint64_t(std::mt19937_64 &, std::uint32_t block)>;

double uniform(std::mt19937_64 &random) { return drawUniform(random, 1e-9, 1); }

struct Outcome {
  unsigned stated = 0, wrong = 0;
};

constexpr unsigned kKernels = 400, kMaxWrong = kKernels / 20;

/// What is stated of kernels whose blocks touch `sectorsOf` them, in groups as the runtime makes them.
Outcome outcomeOf(const Sectors &sectorsOf, std::uint32_t blocks, std::uint32_t oneIn) {
  constexpr std::uint16_t kGroups = 64;
  Outcome out;
  for (unsigned kernel = 1; kernel <= kKernels; ++kernel) {
    std::mt19937_64 random(kernel * 1000003u + blocks);
    std::vector<format::SiteCounterRecord> rows(kGroups, {1, 0, oneIn, 0, kGroups, {}});
    double truth = 0, estimate = 0;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      const std::uint64_t sectors = sectorsOf(random, block);
      truth += static_cast<double>(sectors);
      if (!detail::isSampledBlock(kernel, block, oneIn))
        continue;
      estimate += static_cast<double>(sectors) * oneIn;
      rows[detail::blockGroup(kernel, block) % kGroups].counts[format::kSectors] += sectors;
    }
    SampledAccesses sampled;
    for (std::uint16_t group = 0; group < kGroups; ++group) {
      rows[group].group = static_cast<std::uint16_t>(group + 1);
      sampled.add(rows[group], format::kSectors, 1);
    }
    const auto error = sampled.error();
    out.stated += error.has_value();
    out.wrong += error && std::abs(estimate - truth) > *error;
    EXPECT_TRUE(!error || *error > 0);
  }
  return out;
}

std::uint64_t whole(double sectors) { return static_cast<std::uint64_t>(std::min(sectors, 1e15)); }
double normal(std::mt19937_64 &random) { return drawNormal(random); }

const std::vector<std::pair<const char *, Sectors>> kMild = {
    {"noise", [](auto &random, auto) { return whole(1000 + 20 * normal(random)); }},
    {"spread", [](auto &random, auto) { return 100 + random() % 200; }},
    {"even", [](auto &random, auto) { return whole(1000 * uniform(random)); }},
    {"periodic", [](auto &, auto block) { return 20 + block % 16 * 20; }},
    {"period of the groups", [](auto &, auto block) { return 20 + block % 64; }},
    {"triangle", [](auto &, auto block) { return 100 + block; }}};

const std::vector<std::pair<const char *, Sectors>> kTailed = {
    {"half", [](auto &, auto block) { return block % 2 ? 100 : 0; }},
    {"exponential", [](auto &random, auto) { return whole(-100 * std::log(uniform(random))); }},
    {"lognormal 1", [](auto &random, auto) { return whole(100 * std::exp(normal(random))); }},
    {"lognormal 2", [](auto &random, auto) { return whole(100 * std::exp(2 * normal(random))); }},
    {"Pareto 3", [](auto &random, auto) { return whole(100 * std::pow(uniform(random), -1 / 3.0)); }},
    {"Pareto 1.5", [](auto &random, auto) { return whole(100 * std::pow(uniform(random), -1 / 1.5)); }},
    {"Pareto 1.1", [](auto &random, auto) { return whole(100 * std::pow(uniform(random), -1 / 1.1)); }},
    {"one in 10", [](auto &, auto block) { return block % 10 == 3 ? 1000 : 100; }},
    {"one in 16", [](auto &, auto block) { return block % 16 == 3 ? 3000 : 10; }},
    {"one in 64", [](auto &, auto block) { return block % 64 == 7 ? 3000 : 10; }},
    {"one in 500", [](auto &, auto block) { return block % 500 == 7 ? 500 : 10; }},
    {"one in 500, much", [](auto &, auto block) { return block % 500 == 7 ? 50000 : 10; }},
    {"one alone", [](auto &, auto block) { return block == 7 ? 1000000 : 10; }}};

TEST(SampledAccesses, IntervalsOfMildKernelsAreGivenAndHoldTheTruth) {
  for (const auto &[name, sectorsOf] : kMild)
    for (const auto &[blocks, oneIn] : {std::pair{2048u, 16u}, {4096u, 16u}, {1200u, 4u}, {1024u, 2u}, {16384u, 16u}}) {
      const Outcome out = outcomeOf(sectorsOf, blocks, oneIn);
      EXPECT_LE(out.wrong, kMaxWrong) << name << ' ' << blocks;
      EXPECT_GE(out.stated, kKernels * (blocks / oneIn < 200 ? 2 : 6) / 10) << name << ' ' << blocks;
    }
}

/// Few of these can be told, and what is told holds: of all kernels not one in 20 gets a wrong interval.
TEST(SampledAccesses, HeavyTailsAndRareBlocksAreNotStatedWrongly) {
  for (const auto &[name, sectorsOf] : kTailed)
    for (const auto &[blocks, oneIn] : {std::pair{512u, 16u}, {2048u, 16u}, {1200u, 4u}, {8192u, 16u}}) {
      const Outcome out = outcomeOf(sectorsOf, blocks, oneIn);
      EXPECT_LE(out.wrong, kMaxWrong) << name << ' ' << blocks << ' ' << out.stated;
    }
}

TEST(SampledAccesses, FewBlocksTellNothing) { EXPECT_LE(outcomeOf(kMild[1].second, 512, 16).stated, kKernels / 50); }

TEST(SampledAccesses, BlocksThatAreAllAlikeTellNothingOfTheOthers) {
  for (const auto &[blocks, oneIn] : {std::pair{2048u, 16u}, {1200u, 4u}, {16384u, 16u}})
    EXPECT_LE(outcomeOf([](auto &, auto) { return 32; }, blocks, oneIn).stated, kKernels / 50);
}

/// A group says nothing of whether a block is counted, nor do groups differ in how many blocks they are of.
TEST(SampledAccesses, GroupsAreAsChanceHasThem) {
  for (const std::uint32_t oneIn : {2u, 7u, 32u}) {
    std::vector<double> all(64), counted(64);
    constexpr std::uint32_t kBlocks = 1 << 16;
    for (std::uint64_t launch = 1; launch <= 4; ++launch)
      for (std::uint32_t block = 0; block < kBlocks; ++block) {
        const std::uint32_t group = detail::blockGroup(launch, block) % 64;
        all[group] += 1;
        counted[group] += detail::isSampledBlock(launch, block, oneIn);
      }
    for (const auto &[counts, sum] : {std::pair(all, 4.0 * kBlocks), {counted, 4.0 * kBlocks / oneIn}}) {
      double chi = 0;
      for (const double count : counts)
        chi += (count - sum / 64) * (count - sum / 64) / (sum / 64);
      EXPECT_LT(chi, 120) << oneIn; // 63 degrees of freedom: above in 1 of 50,000 cases
    }
  }
}

TEST(SampledAccesses, RowsOfAllBlocksHaveNoError) {
  format::SiteCounterRecord row{1, 0, 1, 0, 0, {}};
  row.counts[format::kSectors] = 7;
  SampledAccesses sampled;
  sampled.add(row, format::kSectors, 1);
  EXPECT_EQ(sampled.error(), 0.0);
  row.sampled = 8;
  sampled.add(row, format::kSectors, 1); // of an older trace: not split
  EXPECT_FALSE(sampled.error());
  EXPECT_TRUE(sampled.isOfUnknownGroups());
}

/// The same blocks are chosen in each run of a program: twice the count is twice as far off.
TEST(SampledAccesses, RunsOfOneProgramSampleTheSameBlocks) {
  SampledAccesses one, two;
  for (std::uint16_t group = 1; group <= 64; ++group) {
    format::SiteCounterRecord row{1, 0, 4, group, 64, {}};
    row.counts[format::kSectors] = 100u + group * 37u % 64u;
    one.add(row, format::kSectors, 1);
  }
  two.add(one);
  two.add(one);
  ASSERT_TRUE(one.error());
  EXPECT_NEAR(*two.error(), 2 * *one.error(), 1e-6);
}

/// A trace may name a group that is not there.
TEST(SampledAccesses, GroupsOfADamagedTraceAreNotKnown) {
  for (const auto &[group, groups] : {std::pair{5, 4}, {1, 0}, {1, 1}, {60000, 65535}}) {
    format::SiteCounterRecord row{1, 0, 4, static_cast<std::uint16_t>(group), static_cast<std::uint16_t>(groups), {}};
    row.counts[format::kSectors] = 1;
    SampledAccesses sampled;
    sampled.add(row, format::kSectors, 1);
    EXPECT_FALSE(sampled.error());
  }
}

} // namespace
} // namespace kperf::decoder
