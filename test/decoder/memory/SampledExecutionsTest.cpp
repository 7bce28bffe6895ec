// Intervals of counters that were counted in 1 execution in N against the truth: hundreds of seeded kernels of each kind.
#include "decoder/memory/SampledAccesses.h"
#include "test/decoder/Random.h"

#include <kperf/rules/AccessSample.h>
#include <kperf/rules/BlockSample.h>

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace kperf::decoder {
namespace {

/// Sectors of one execution: 1 to 32.
using Sectors = std::function<std::uint32_t(std::mt19937_64 &, std::uint32_t warp, std::uint32_t execution)>;

struct Kind {
  const char *name;
  Sectors sectorsOf;
};

const Kind kKinds[] = {{"alike", [](auto &, auto, auto) { return 4; }},
                       {"even", [](auto &random, auto, auto) { return 1 + random() % 32; }},
                       {"one of two", [](auto &, auto, auto execution) { return execution % 2 ? 32 : 1; }},
                       {"by warp", [](auto &, auto warp, auto) { return 1 + warp % 32; }},
                       {"the last warp", [](auto &, auto warp, auto) { return warp % 32 == 31 ? 32 : 1; }},
                       {"one in 20", [](auto &random, auto, auto) { return random() % 20 == 0 ? 32 : 1; }},
                       {"one in 100", [](auto &random, auto, auto) { return random() % 100 == 0 ? 32 : 1; }},
                       {"one in 400", [](auto &random, auto, auto) { return random() % 400 == 0 ? 32 : 1; }},
                       {"one in 1000", [](auto &random, auto, auto) { return random() % 1000 == 0 ? 32 : 1; }},
                       {"one in 4000", [](auto &random, auto, auto) { return random() % 4000 == 0 ? 32 : 1; }},
                       {"Pareto", [](auto &random, auto, auto) {
                          return static_cast<std::uint32_t>(std::min(32.0, std::pow(drawUniform(random, 1e-9, 1), -1 / 1.1)));
                        }}};

struct Size {
  std::uint32_t warps, executions, oneInLog2;
};
constexpr Size kSizes[] = {{400, 40, 6}, {64, 400, 6}, {1000, 64, 6}, {1, 20000, 6}, {200, 8, 2}, {40000, 1, 4}};

/// Of a site of which so many executions are counted that their chance falls.
const Kind kOftenKinds[] = {kKinds[0],
                            kKinds[1],
                            kKinds[3],
                            kKinds[8],
                            kKinds[10],
                            {"growing", [](auto &, auto warp, auto) { return 1 + warp / 32; }},
                            {"shrinking", [](auto &, auto warp, auto) { return 32 - warp / 32; }}};
constexpr Size kOftenSizes[] = {{1000, 150, 2}};

struct Outcome {
  unsigned stated = 0, wrong = 0;
  double bias = 0;          ///< mean of the estimates' relative errors
  std::uint32_t levels = 0; ///< that executions were counted at
};

constexpr unsigned kKernels = 100;

/// When a warp comes to an execution: by number, as on the host target, or by a clock, where all warps of several multiprocessors go on in
/// lockstep.
using Moment = std::uint32_t (*)(std::uint32_t seed, std::uint32_t warp, std::uint32_t execution);

std::uint32_t byNumber(std::uint32_t seed, std::uint32_t warp, std::uint32_t execution) {
  return detail::scrambled(detail::blockGroup(seed, warp / 4) + warp % 4 * 0xc2b2ae35u + execution) ^ 0x5eed1u;
}
std::uint32_t byClock(std::uint32_t seed, std::uint32_t warp, std::uint32_t execution) {
  const std::uint32_t sm = warp % 132, slot = warp / 132 % 64, clock = seed * 7919999u + warp / (132 * 64) * 10000u + execution * 36u;
  return clock + sm * 0x85ebca6bu + slot * 0xc2b2ae35u;
}

Outcome outcomeOf(const Kind &kind, const Size &size, Moment moment) {
  constexpr std::uint16_t kGroups = 64;
  Outcome out;
  for (std::uint32_t kernel = 1; kernel <= kKernels; ++kernel) {
    std::mt19937_64 random(kernel * 1000003u + size.executions);
    std::vector<format::SiteCounterRecord> rows;
    for (std::uint32_t level = 0; level < detail::kAccessRates; ++level)
      for (std::uint16_t group = 1; group <= kGroups; ++group) {
        const std::uint32_t log2 = detail::accessLevelLog2(level, size.oneInLog2);
        rows.push_back({1, 0, 1u << log2, group, static_cast<std::uint16_t>(kGroups | log2 << format::kExecutionsShift), {}});
      }
    double truth = 0, estimate = 0;
    std::uint64_t often = 0;
    for (std::uint32_t warp = 0; warp < size.warps; ++warp)
      for (std::uint32_t execution = 0; execution < size.executions; ++execution) {
        const std::uint32_t sectors = kind.sectorsOf(random, warp, execution);
        truth += sectors;
        const std::uint32_t when = moment(kernel, warp, execution);
        if (detail::accessHash(when) >= detail::accessLimit(size.oneInLog2))
          continue;
        const std::uint32_t randomBits = detail::scrambled(when + 0x9e3779b9u), level = detail::accessLevelOf(often);
        if (!detail::isCountedAtLevel(randomBits, 0, level, size.oneInLog2))
          continue;
        often += detail::isStep(randomBits);
        format::SiteCounterRecord &row = rows[level * kGroups + detail::scrambled(when) % kGroups];
        estimate += static_cast<double>(sectors) * row.sampled;
        row.counts[format::kSectors] += sectors;
        out.levels = std::max(out.levels, level + 1);
      }
    SampledAccesses sampled;
    for (const format::SiteCounterRecord &row : rows)
      sampled.add(row, format::kSectors, 1);
    const auto error = sampled.error();
    out.stated += error.has_value();
    out.wrong += error && std::abs(estimate - truth) > *error;
    out.bias += (estimate / truth - 1) / kKernels;
  }
  return out;
}

/// Of all kernels of a kind and size not one in 20 gets a wrong interval, and of those of any kind and size that get one, neither.
TEST(SampledExecutions, IntervalsHoldTheTruth) {
  for (const Moment moment : {&byNumber, &byClock}) {
    unsigned stated = 0, wrong = 0;
    for (const Kind &kind : kKinds)
      for (const Size &size : kSizes) {
        const Outcome out = outcomeOf(kind, size, moment);
        stated += out.stated;
        wrong += out.wrong;
        EXPECT_LE(out.wrong, kKernels / 20) << kind.name << ' ' << size.warps << 'x' << size.executions << ' ' << out.stated;
        EXPECT_LT(std::abs(out.bias), 0.05) << kind.name << ' ' << size.warps << 'x' << size.executions;
      }
    EXPECT_LT(wrong, stated / 20);
    EXPECT_GT(stated, 3000u);
  }
}

/// It makes no difference what executions do in the stretch in which more of them are counted, and what later.
TEST(SampledExecutions, IntervalsHoldTheTruthWhereTheChanceFalls) {
  unsigned stated = 0, wrong = 0;
  for (const Kind &kind : kOftenKinds)
    for (const Size &size : kOftenSizes) {
      const Outcome out = outcomeOf(kind, size, &byClock);
      stated += out.stated;
      wrong += out.wrong;
      EXPECT_GT(out.levels, 1u);
      EXPECT_LE(out.wrong, kKernels / 20) << kind.name << ' ' << size.executions << ' ' << out.stated;
      EXPECT_LT(std::abs(out.bias), 0.02) << kind.name << ' ' << size.executions;
    }
  EXPECT_LT(wrong, stated / 20);
  EXPECT_GT(stated, 450u); // five kinds have no heavy tail
}

/// An iteration of a loop is counted with a probability of 1/N, wherever it is.
TEST(SampledIterations, EachHasTheSameChance) {
  constexpr std::uint32_t kIterations = 300, kLoops = 40000;
  for (const std::uint32_t log2 : {1u, 3u, 6u}) {
    std::vector<unsigned> counted(kIterations);
    for (std::uint32_t loop = 0; loop < kLoops; ++loop) {
      std::uint32_t clock = loop * 7919u;
      const auto skipped = [&] {
        clock += 1000;
        return static_cast<std::uint32_t>(-std::log2(detail::uniformOf(detail::accessHash(clock))) * detail::accessGap(log2));
      };
      for (std::uint32_t at = skipped(); at < kIterations; at += 1 + skipped())
        ++counted[at];
    }
    const double expected = kLoops / static_cast<double>(1u << log2);
    double squares = 0;
    for (const unsigned each : counted) {
      EXPECT_NEAR(each, expected, 6 * std::sqrt(expected)) << log2;
      squares += (each - expected) * (each - expected) / (expected * (1 - 1.0 / (1u << log2)));
    }
    EXPECT_NEAR(squares, kIterations, 6 * std::sqrt(2.0 * kIterations)) << log2;
  }
}

TEST(SampledExecutions, ExecutionsThatAreAllAlikeHaveAnInterval) { EXPECT_EQ(outcomeOf(kKinds[0], kSizes[2], &byNumber).stated, kKernels); }

TEST(SampledExecutions, FewTellNothing) { EXPECT_EQ(outcomeOf(kKinds[1], {100, 64, 6}, &byNumber).stated, 0u); }

} // namespace
} // namespace kperf::decoder
