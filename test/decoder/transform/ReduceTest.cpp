// A reduced trace says what the whole one says, and sums of sums are sums of all.
#include "decoder/transform/Reduce.h"
#include "decoder/compare/Diff.h"
#include "decoder/text/Dump.h"
#include "decoder/text/Pack.h"
#include "decoder/transform/Merge.h"
#include "decoder/view/ReportView.h"
#include "decoder/view/Views.h"
#include "test/decoder/TraceGenerator.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <tuple>

using namespace kperf;
using namespace kperf::test;
using decoder::ByteSource;
using decoder::Table;
using decoder::Trace;

namespace {

/// Traces of one build: the generator draws the build's id first of all.
std::vector<Trace> rankTraces(unsigned seed, unsigned count) {
  std::vector<Trace> traces;
  for (unsigned rank = 0; rank < count; ++rank) {
    TraceShape shape;
    shape.launches = 1 + rank;
    shape.recordsPerWarp = seed % 3 == 0 ? 3 : 30 + 10 * rank;
    shape.capacity = seed % 2 ? 32 : 1024;
    shape.keepsLast = seed % 4 == 1;
    shape.hasUnfinished = seed % 5 == 0;
    shape.hasRanges = seed % 4 != 2;
    auto trace = Trace::read(ByteSource::memory(TraceGenerator(shape, seed).make()));
    EXPECT_TRUE(trace) << trace.error().text();
    traces.push_back(std::move(*trace));
  }
  return traces;
}

Trace reduced(std::span<const Trace> traces) {
  auto out = decoder::reduceTraces(traces);
  EXPECT_TRUE(out) << out.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(out->bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  return std::move(*trace);
}

/// The same, where sums of doubles may have been made in another order.
bool isSame(const decoder::Cell &a, const decoder::Cell &b) {
  const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  return x && y ? std::abs(*x - *y) <= 1e-12 * std::abs(*x) : a == b;
}

/// Notes without what a reduced trace does not know: how many records one warp made.
std::vector<std::string> commonNotes(std::vector<std::string> notes) {
  for (std::string &note : notes)
    note = std::regex_replace(note, std::regex(R"( \(one warp made \d+\))"), "");
  return notes;
}

void expectSameTables(std::span<const Trace> whole, std::span<const Trace> sums, const char *what) {
  for (const decoder::View &view : decoder::views()) {
    if (!(view.traits & decoder::kTakesSeveral) || view.name == std::string_view("overlap"))
      continue;
    for (const decoder::By by : {decoder::By::Region, decoder::By::Path}) {
      if (by == decoder::By::Path && std::ranges::find(view.groupings.all, by) == view.groupings.all.end())
        continue;
      const auto expected = view.run(whole, {.by = by}), found = view.run(sums, {.by = by});
      ASSERT_TRUE(expected) << expected.error().text();
      ASSERT_TRUE(found) << found.error().text();
      ASSERT_EQ(expected->size(), found->size());
      for (std::size_t i = 0; i < expected->size(); ++i) {
        EXPECT_TRUE(std::ranges::equal((*expected)[i].rows, (*found)[i].rows,
                                       [](const auto &a, const auto &b) { return std::ranges::equal(a, b, isSame); }))
            << what << ": " << view.name << " by " << name(by);
        EXPECT_EQ(commonNotes((*expected)[i].notes), (*found)[i].notes) << what << ": " << view.name << " by " << name(by);
      }
    }
  }
}

} // namespace

TEST(Reduce, SaysWhatTheWholeTraceSays) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<Trace> whole = rankTraces(seed, 1);
    const Trace sums = reduced(whole);
    EXPECT_TRUE(sums.isReduced());
    expectSameTables(whole, std::span(&sums, 1), ("seed " + std::to_string(seed)).c_str());
  }
}

