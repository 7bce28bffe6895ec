// Stack distances against those by definition, and estimates from some of the lines against what all of them say.
#include "decoder/memory/Locality.h"
#include "decoder/memory/StackDistance.h"
#include "decoder/trace/Writer.h"

#include <kperf/rules/LineClass.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace format = kperf::format;
using namespace kperf::decoder;

namespace {

constexpr std::uint32_t kSite = 0x21, kUpdateSite = 0x22;

/// A trace of one run in which a load, and now and then an update, touch these lines.
class Uses {
public:
  explicit Uses(std::vector<std::uint64_t> lines) : lines(std::move(lines)) {}

  Expected<Trace> without(std::uint32_t incomplete) const {
    Writer writer;
    format::SiteRecord site{};
    site.id = kSite;
    writer.add(site);
    site.id = kUpdateSite;
    site.kind = format::SiteKind::Update;
    writer.add(site);
    format::SiteCounterRecord counters{kSite, 0, 1, 0, {}}, updates{kUpdateSite, 0, 1, 0, {}};
    writer.references({0, incomplete, 1, 0});
    for (std::uint32_t order = 0; order < lines.size(); ++order) {
      const bool isUpdate = order % 7 == 0;
      (isUpdate ? updates : counters).counts[format::kLines] += 1;
      const std::uint32_t lineClass = kperf::detail::classOfLine(lines[order]);
      writer.add(format::ReferenceRecord{kperf::detail::packedLine(lines[order], 0, lineClass), order,
                                         (isUpdate ? kUpdateSite : kSite) | 15u << format::kReferenceSectorShift, 0, 0});
    }
    writer.add(counters);
    writer.add(updates);
    return Trace::read(ByteSource::memory(writer.finish()));
  }

private:
  std::vector<std::uint64_t> lines;
};

/// Lines of a few working sets of different size, each used for a while, and one line that is in all of them.
std::vector<std::uint64_t> workingSets(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> lines;
  const std::uint64_t base = random() >> 24;
  while (lines.size() < count) {
    const std::uint64_t first = base + random() % 4000, size = 50 + random() % 3000;
    for (std::uint64_t i = 0; i < 2 * size && lines.size() < count; ++i)
      lines.push_back(i % 16 == 0 ? base : first + (random() % 4 ? i % size : random() % size));
  }
  return lines;
}

} // namespace

TEST(StackDistance, IsHowManyOtherLinesCameBetween) {
  std::mt19937 random(1);
  std::vector<std::uint64_t> lines;
  for (int i = 0; i < 2000; ++i)
    lines.push_back(random() % (1 + random() % 300));
  const std::vector<std::uint32_t> found = stackDistances(lines);
  ASSERT_EQ(found.size(), lines.size());
  for (std::size_t now = 0; now < lines.size(); ++now) {
    std::set<std::uint64_t> others;
    std::size_t before = now;
    while (before > 0 && lines[before - 1] != lines[now])
      others.insert(lines[--before]);
    EXPECT_EQ(found[now], before == 0 ? kFirstUse : others.size()) << "use " << now;
  }
  EXPECT_TRUE(stackDistances({}).empty());
}

TEST(LineClass, EachHasHalfAsManyAsTheOneBefore) {
  std::vector<double> count(format::kReferenceClasses);
  constexpr int kLines = 1 << 20;
  for (int line = 0; line < kLines; ++line)
    count[kperf::detail::classOfLine(0x3fffe0000000 + 5 * line)] += 1;
  for (int lineClass = 0; lineClass < 8; ++lineClass) {
    const double expected = kLines / static_cast<double>(2 << lineClass);
    EXPECT_NEAR(count[lineClass], expected, 4 * std::sqrt(expected)) << lineClass;
  }
}

TEST(Locality, SaysHowFarItIsOff) {
  int inside = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Uses run(workingSets(seed, 30000));
    const auto whole = run.without(0), part = run.without(seed % 2 ? 0x1 : 0x15);
    ASSERT_TRUE(whole && part);
    const auto exact = Locality::read(std::span(&*whole, 1), ""), estimate = Locality::read(std::span(&*part, 1), "");
    ASSERT_TRUE(exact && estimate);
    EXPECT_DOUBLE_EQ(estimate->rate(), seed % 2 ? 0.5 : 1 - 0.5 - 0.125 - 0.03125);
    const auto check = [&](const ReuseEstimate &found, const ReuseEstimate &truth) {
      EXPECT_EQ(truth.error, 0);
      ++all;
      inside += std::abs(found.value - truth.value) <= found.error;
    };
    check(estimate->footprint(), exact->footprint());
    const std::vector<CacheHits> hits = exact->cacheHits(), some = estimate->cacheHits();
    for (std::size_t i = 4; i + 1 < std::min(hits.size(), some.size()); ++i) // smaller caches hold a few sampled lines only
      check(some[i].device, hits[i].device);
  }
  EXPECT_GE(inside, 0.95 * all) << inside << " of " << all;
  EXPECT_GT(all, 200);
}

