// Which accesses of two builds are taken for the same one, and how many that were rewritten notes name.
#include "decoder/compare/DiffSites.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

struct Access {
  std::string expression;
  int sectors; ///< 0: it was not reached
};

std::vector<Trace> tracesOf(const std::vector<Access> &accesses) {
  std::string sites = "kperf 1.1 target=host\nregion 0xa0 kernel \"k\"\n", counters = "warp 0.0 ns=0..1000 cycles=0..1000\n";
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const std::string id = std::to_string(0xb0 + i), line = std::to_string(i + 1);
    sites += "site " + id + " load \"" + accesses[i].expression + "\" function=\"k\" file=\"k.cu\" line=" + line + "\n";
    if (accesses[i].sectors > 0)
      counters += "counters " + id + " accesses=1 sectors=" + std::to_string(accesses[i].sectors) + "\n";
  }
  auto bytes = packText(sites + counters, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  std::vector<Trace> out;
  out.push_back(std::move(*trace));
  return out;
}

Table compared(const std::vector<Access> &before, const std::vector<Access> &after) {
  const std::vector<Trace> a = tracesOf(before), b = tracesOf(after);
  auto diff = diffSites(a, b, 1);
  EXPECT_TRUE(diff) << diff.error().text();
  return std::move(diff->table);
}

/// "access: verdict; …", with what the access was called before where that differs.
std::string pairs(const std::vector<Access> &before, const std::vector<Access> &after) {
  std::string out;
  for (const std::vector<Cell> &row : compared(before, after).rows) {
    const auto *const was = std::get_if<std::string>(&row.back());
    out += std::get<std::string>(row[1]) + (was ? " was " + *was : "") + ": " + std::get<std::string>(row[4]) + "; ";
  }
  return out;
}

TEST(DiffSites, WhatBothBuildsListWasNotRewrittenIntoAnother) {
  EXPECT_EQ(pairs({{"gone[i]", 8}}, {{"q[i]", 8}}), "q[i] was gone[i]: not changed; "); // one each is left
  EXPECT_EQ(pairs({{"gone[i]", 8}}, {{"gone[i]", 0}, {"q[i]", 8}}), "gone[i]: only in A; q[i]: only in B; ");
  EXPECT_EQ(pairs({{"gone[i]", 8}, {"q[i]", 0}}, {{"q[i]", 8}}), "gone[i]: only in A; q[i]: only in B; ");
}

TEST(DiffSites, OfOneTextThoseThatTheOtherBuildHasNotAsOftenMayHaveBeenRewritten) {
  EXPECT_EQ(pairs({{"t[i]", 8}, {"t[i]", 8}}, {{"t[i]", 8}, {"t[j]", 4}}), "t[i]: not changed; t[j] was t[i]: changed; ");
}

TEST(DiffSites, NotesNameTheFirstFiveThatWereRewrittenAndCountTheOthers) {
  const auto notes = [](int count) {
    std::vector<Access> before, after;
    for (int i = 0; i < count; ++i) {
      const std::string array = "x" + std::to_string(i);
      before.push_back({array + "[i]", 8});
      after.push_back({array + "[j]", 8});
    }
    return compared(before, after).notes;
  };
  EXPECT_EQ(notes(1),
            std::vector<std::string>{"x0[i] in A is compared with x0[j] in B: neither side has both, and function, kind and array are "
                                     "the same"});
  ASSERT_EQ(notes(5).size(), 5u);
  EXPECT_TRUE(notes(5).back().starts_with("x4[i] in A is compared with x4[j] in B: "));
  ASSERT_EQ(notes(6).size(), 6u);
  EXPECT_EQ(notes(6).back(), "so is 1 more access whose text differs: --format=csv and json name it");
  ASSERT_EQ(notes(8).size(), 6u);
  EXPECT_EQ(notes(8).back(), "so are 3 more accesses whose text differs: --format=csv and json name them");
}

} // namespace
} // namespace kperf::decoder
