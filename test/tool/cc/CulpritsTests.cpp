// Which regions a search leaves out, and how many builds that takes.
#include "tool/cc/Culprits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kperf::cc {
namespace {

using Names = std::set<std::string>;

Region region(const std::string &name, format::RegionKind kind = format::RegionKind::Scope) {
  Region out;
  out.name = name;
  out.file = "kernel.cu";
  out.kind = kind;
  return out;
}

std::vector<Region> regions(unsigned count) {
  std::vector<Region> out;
  for (unsigned i = 0; i < count; ++i)
    out.push_back(region(std::to_string(i)));
  return out;
}

/// A source some sets of whose regions can't be built.
class Builds : public PartialBuilds {
public:
  Builds(std::vector<Region> all, std::vector<Names> bad) : all(std::move(all)), bad(std::move(bad)) {}

  std::optional<std::vector<Region>> leaveOut(llvm::ArrayRef<RegionPlace> places) override {
    recorded.clear();
    std::vector<Region> left;
    for (const Region &each : all)
      if (std::ranges::find(places, placeOf(each)) == places.end()) {
        left.push_back(each);
        recorded.insert(each.name);
      }
    if (const auto next = instead;
        next && !recorded.contains(next->first) && std::ranges::find(places, placeOf(next->second)) == places.end()) {
      left.push_back(next->second);
      recorded.insert(next->second.name);
    }
    return left;
  }

  std::optional<KernelChanges> compile() override {
    if (++count == stopsAt)
      return std::nullopt;
    KernelChanges out;
    for (const Names &each : bad)
      if (std::ranges::includes(recorded, each))
        out.push_back({plain::KernelChange::Kind::Refused, each.empty() ? "any" : "of " + *each.begin(), "", "(C7510)"});
    return out;
  }

  std::optional<std::pair<std::string, Region>> instead; ///< recorded where the named one is not
  unsigned count = 0, stopsAt = 0;

private:
  std::vector<Region> all;
  std::vector<Names> bad;
  Names recorded;
};

Names namesOf(const std::optional<std::vector<Culprit>> &found) {
  Names out;
  for (const Culprit &each : found.value())
    out.insert(each.region.name);
  return out;
}

const KernelChanges kRefused = {{plain::KernelChange::Kind::Refused, "kernel", "", "(C7510)"}};
const KernelChanges kHopeless = {{plain::KernelChange::Kind::Refused, "any", "", "(C7510)"}};

TEST(Culprits, OneAmongManyTakesABuildForEachHalving) {
  for (unsigned culprit = 0; culprit < 64; ++culprit) {
    Builds builds(regions(64), {{std::to_string(culprit)}});
    const auto found = Culprits(builds).find(regions(64), kRefused);
    EXPECT_EQ(namesOf(found), Names{std::to_string(culprit)});
    EXPECT_LE(builds.count, 13u);
  }
}

TEST(Culprits, NamesWhatKernelsWereWithIt) {
  Builds builds(regions(5), {{"1"}, {"4"}});
  const auto found = Culprits(builds).find(regions(5), kRefused);
  ASSERT_EQ(namesOf(found), (Names{"1", "4"}));
  EXPECT_EQ(found->front().refused.front().kernel, "of 1");
  EXPECT_EQ(found->back().refused.front().kernel, "of 4");
}

TEST(Culprits, OfTwoThatAreTooManyTogetherOneIsKept) {
  Builds builds(regions(4), {{"0", "3"}});
  EXPECT_EQ(namesOf(Culprits(builds).find(regions(4), kRefused)), Names{"3"});
}

TEST(Culprits, AreNoneWhereLeavingOutAllDoesNotHelp) {
  Builds builds(regions(4), {{}});
  EXPECT_TRUE(Culprits(builds).find(regions(4), kHopeless)->empty());
  EXPECT_EQ(builds.count, 1u);
}

TEST(Culprits, OfOtherKernelsAreFoundBesideOneThatNothingHelps) {
  Builds builds(regions(4), {{}, {"2"}});
  const KernelChanges both = {{plain::KernelChange::Kind::Refused, "any", "", ""}, {plain::KernelChange::Kind::Refused, "of 2", "", ""}};
  const auto found = Culprits(builds).find(regions(4), both);
  ASSERT_EQ(namesOf(found), Names{"2"});
  ASSERT_EQ(found->front().refused.size(), 1u);
  EXPECT_EQ(found->front().refused.front().kernel, "of 2");
}

TEST(Culprits, AreNoneWhereTheSourceIsAnother) {
  Builds builds(regions(4), {});
  EXPECT_TRUE(Culprits(builds).find(regions(4), {})->empty());
  EXPECT_EQ(builds.count, 2u);
}

TEST(Culprits, KernelsRowsAreNone) {
  Builds builds({region("kernel", format::RegionKind::Kernel), region("a")}, {{"a"}});
  EXPECT_EQ(namesOf(Culprits(builds).find({region("kernel", format::RegionKind::Kernel), region("a")}, kRefused)), Names{"a"});
}

TEST(Culprits, MayBeWhatIsRecordedInTheirPlace) {
  Builds builds(regions(2), {{"0"}, {"next"}});
  builds.instead = {"0", region("next", format::RegionKind::Signal)};
  EXPECT_EQ(namesOf(Culprits(builds).find(regions(2), kRefused)), (Names{"0", "next"}));
}

TEST(Culprits, AreLeftOutUnseenWhereTheyWouldTakeTooManyBuilds) {
  std::vector<Names> bad;
  for (unsigned i = 0; i < 200; ++i)
    bad.push_back({std::to_string(i)});
  Builds builds(regions(200), bad);
  const auto found = Culprits(builds).find(regions(200), kRefused);
  EXPECT_EQ(found->size(), 200u);
  EXPECT_EQ(builds.count, Culprits::kMaxBuilds + 1);
  EXPECT_FALSE(found->back().refused.empty());
}

TEST(Culprits, AreUnknownWhereTheSearchIsStopped) {
  Builds builds(regions(8), {{"5"}});
  builds.stopsAt = 3;
  EXPECT_FALSE(Culprits(builds).find(regions(8), kRefused));
}

} // namespace
} // namespace kperf::cc