TEST(Reduce, SumsOfSumsAreSumsOfAll) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const std::vector<Trace> whole = rankTraces(seed, 3);
    std::vector<Trace> sums;
    for (const Trace &each : whole)
      sums.push_back(reduced(std::span(&each, 1)));
    const std::string what = "seed " + std::to_string(seed);
    expectSameTables(whole, sums, (what + ", several reduced").c_str());
    const Trace again = reduced(sums);
    expectSameTables(whole, std::span(&again, 1), (what + ", reduced again").c_str());
    decoder::OutputString bytes;
    ASSERT_TRUE(decoder::mergeTraces(sums, bytes));
    const auto all = std::as_bytes(std::span(bytes.text()));
    const auto merged = Trace::read(ByteSource::memory({all.begin(), all.end()}));
    ASSERT_TRUE(merged) << merged.error().text();
    expectSameTables(whole, std::span(&*merged, 1), (what + ", merged").c_str());
    const std::vector<Trace> mixed = [&] { // one whole, two reduced
      std::vector<Trace> out = rankTraces(seed, 1);
      out.push_back(reduced(std::span(whole).subspan(1)));
      return out;
    }();
    expectSameTables(whole, mixed, (what + ", some reduced").c_str());
  }
}

TEST(Reduce, TextAndBytesAreTwins) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const std::vector<Trace> whole = rankTraces(seed, 2);
    const auto out = decoder::reduceTraces(whole);
    ASSERT_TRUE(out);
    const auto trace = Trace::read(ByteSource::memory(out->bytes));
    ASSERT_TRUE(trace);
    decoder::OutputString text;
    ASSERT_TRUE(decoder::dumpTrace(*trace, text));
    const auto packed = decoder::packText(text.text(), "text");
    ASSERT_TRUE(packed) << packed.error().text();
    EXPECT_TRUE(*packed == out->bytes) << "seed " << seed;
  }
}

TEST(Reduce, IsSmallHoweverManyPathsThereAre) {
  TraceShape shape;
  shape.launches = 4;
  shape.blocks = 60;
  shape.warpsPerBlock = 4;
  shape.recordsPerWarp = 300;
  shape.capacity = 4096; // 3 MB; regions nest in each other four deep, in every order
  const auto whole = Trace::read(ByteSource::memory(TraceGenerator(shape, 7).make()));
  ASSERT_TRUE(whole);
  const Trace sums = reduced(std::span(&*whole, 1));
  EXPECT_LT(sums.fileBytes(), std::uint64_t{400} << 10);
  const auto expected = decoder::reportView(std::span(&*whole, 1), {.by = decoder::By::Path});
  const auto found = decoder::reportView(std::span(&sums, 1), {.by = decoder::By::Path});
  ASSERT_TRUE(expected && found);
  EXPECT_LT(found->front().rows.size(), expected->front().rows.size());
  EXPECT_TRUE(std::ranges::equal(expected->front().rows.front(), found->front().rows.front(), isSame));
  const auto byRegion = decoder::reportView(std::span(&*whole, 1), {}), alike = decoder::reportView(std::span(&sums, 1), {});
  ASSERT_TRUE(byRegion && alike);
  EXPECT_EQ(byRegion->front().rows, alike->front().rows);
  double self = 0;
  for (const auto &row : found->front().rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      if (found->front().columns[i].name == "share" && std::holds_alternative<double>(row[i]))
        self += std::get<double>(row[i]);
  EXPECT_NEAR(self, 100, 1e-9);
}

TEST(Reduce, EachReducedTraceIsOneSampleOfADiff) {
  const std::vector<Trace> whole = rankTraces(4, 2);
  std::vector<Trace> sums;
  for (const Trace &each : whole)
    sums.push_back(reduced(std::span(&each, 1)));
  const auto diff = decoder::diffTraces(sums, sums, {});
  ASSERT_TRUE(diff) << diff.error().text();
  for (const auto &row : diff->table.rows)
    EXPECT_EQ(row[1], decoder::Cell(std::uint64_t{2}));
  const auto mixed = decoder::diffTraces(sums, whole, {});
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().text().find("is not reduced"), std::string::npos) << mixed.error().text();
}

