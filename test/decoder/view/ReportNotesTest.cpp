// What the report says of a kernel's numbers, of totals made by hand: each sentence, and from where on it is said.
#include "decoder/view/ReportNotes.h"
#include "decoder/text/Pack.h"
#include "decoder/totals/ProbeShare.h"
#include "decoder/view/GatheredNotes.h"

#include <gtest/gtest.h>

#include <string>

namespace kperf::decoder {
namespace {

using Source = ClockRate::Source;

/// A kernel "walk" with regions "load", a range "tile" and a mark "here"; nothing to say of it.
struct Noted {
  Noted() {
    auto bytes =
        packText("kperf 1.14\nregion 0x20 kernel \"walk\"\nregion 0x21 scope \"load\" file=\"k.cu\" line=3\nregion 0x22 range \"tile\"\n"
                 "region 0x23 mark \"here\"\nregion 0x24 wait \"sync\" file=\"k.cu\" line=7 operation=barrier object=block-barrier\n",
                 "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    regions.add(*trace);
    kernel.name = "walk";
    kernel.paths = PathTree(100);
    kernel.rows.resize(1);
    kernel.cycles = 100000;
    launches.launches = 2;
    launches.warpsRecorded = launches.warpsLaunched = 8;
  }
  /// A row of a region, of `count` known entries of 10 cycles.
  RowTotals &row(std::uint32_t id, std::uint64_t count = 1) {
    const std::uint32_t node = kernel.paths.child(PathTree::kRoot, regions.find(id));
    kernel.rows.resize(kernel.paths.size());
    RowTotals &out = kernel.rows[node];
    out.count += count;
    for (std::uint64_t i = 0; i < count; ++i)
      out.durations.add(10);
    out.inclusive += 10 * count;
    return out;
  }
  std::string text() const {
    std::string out;
    for (const std::string &note : kernelNotes(kernel, launches, rate, cost, regions))
      out += note + "\n";
    return out;
  }

  RegionSet regions;
  KernelTotals kernel;
  LaunchLedger::Group launches;
  ClockRate rate{.nsPerCycle = 1, .source = Source::Unit};
  ProbeCost cost;
};

template <typename Set> std::string notes(Set set) {
  Noted noted;
  set(noted);
  return noted.text();
}

TEST(ReportNotes, CountsAreOfOneOrSeveral) {
  EXPECT_EQ(counted(1, "launch"), "1 launch");
  EXPECT_EQ(counted(2, "launch"), "2 launches");
  EXPECT_EQ(counted(0, "record"), "0 records");
  EXPECT_EQ(counted(3, "pass"), "3 passes");
}

TEST(ReportNotes, SharesNeverReadAsNoneOrAllWhereTheyAreNot) {
  EXPECT_EQ(percentText(0, 10), "0 %");
  EXPECT_EQ(percentText(10, 10), "100 %");
  EXPECT_EQ(percentText(1, 0), "0 %");
  EXPECT_EQ(percentText(1, 8), "12.5 %");
  EXPECT_EQ(percentText(5, 10000), "0.1 %");
  EXPECT_EQ(percentText(49, 100000), "0.05 %");
  EXPECT_EQ(percentText(9994, 10000), "99.9 %");
  EXPECT_EQ(percentText(99951, 100000), "99.95 %");
  EXPECT_EQ(percentText(1, 10000000), "0.00001 %");
  EXPECT_EQ(percentText(4, 100000000), "0 %"); // five decimals are the most
}

TEST(ReportNotes, NothingOfAKernelWithAllItsRecords) {
  EXPECT_EQ(notes([](Noted &it) { it.row(0x21); }), "");
}

TEST(ReportNotes, OfDroppedRecords) {
  const auto dropped = [](Noted &it) { it.kernel.records = {.produced = 8, .dropped = 2}, it.kernel.maxCapacity = 4; };
  EXPECT_EQ(notes(dropped),
            "25.0 % of the records of walk were dropped (2 of 8): raise KPERF_RECORDS above 4, or set KPERF_KEEP=last to see the "
            "end instead of the beginning; the time without records is the row (not recorded)\n");
  EXPECT_EQ(
      notes([&](Noted &it) { dropped(it), it.kernel.keepsLast = true, it.kernel.maxProduced = 5; }),
      "25.0 % of the records of walk were dropped (2 of 8): raise KPERF_RECORDS above 4 (one warp made 5); the time without records is the "
      "row (not recorded)\n");
  EXPECT_EQ(
      notes([&](Noted &it) { dropped(it), it.kernel.keepsLast = true, it.kernel.maxProduced = (1u << 20) + 1; }), // more than it takes
      notes([&](Noted &it) { dropped(it), it.kernel.keepsLast = true; }));
  EXPECT_EQ(notes([&](Noted &it) { dropped(it), it.kernel.keepsLast = true; }),
            "25.0 % of the records of walk were dropped (2 of 8): raise KPERF_RECORDS above 4; the time without records is the row (not "
            "recorded)\n");
  EXPECT_EQ(
      notes([&](Noted &it) { dropped(it), it.kernel.records.skipped = 1; }),
      "6 records of walk are kept: 1 came before, as KPERF_SKIP asks, and 1 after; the time without records is the row (not recorded)\n");
}

TEST(ReportNotes, OfHalvesThatMetNoOther) {
  EXPECT_EQ(notes([](Noted &it) {
              it.kernel.records = {.unmatchedBegins = 1, .unmatchedEnds = 2};
              it.row(0x21).unmatchedBegins = 1;
              it.row(0x22).unmatchedEnds = 2;
              it.row(0x24);
            }),
            "1 begin without an end and 2 ends without a begin in walk, of load (k.cu:3), tile: some path through the kernel misses "
            "KPERF_END, or begins the region again while it is open; an end counts for the oldest open begin, so times there may run from "
            "one entry's begin to another's end\n");
  const auto ends = [](Noted &it) {
    it.kernel.records.unmatchedEnds = 1;
    it.row(0x22).unmatchedEnds = 1;
  };
  EXPECT_EQ(notes(ends),
            "0 begins without an end and 1 end without a begin in walk, of tile: some path through the kernel misses KPERF_BEGIN\n");
  EXPECT_TRUE(
      notes([&](Noted &it) {
        it.kernel.records = {.produced = 9, .dropped = 1};
        ends(it);
      })
          .ends_with("0 begins without an end and 1 end without a begin in walk, of tile: their other halves may be among the dropped "
                     "records\n"));
}

TEST(ReportNotes, OfRecordsAndWarpsThatDidNotEnd) {
  EXPECT_EQ(notes([](Noted &it) { it.kernel.records = {.empty = 1, .stale = 1}; }),
            "2 regions of walk began and never ended: the warp left by a trap or exit inside, or was still running\n");
  EXPECT_EQ(notes([](Noted &it) { it.kernel.stuck[it.regions.find(0x24)] = 3; }),
            "3 warps of walk did not come out of sync (k.cu:7): kperf overlap says who is missing there\n");
  EXPECT_EQ(
      notes([](Noted &it) { it.kernel.records.damaged = 1; }),
      "1 record of walk made no sense (unknown region, impossible kind or clock) and were left out: the kernel may have written over the "
      "recording, or program and trace do not belong together\n");
  EXPECT_EQ(notes([](Noted &it) { it.kernel.unfinishedWarps = 1; }),
            "1 warp of walk had not finished: their time ends with their last record\n");
  EXPECT_EQ(notes([](Noted &it) { it.kernel.damagedWarps = 2; }),
            "2 warps of walk ended before they began by their own clocks and were left out\n");
  EXPECT_EQ(
      notes([](Noted &it) { it.kernel.foreignWarps = 1, it.launches.warpsLaunched = 9; }),
      "1 warp ran in kernels that were not rewritten, and were seen from their first region to their last: durations and coverage of walk "
      "are those of what was seen\n");
}

TEST(ReportNotes, OfWarpsThatWereNotRecorded) {
  const auto missing = [](Noted &it) { it.launches.warpsLaunched = 10; };
  EXPECT_EQ(notes(missing), "80.0 % of the warps of walk were recorded (8 of 10): raise KPERF_BUFFER_MB to record all\n");
  EXPECT_FALSE(notes([&](Noted &it) { missing(it), it.kernel.sampling.interval = 2; }).contains("KPERF_BUFFER_MB"));
}

TEST(ReportNotes, OfSampledBlocksAndLaunches) {
  const std::string blocks = notes([](Noted &it) { it.kernel.sampling.interval = 4; });
  EXPECT_EQ(blocks,
            "1 block in 4 of walk was recorded: warps, warp-time, count, total and self are estimates for all blocks, without confidence "
            "intervals, for the trace is reduced; mean, percentiles, max, imbalance and duration are those of what was recorded; "
            "KPERF_SAMPLE=1 records every block\n");
  const auto strata = [](Noted &it, double recorded) {
    it.kernel.sampling.interval = 4;
    SampleStratum stratum{4, true, 1000, {}};
    stratum.blocks[0] = recorded;
    it.kernel.sampling.strata.push_back(stratum);
  };
  EXPECT_NE(notes([&](Noted &it) { strata(it, 59); })
                .find("was recorded (8 warps): warps, warp-time, count, total and self are estimates for all blocks, and how far off they "
                      "are can't be "
                      "known from 59 of them, fewer than 60: record one block in fewer; mean"),
            std::string::npos);
  const std::string exact =
      "and their 95 % confidence intervals are ± the errors given; what only one block in 20 or fewer does may be missing in 60 "
      "blocks";
  const std::string alike = ": all recorded blocks are the same there, or a few of them make up most of the sum";
  EXPECT_NE(notes([&](Noted &it) {
              strata(it, 60);
              RowTotals &row = it.row(0x21);
              row.sampled.resize(1);
              row.errors = {.count = 0.1, .inclusive = 0.2, .mean = {}};
            }).find(exact + "; mean"),
            std::string::npos);
  EXPECT_NE(notes([&](Noted &it) {
              strata(it, 60);
              RowTotals &row = it.row(0x21);
              row.sampled.resize(1);
              row.errors.count = 0.1;
            }).find(exact + ", and how far off they are can't be known where no error is given" + alike + "; mean"),
            std::string::npos);
  EXPECT_NE(notes([&](Noted &it) {
              strata(it, 60);
              it.row(0x21).sampled.resize(1);
            }).find("blocks, and how far off they are can't be known" + alike + "; mean"),
            std::string::npos);
  EXPECT_NE(notes([&](Noted &it) { // of a mark there is no time
              strata(it, 60);
              RowTotals &row = it.row(0x23, 0);
              row.sampled.resize(1);
              row.errors.count = 0.1;
            })
                .find(exact + "; mean"),
            std::string::npos);
}

TEST(ReportNotes, OfChosenLaunches) {
  const auto chosen = [](std::uint32_t least, std::uint32_t most, std::uint32_t interval) {
    return notes([=](Noted &it) {
      it.kernel.sampling.launchIntervals.least = least;
      it.kernel.sampling.launchIntervals.most = most;
      it.kernel.sampling.interval = interval;
    });
  };
  EXPECT_EQ(chosen(3, 3, 1),
            "1 launch in 3 of walk was recorded, as the overhead budget left time for it: warps, warp-time, count, total, self, "
            "mean, duration and launches are estimates for all 2 launches, without confidence intervals, for the trace is "
            "reduced; percentiles, max and imbalance are those of what was recorded; a greater one (KPERF_OVERHEAD_BUDGET) records more\n");
  EXPECT_TRUE(chosen(1, 2, 1).starts_with("1 launch in 1 to 2 of walk was recorded"));
  EXPECT_TRUE(
      chosen(2, 4, 8).starts_with("1 launch in 2 to 4 of walk was recorded, as the overhead budget left time for it (and of these 1 block "
                                  "in 8): warps"));
  EXPECT_EQ(chosen(1, 1, 1), "");
}

TEST(ReportNotes, OfSums) {
  const auto summed = [](Noted &it, bool hasExtremes) {
    RowTotals &row = it.row(0x21, 0);
    row.count = 3;
    row.durations.addSum(3, 30, hasExtremes ? std::optional(Quantiles::Extremes{5, 15}) : std::nullopt);
  };
  EXPECT_EQ(notes([&](Noted &it) { summed(it, true); }),
            "entries of walk were summed up on the device: no percentiles, no net times, no timeline\n");
  EXPECT_EQ(
      notes([&](Noted &it) { summed(it, false), it.row(0x22).overlapping = 1; }),
      "entries of walk were summed up on the device: no percentiles, no net times, no timeline, and no shortest and longest entry without "
      "--extremes; what was recorded entry by entry beside them counts in total, not in share\n");
  EXPECT_EQ(notes([&](Noted &it) {
              summed(it, true);
              std::vector<std::uint32_t> powers(format::kLengthPowers);
              powers[4] = 3;
              it.row(0x21, 0).durations.addPowers(std::span<const std::uint32_t>(powers));
            }),
            "entries of walk were summed up on the device: percentiles by powers of two (each is the middle of what it lies in, p50-error "
            "and so on "
            "say how far the ends are: a third of it at most), no net times, no timeline\n");
  EXPECT_EQ(notes([](Noted &it) { it.row(0x21).overlapping = 2; }), "2 spans of walk overlap others: they count in total, not in share\n");
  EXPECT_EQ(notes([](Noted &it) { it.row(0x21).count = 2; }), // one of them has no time
            "entries of walk were summed up on the device: no percentiles, no net times, no timeline\n"
            "the time of 1 entry of walk is not known: warps that lived for 2^32 cycles or longer summed it up in 32 bits; their time is "
            "in the row "
            "(not recorded), and building with --extremes keeps it\n");
  EXPECT_TRUE(notes([](Noted &it) { it.row(0x21).count = 3; }).contains("the time of 2 entries of walk"));
  EXPECT_EQ(notes([](Noted &it) { it.row(0x23).count = 3; }), ""); // instants have none
}

TEST(ReportNotes, OfPercentilesAndClocks) {
  EXPECT_EQ(notes([](Noted &it) { it.row(0x21, 255); }), "");
  EXPECT_EQ(notes([](Noted &it) { it.row(0x21, 256); }), "percentiles of walk come from a histogram: within 0.4 %\n");
  EXPECT_EQ(notes([](Noted &it) { it.rate = {.nsPerCycle = 0.5, .source = Source::Nominal}; }),
            "walk ran too briefly to measure its clock: ns assume the nominal 2000 MHz; cycles are exact\n");
  EXPECT_EQ(notes([](Noted &it) { it.rate = {}; }),
            "walk ran too briefly to measure its clock, and the device's nominal one is unknown: no ns are given\n");
  EXPECT_EQ(notes([](Noted &it) { it.rate = {.nsPerCycle = 1, .source = Source::Fit, .relativeError = 0.002}; }),
            "ns of walk are within 0.4 %: the clock was measured over short runs; cycles are exact\n");
  EXPECT_EQ(notes([](Noted &it) { it.rate = {.nsPerCycle = 1, .source = Source::Fit, .relativeError = 0.001}; }), "");
}

TEST(ReportNotes, OfRegionsBelowTheNoiseFloor) {
  // One entry of 10 cycles, whose probe takes `inside` ± `spread` of them.
  const auto noted = [](double inside, double spread, bool isUnknown = false) {
    return notes([=](Noted &it) {
      it.cost = {.inside = {inside, 1}, .around = {20, 20}, .spread = {spread, 0}, .isKnown = true};
      RowTotals &row = it.row(0x21);
      row.outermost.own = 1;
      row.hasUnknownProbes = isUnknown;
    });
  };
  EXPECT_EQ(noted(10, 0),
            "below the noise floor in walk (load): no longer than the probe itself (10 cycles); put the region around more work\n");
  EXPECT_EQ(noted(6, 0), ""); // 4 are left, more than a tenth of 6
  EXPECT_NE(noted(6, 2), ""); // twice 2
  EXPECT_EQ(noted(6, 1.9), "");
  EXPECT_NE(noted(9.1, 0), ""); // 0.9 are left, of 0.91
  EXPECT_EQ(noted(9, 0), "");   // 1 of 0.9
  EXPECT_EQ(noted(10, 0, true), "");
  EXPECT_EQ(notes([](Noted &it) { it.cost.inside[0] = 10, it.row(0x21).outermost.own = 1; }), ""); // no calibration
  EXPECT_NE(notes([](Noted &it) { // probes inside of it count by what they add around themselves
              it.cost = {.inside = {1, 1}, .around = {4, 4}, .spread = {}, .isKnown = true};
              RowTotals &row = it.row(0x21);
              row.outermost.own = 1;
              row.inside = {.own = 1, .shared = 2};
            }),
            "");
}

TEST(ReportNotes, OfProbesThatAreNotAsCalibrated) {
  const auto calibrated = [](Noted &it) { it.cost = {.inside = {1, 1}, .around = {4, 4}, .spread = {}, .isKnown = true}; };
  EXPECT_EQ(notes([&](Noted &it) { calibrated(it), it.kernel.probes.all.own = it.kernel.probes.topLevel.own = 25000; }),
            ""); // all of its time
  EXPECT_TRUE(
      notes([&](Noted &it) {
        calibrated(it), it.kernel.probes.all.own = it.kernel.probes.topLevel.own = 25001;
      }).starts_with("probe-cost of walk: at what each probe cost in the runtime's own kernel, they would have taken more than all"));
  EXPECT_EQ(notes([&](Noted &it) {
              calibrated(it);
              it.kernel.probes.all.own = it.kernel.probes.topLevel.own = 25001;
              it.kernel.records.sums = 1;
            }),
            "");
  // An atomic of 500 cycles each, in a twentieth of 100000.
  EXPECT_EQ(notes([&](Noted &it) { calibrated(it), it.kernel.probes.withoutFirstLane = 10; }), "");
  EXPECT_TRUE(notes([&](Noted &it) {
                calibrated(it), it.kernel.probes.withoutFirstLane = 11;
              }).starts_with("11 entries in walk were recorded by lanes without lane 0 of their warp"));
  EXPECT_TRUE(notes([&](Noted &it) {
                calibrated(it), it.row(0x22).hasUnknownProbes = true;
              }).starts_with("walk has ranges whose begin and end are a record each (KPERF_BEGIN, or a pragma on a declaration)"));
  EXPECT_EQ(notes([&](Noted &it) { calibrated(it), it.row(0x21).hasUnknownProbes = true; }), "");
  EXPECT_EQ(notes([&](Noted &it) {
              calibrated(it);
              RowTotals &row = it.row(0x22);
              row.hasUnknownProbes = true;
              row.nested.shared = 1;
            }),
            "");
}

TEST(ProbeShare, IsKnownWhereMostProbesAre) {
  Noted it;
  it.cost = {.inside = {1, 1}, .around = {4, 4}, .spread = {}, .isKnown = true};
  it.kernel.probes.all.own = it.kernel.probes.topLevel.own = 2500;
  EXPECT_DOUBLE_EQ(*probePercent(it.kernel, it.cost), 10);
  it.kernel.probes.pairs = 2500;
  EXPECT_TRUE(probePercent(it.kernel, it.cost));
  it.kernel.probes.pairs = 2501;
  EXPECT_FALSE(probePercent(it.kernel, it.cost));
  it.kernel.probes.all.shared = 1;
  EXPECT_TRUE(probePercent(it.kernel, it.cost));
  it.kernel.probes.withoutFirstLane = 11;
  EXPECT_FALSE(probePercent(it.kernel, it.cost));
  it.kernel.probes.withoutFirstLane = 10;
  it.kernel.records.sums = 1;
  EXPECT_FALSE(probePercent(it.kernel, it.cost));
  it.kernel.records.sums = 0;
  it.cost.isKnown = false;
  EXPECT_FALSE(probePercent(it.kernel, it.cost));
  it.cost.isKnown = true;
  it.kernel.cycles = 1;
  it.kernel.probes.withoutFirstLane = 0;
  EXPECT_DOUBLE_EQ(*probePercent(it.kernel, it.cost), 100); // no more than all
  it.kernel.cycles = 0;
  EXPECT_FALSE(probePercent(it.kernel, it.cost));
}

std::string gathered(const std::vector<std::pair<std::string, std::string>> &said) {
  GatheredNotes notes;
  for (const auto &[kernel, note] : said)
    notes.add(kernel, note);
  std::string out;
  for (const auto &[text, kernels] : notes.take())
    out += std::to_string(kernels) + " " + text + "\n";
  return out;
}

TEST(GatheredNotes, AreOneOfThoseThatDifferInTheKernel) {
  EXPECT_EQ(gathered({{"a", "a is small"}, {"b", "one of b is"}, {"ab", "ab is small"}}),
            "2 each of 2 kernels (a, ab) is small\n1 one of b is\n");
  EXPECT_EQ(gathered({{"a", "a is small"}, {"b", "b is not"}}), "1 a is small\n1 b is not\n");
  EXPECT_EQ(gathered({{"a", "of a (x): y"}, {"b", "of b (z): y"}}), "2 of each of 2 kernels (a: x; b: z): y\n");
  EXPECT_EQ(gathered({{"a", "of a (x(), z): y"}, {"b", "of b (w): y"}}), "2 of each of 2 kernels (a: x(), z; b: w): y\n");
  EXPECT_EQ(gathered({{"a", "of a (x): y"}}), "1 of a (x): y\n");
  EXPECT_EQ(gathered({{"a", "said twice of a"}, {"a", "said twice of a"}}), "1 said twice of a\n"); // of two devices
  EXPECT_EQ(gathered({{"a", "of a (x)"}, {"a", "of a (y)"}}), "1 of a (x)\n1 of a (y)\n");
  EXPECT_EQ(gathered({{"is", "this is it"}, {"a", "nothing"}, {"b", "nothing"}}), "1 this is it\n1 nothing\n1 nothing\n");
}

TEST(GatheredNotes, NameAsManyKernelsAsFitInALine) {
  std::vector<std::pair<std::string, std::string>> said;
  for (char letter = 'a'; letter <= 'z'; ++letter)
    said.emplace_back(std::string("kernel_") + letter, std::string("of kernel_") + letter);
  EXPECT_EQ(gathered(said), "26 of each of 26 kernels (kernel_a, kernel_b, kernel_c, kernel_d, …)\n"); // ten columns each
  for (auto &[kernel, note] : said)
    note = "of " + (kernel = "void n::" + kernel + "(const float*, float*, unsigned long, unsigned long)");
  const std::string text = gathered(said); // of which people see the short names
  EXPECT_TRUE(text.starts_with("26 of each of 26 kernels (void n::kernel_a(const") && text.contains("kernel_d(") &&
              text.ends_with(", …)\n"))
      << text;
}

} // namespace
} // namespace kperf::decoder