/// Two working sets that lines are drawn from at random: nearly all uses of the small one hit a cache that is a little larger than it, and
/// few one that is a little smaller.
std::vector<std::uint64_t> hotAndCold(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> lines;
  const std::uint64_t base = random() >> 24, hot = 100 + random() % 4000, cold = hot * (4 + random() % 8);
  while (lines.size() < count)
    lines.push_back(base + random() % (random() % 3 ? hot : cold));
  return lines;
}

TEST(Locality, SaysHowFarItIsOffWhereCachesBecomeLargeEnough) {
  std::map<std::uint64_t, std::pair<int, int>> bySize; ///< within what was said, and all
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Uses run(hotAndCold(seed, 60000));
    constexpr std::uint32_t kMissing[] = {0x1, 0x15, 0x3, 0x7};
    const auto whole = run.without(0), part = run.without(kMissing[seed % std::size(kMissing)]);
    ASSERT_TRUE(whole && part);
    const auto exact = Locality::read(std::span(&*whole, 1), ""), estimate = Locality::read(std::span(&*part, 1), "");
    ASSERT_TRUE(exact && estimate);
    const std::vector<CacheHits> hits = exact->cacheHits(), some = estimate->cacheHits();
    for (std::size_t i = 0; i + 1 < std::min(hits.size(), some.size()); ++i) {
      auto &[inside, all] = bySize[hits[i].bytes];
      inside += std::abs(some[i].device.value - hits[i].device.value) <= some[i].device.error;
      ++all;
    }
  }
  for (const auto &[bytes, counts] : bySize)
    EXPECT_GE(counts.first, 0.95 * counts.second - 1) << bytes << " bytes: " << counts.first << " of " << counts.second;
  EXPECT_GE(bySize.size(), 10u);
}

TEST(Locality, KeptUsesOfALineThatIsUsedAllTheTimeAreNotMissed) {
  // Half of all uses are of one line whose class is incomplete: they still count as hits.
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 40000; ++i)
    lines.push_back(i % 2 ? 7 : 1000 + i / 2 % 2000);
  const auto trace = Uses(lines).without(1u << kperf::detail::classOfLine(7));
  ASSERT_TRUE(trace);
  const auto locality = Locality::read(std::span(&*trace, 1), "");
  ASSERT_TRUE(locality);
  const std::vector<CacheHits> hits = locality->cacheHits();
  const auto small = std::ranges::find(hits, 32u << 10, &CacheHits::bytes);
  ASSERT_NE(small, hits.end());
  EXPECT_NEAR(small->device.value, 50 + 100.0 / 14, 3); // and the stores behind the loads of updates
}

namespace {

/// The eight groups into which Locality.cpp puts lines.
constexpr unsigned kGroups = 8, kAnyGroup = kGroups;

/// So many lines of classes that are not `incomplete`, of one group or any.
std::vector<std::uint64_t> keptLines(std::size_t count, std::uint32_t incomplete, unsigned group = kAnyGroup) {
  std::vector<std::uint64_t> lines;
  for (std::uint64_t line = 0x10000; lines.size() < count; ++line)
    if (!(incomplete >> kperf::detail::classOfLine(line) & 1) && (group == kAnyGroup || LineHash()(line) % kGroups == group))
      lines.push_back(line);
  return lines;
}

/// Lines that are used one after the other, twice; or each twice at once.
Locality usedTwice(const std::vector<std::uint64_t> &lines, std::uint32_t incomplete, bool isAtOnce) {
  const std::size_t count = lines.size();
  Writer writer;
  format::SiteRecord site{};
  site.id = kSite;
  writer.add(site);
  writer.references({0, incomplete, 1, 0});
  for (std::uint32_t order = 0; order < 2 * count; ++order) {
    const std::uint64_t line = lines[isAtOnce ? order / 2 : order % count];
    writer.add(format::ReferenceRecord{kperf::detail::packedLine(line, 0, kperf::detail::classOfLine(line)), order,
                                       kSite | 15u << format::kReferenceSectorShift, 0, 0});
  }
  const auto trace = Trace::read(ByteSource::memory(writer.finish()));
  EXPECT_TRUE(trace) << trace.error().text();
  auto out = Locality::read(std::span(&*trace, 1), "");
  EXPECT_TRUE(out) << out.error().text();
  return std::move(*out);
}

Locality usedTwice(std::size_t count, std::uint32_t incomplete, bool isAtOnce) {
  return usedTwice(keptLines(count, incomplete), incomplete, isAtOnce);
}

ReuseEstimate hitsOf(const Locality &locality, std::uint64_t bytes) {
  for (const CacheHits &hits : locality.cacheHits())
    if (hits.bytes == bytes)
      return hits.device;
  ADD_FAILURE() << "no cache of " << bytes;
  return {};
}

} // namespace