TEST(Reduce, DamagedSummariesAreRefused) {
  const std::vector<Trace> whole = rankTraces(1, 1);
  const auto out = decoder::reduceTraces(whole);
  ASSERT_TRUE(out);
  decoder::OutputString text;
  ASSERT_TRUE(decoder::dumpTrace(*Trace::read(ByteSource::memory(out->bytes)), text));
  const auto refusal = [&](const std::string &from, const std::string &to) {
    std::string changed = text.text();
    const std::size_t at = changed.find(from, changed.find("\nsummary"));
    EXPECT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    const auto packed = decoder::packText(changed, "text");
    EXPECT_TRUE(packed) << packed.error().text();
    const auto trace = Trace::read(ByteSource::memory(*packed));
    EXPECT_TRUE(trace);
    const auto tables = decoder::reportView(std::span(&*trace, 1), {});
    return tables ? std::string("accepted") : tables.error().text();
  };
  EXPECT_NE(refusal(" unattributed=", " unattributed=1").find("do not add up"), std::string::npos);
  EXPECT_NE(refusal(" ns-ns=", " ns-ns=-").find("are no sums"), std::string::npos);
  EXPECT_NE(refusal("  row \"", "  row 0x200 parent=7 #\n  row \"").find("before the one around it"), std::string::npos);
  EXPECT_NE(refusal("  row \"", "  row 0x200 lengths=7424*1\n  row \"").find("impossible bucket"), std::string::npos);
  EXPECT_NE(refusal("  row \"", "  row 0x200 self=18446744073709551615\n  row \"").find("do not add up"), std::string::npos);
}

TEST(Reduce, SurvivesTracesThatLieAboutThemselves) {
  TraceShape shape;
  shape.launches = 1;
  shape.blocks = 2;
  shape.recordsPerWarp = 4;
  const auto whole = Trace::read(ByteSource::memory(TraceGenerator(shape, 3).make()));
  ASSERT_TRUE(whole);
  const Trace sums = reduced(std::span(&*whole, 1));
  std::mt19937_64 random(5);
  unsigned accepted = 0;
  for (const Trace *trace : {&*whole, &sums}) {
    decoder::OutputString text;
    ASSERT_TRUE(decoder::dumpTrace(*trace, text));
    for (int round = 0; round < 600; ++round) {
      std::string changed = text.text();
      for (int change = 0; change < 2; ++change) { // replaces some number by another
        const std::size_t at = changed.find_first_of("0123456789", random() % changed.size());
        if (at == std::string::npos)
          continue;
        const std::uint64_t choices[] = {0, 1, 65535, 0xffffffff, 1ull << 32, 1ull << 63, ~0ull, random()};
        changed.replace(at, changed.find_first_not_of("0123456789", at) - at, std::to_string(choices[random() % std::size(choices)]));
      }
      const auto bytes = decoder::packText(changed, "text");
      const auto lying = bytes ? Trace::read(ByteSource::memory(*bytes)) : decoder::failure(bytes.error());
      if (!lying)
        continue;
      const std::span<const Trace> one(&*lying, 1);
      for (const decoder::View &view : decoder::views())
        std::ignore = view.run(one, {});
      decoder::OutputString merged;
      std::ignore = decoder::mergeTraces(one, merged);
      std::ignore = decoder::diffTraces(one, one, {});
      const auto again = decoder::reduceTraces(one);
      accepted += again.has_value();
      if (!again)
        continue;
      const auto reread = Trace::read(ByteSource::memory(again->bytes));
      ASSERT_TRUE(reread) << reread.error().text();
      const auto report = decoder::reportView(std::span(&*reread, 1), {});
      EXPECT_TRUE(report) << report.error().text();
    }
  }
  EXPECT_GT(accepted, 100u);
}

TEST(Reduce, SumsThatOverflowTheirTypesLeaveAReadableTrace) {
  const std::string sums = "summary kernel=\"k\" flags=region,path cycles-cycles=1.7e308 cycles-ns=1.7e308 ns-ns=1.7e308 "
                           "timed-launches=1 duration-ns=18446744073709551615\n";
  const auto bytes = decoder::packText("kperf 1.2\nregion 0x1 kernel \"k\"\n" + sums + sums, "text");
  ASSERT_TRUE(bytes) << bytes.error().text();
  const auto whole = Trace::read(ByteSource::memory(*bytes));
  ASSERT_TRUE(whole) << whole.error().text();
  const Trace small = reduced(std::span(&*whole, 1));
  const auto report = decoder::reportView(std::span(&small, 1), {});
  EXPECT_TRUE(report) << report.error().text();
  decoder::OutputString text;
  EXPECT_TRUE(decoder::dumpTrace(small, text));
  EXPECT_NE(text.text().find("duration-ns=18446744073709551615"), std::string::npos);
}
