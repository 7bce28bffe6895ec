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
/// Each block has a quotient of its own, from a half to 1.
TEST(SampledAccesses, IntervalsOfQuotientsHoldTheTruth) {
  for (const Sectors &sectorsOf : {kMild[1].second, kMild[2].second}) {
    Outcome out;
    for (unsigned kernel = 1; kernel <= kKernels; ++kernel) {
      std::mt19937_64 random(kernel);
      SampledCounters sampled;
      double sums[2] = {}, truths[2] = {}; // of sectors, and of the least
      for (std::uint32_t block = 0; block < 4096; ++block) {
        const std::uint64_t sectors = sectorsOf(random, block), least = whole(static_cast<double>(sectors) * (1 - uniform(random) / 2));
        truths[0] += static_cast<double>(sectors);
        truths[1] += static_cast<double>(least);
        if (!detail::isSampledBlock(kernel, block, 4))
          continue;
        format::SiteCounterRecord row{1, 0, 4, static_cast<std::uint16_t>(detail::blockGroup(kernel, block) % 64 + 1), 64, {}};
        row.counts[format::kSectors] = sectors;
        row.counts[format::kMinSectors] = least;
        sampled.add(row, 1);
        sums[0] += 4 * static_cast<double>(sectors);
        sums[1] += 4 * static_cast<double>(least);
      }
      if (!sampled[format::kSectors].error() || !sampled[format::kMinSectors].error())
        continue;
      const double error = sampled[format::kMinSectors].errorOfRatio(sampled[format::kSectors], sums[1] / sums[0], sums[0]);
      ++out.stated;
      out.wrong += std::abs(sums[1] / sums[0] - truths[1] / truths[0]) > error;
      EXPECT_LT(error, 0.02); // of sums it is a twentieth of them
    }
    EXPECT_GT(out.stated, kKernels * 9 / 10);
    EXPECT_LE(out.wrong, kMaxWrong);
    EXPECT_GT(out.wrong, 0u);
  }
}

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

/// Groups of blocks that counted 5 and 19 sectors in turns: mean 12, Σy² = 49 · groups²/(groups − 1).
void addTurns(SampledAccesses &out, std::uint32_t oneIn, std::uint16_t groups, unsigned executionsLog2 = 0, std::uint64_t weight = 1) {
  for (std::uint16_t group = 1; group <= groups; ++group) {
    format::SiteCounterRecord row{1, 0, oneIn, group, static_cast<std::uint16_t>(groups | executionsLog2 << format::kExecutionsShift), {}};
    row.counts[format::kSectors] = group % 2 ? 5 : 19;
    out.add(row, format::kSectors, weight);
  }
}

double errorOf(const SampledAccesses &accesses) {
  EXPECT_TRUE(accesses.error());
  return accesses.error().value_or(0);
}

// Of one block in N the variance of the sum is N (N − 1) Σy²; Student's t with 127 and 63 degrees of freedom is 1.97882 and 1.99834.
TEST(SampledAccesses, TheErrorIsThatOfItsDefinition) {
  const double squares = 49.0 * 128 * 128 / 127, fewer = 49.0 * 64 * 64 / 63;
  SampledAccesses blocks, updates, executions, several, together, none;
  addTurns(blocks, 4, 128);
  EXPECT_NEAR(errorOf(blocks), 1.15 * 1.97882 * std::sqrt(4 * 3 * squares), 0.01);
  addTurns(updates, 4, 128, 0, 2); // which count twice
  EXPECT_NEAR(errorOf(updates), 2 * errorOf(blocks), 1e-9);
  // Executions: 3 · 32 sectors for each of 4 may be unseen, and the hash may be off by 0.25 % of 4 · 1536.
  addTurns(executions, 4, 128, 2);
  EXPECT_NEAR(errorOf(executions), errorOf(blocks) + 384 + 15.36, 1e-9);
  // Variances of several rates are added; the fewest groups say how many degrees of freedom there are.
  addTurns(several, 4, 128);
  addTurns(several, 8, 64);
  EXPECT_NEAR(errorOf(several), 1.15 * 1.99834 * std::sqrt(4 * 3 * squares + 8 * 7 * fewer), 0.01);
  together.add(blocks);
  addTurns(none, 8, 64);
  together.add(none);
  EXPECT_EQ(errorOf(together), errorOf(several));
  EXPECT_EQ(SampledAccesses().error(), 0);
}

TEST(SampledAccesses, WhatIsNotInGroupsTellsNothing) {
  for (const auto &[group, groups] : {std::pair<std::uint16_t, std::uint16_t>{0, 128}, {129, 128}, {1, 1}, {0, 0}}) {
    SampledAccesses out;
    addTurns(out, 4, 128);
    format::SiteCounterRecord row{1, 0, 4, group, groups, {}};
    out.add(row, format::kSectors, 1); // has none of these
    EXPECT_TRUE(out.error());
    row.counts[format::kSectors] = 5;
    row.sampled = 1; // all blocks were counted
    out.add(row, format::kSectors, 1);
    EXPECT_TRUE(out.error());
    row.sampled = 2;
    out.add(row, format::kSectors, 1);
    EXPECT_FALSE(out.error());
    SampledAccesses sum;
    addTurns(sum, 4, 128);
    sum.add(out);
    EXPECT_FALSE(sum.error());
  }
}

} // namespace
} // namespace kperf::decoder