TEST(Locality, LinesComeBackAfterAllOthers) {
  const Locality all = usedTwice(61, 0, false);
  EXPECT_EQ(all.rate(), 1);
  EXPECT_EQ(all.footprint().value, 61 * 128);
  EXPECT_EQ(all.footprint().error, 0);
  EXPECT_EQ(hitsOf(all, 4096).value, 0);
  EXPECT_EQ(hitsOf(all, 8192).value, 50); // 60 others are 7680 bytes
  EXPECT_EQ(hitsOf(all, 8192).error, 0);
  EXPECT_EQ(hitsOf(usedTwice(65, 0, false), 8192).value, 0); // 64 are 8192
  EXPECT_EQ(hitsOf(usedTwice(61, 0, true), 1024).value, 50);
  const std::vector<CacheHits> sizes = all.cacheHits();
  EXPECT_EQ(sizes.front().bytes, 1024u);
  EXPECT_EQ(sizes.back().bytes, 8192u); // the first that holds everything
  const Locality half = usedTwice(61, 1, false);
  EXPECT_EQ(half.rate(), 0.5);
  EXPECT_EQ(half.step(), 256);
  EXPECT_EQ(half.footprint().value, 61 * 256);
}

// What uses that come back at once and after all others differ in is whether a cache may be too small for them, as far as the number of
// kept lines is off: by 1.95996·√(16384·128) = 2838 bytes where half of the lines were kept. Uses from 13546 bytes on may miss: half of
// them, 25 %, count.
TEST(Locality, DistancesAreOffByTheNumberOfLinesThatWereKept) {
  const auto added = [](std::size_t count, std::uint32_t incomplete, std::uint64_t bytes) {
    return hitsOf(usedTwice(count, incomplete, false), bytes).error - hitsOf(usedTwice(count, incomplete, true), bytes).error;
  };
  EXPECT_NEAR(added(53, 1, 16384), 0, 1e-9);  // 52 · 256 = 13312
  EXPECT_NEAR(added(54, 1, 16384), 25, 1e-9); // 13568
  // Of classes 1, 3 and the last ones, 0.34375: 1.95996·√(16384·128·0.65625 / 0.34375) = 3922, and 372.4 bytes a line.
  EXPECT_NEAR(added(34, 0x15, 16384), 0, 1e-9);  // 12288 of 12462
  EXPECT_NEAR(added(35, 0x15, 16384), 25, 1e-9); // 12660
}

// Lines of which half were kept stand for two each; n of them that are used twice make 4n uses, of which 2n are hits. If all are of one of
// the eight groups, its part of the uses, n/2, less the 4n that are kept, with the 2n hits, is -1.5n, and n/2 is that of each other one:
// -1.75n and 0.25n from their mean. Eight times these make 224n² in squares; by 8 · 7 that is 4n², and 2.365 · 2n of 4n uses are 118.25 %.
TEST(Locality, HitsAreOffByHowMuchTheyScatterBetweenGroupsOfLines) {
  for (const std::size_t count : {1, 5}) {
    const ReuseEstimate hits = hitsOf(usedTwice(keptLines(count, 1, 3), 1, true), 1024);
    EXPECT_EQ(hits.value, 50);
    EXPECT_NEAR(hits.error, 118.25, 1e-9);
  }
  std::vector<std::uint64_t> even;
  for (unsigned group = 0; group < kGroups; ++group)
    for (const std::uint64_t line : keptLines(3, 1, group))
      even.push_back(line);
  EXPECT_EQ(hitsOf(usedTwice(even, 1, true), 1024).value, 50);
  EXPECT_NEAR(hitsOf(usedTwice(even, 1, true), 1024).error, 0, 1e-9);
}

// 61 of the lines from 0x800000 on, of which half were kept: each stands for two, with its four sectors; 122 references of two each.
TEST(Locality, PagesHoldWhatKeptLinesStandFor) {
  const Locality half = usedTwice(61, 1, false);
  const std::vector<TouchedPages> one = half.pages(1);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].address % one[0].bytes, 0u);
  EXPECT_LE(one[0].address, 0x800000u);
  EXPECT_EQ(one[0].references, 244);
  EXPECT_EQ(one[0].lines, 122);
  EXPECT_EQ(one[0].sectors, 488);
  EXPECT_EQ(one[0].begin, 0);
  EXPECT_EQ(one[0].end, 100);
  EXPECT_EQ(one[0].sites, std::vector<std::uint32_t>{kSite});
  ASSERT_EQ(one[0].overTime.size(), Locality::kTimeParts);
  EXPECT_EQ(one[0].overTime.front(), 8); // four of 122 in the first of 32 parts
  double references = 0, lines = 0, sectors = 0;
  const std::vector<TouchedPages> all = half.pages(1000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    references += all[i].references;
    lines += all[i].lines;
    sectors += all[i].sectors;
    EXPECT_TRUE(i == 0 || all[i].address >= all[i - 1].address + all[i - 1].bytes);
  }
  EXPECT_GT(all.size(), 1u);
  EXPECT_EQ(references, 244);
  EXPECT_EQ(lines, 122);
  EXPECT_EQ(sectors, 488);
  const std::vector<TouchedPages> whole = usedTwice(61, 0, true).pages(1);
  EXPECT_EQ(whole[0].references, 122);
  EXPECT_EQ(whole[0].sectors, 244);
}
