// Intervals of counters that were counted in 1 execution in N against the truth: hundreds of seeded kernels of each kind.
#include "decoder/memory/SampledAccesses.h"

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
                          return static_cast<std::uint32_t>(
                              std::min(32.0, std::pow(std::uniform_real_distribution<>(1e-9, 1)(random), -1 / 1.1)));
                        }}};

struct Size {
  std::uint32_t warps, executions, oneInLog2;
};
constexpr Size kSizes[] = {{400, 40, 6}, {64, 400, 6}, {1000, 64, 6}, {1, 20000, 6}, {200, 8, 2}, {40000, 1, 4}};

struct Outcome {
  unsigned stated = 0, wrong = 0;
  double bias = 0; ///< mean of the estimates' relative errors
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
    const std::uint32_t oneIn = 1u << size.oneInLog2;
    std::vector<format::SiteCounterRecord> rows(
        kGroups, {1, 0, oneIn, 0, static_cast<std::uint16_t>(kGroups | size.oneInLog2 << format::kExecutionsShift), {}});
    double truth = 0, estimate = 0;
    for (std::uint32_t warp = 0; warp < size.warps; ++warp)
      for (std::uint32_t execution = 0; execution < size.executions; ++execution) {
        const std::uint32_t sectors = kind.sectorsOf(random, warp, execution);
        truth += sectors;
        const std::uint32_t when = moment(kernel, warp, execution);
        if (detail::accessHash(when) >= detail::accessLimit(size.oneInLog2))
          continue;
        estimate += static_cast<double>(sectors) * oneIn;
        rows[detail::scrambled(when) % kGroups].counts[format::kSectors] += sectors;
      }
    SampledAccesses sampled;
    for (std::uint16_t group = 0; group < kGroups; ++group) {
      rows[group].group = static_cast<std::uint16_t>(group + 1);
      sampled.add(rows[group], format::kSectors, 1);
    }
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

TEST(SampledExecutions, ExecutionsThatAreAllAlikeHaveAnInterval) { EXPECT_EQ(outcomeOf(kKinds[0], kSizes[2], &byNumber).stated, kKernels); }

TEST(SampledExecutions, FewTellNothing) { EXPECT_EQ(outcomeOf(kKinds[1], {100, 64, 6}, &byNumber).stated, 0u); }

} // namespace
} // namespace kperf::decoder
