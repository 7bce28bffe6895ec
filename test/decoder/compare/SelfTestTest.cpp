// What the self-test calls wrong: a trace that agrees with what its program knows, and each of these facts changed alone.
#include "decoder/compare/SelfTest.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <cmath>

#include <map>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// Two blocks of 40 threads enter "a" three times in each warp; a warp spins three times; one waits for another for 1000 ns; four blocks
/// run on two units, two at a time on the first; and a loop touches 8 sectors. A cycle takes a ns.
const std::string kTrace = R"x(kperf 1.14 target=cuda
device 0 name="GPU" architecture="sm_90" driver="13.0" multiprocessors=4 lanes=32 tick=1 khz=1000000
region 0x1 calibration "calibration"
region 0x2 calibration "own empty"
region 0x3 calibration "own enclosing"
region 0x4 calibration "shared empty"
region 0x5 calibration "shared enclosing"
region 0x20 kernel "count" function="count" line=1
region 0x21 scope "a" function="count" line=2
region 0x22 kernel "spinLong" function="spinLong" line=3
region 0x23 scope "long spin" function="spinLong" line=4
region 0x24 kernel "late" function="late" line=5
region 0x25 wait "__syncthreads" operation=barrier object=block-barrier function="late" line=6
region 0x26 kernel "spinOnUnits" function="spinOnUnits" line=7
launch "count()" grid=2x1x1 block=40x1x1
launch "spinLong()" grid=1x1x1 block=32x1x1
launch "late()" grid=1x1x1 block=40x1x1
launch "spinOnUnits()" grid=4x1x1 block=32x1x1
site 0xb1 load "data[i]" function="touch" file="k.cu" line=8 column=1 width=4 bytes=4
site 0xb2 load "other[i]" function="touch" file="k.cu" line=9 column=1 width=4 bytes=4
warps
warp 0.0 ns=0..50000 cycles=0..50000 kernel="calibration"
  span "own empty" 100..104
  span "own enclosing" 200..210
  span "shared empty" 400..406
  span "shared enclosing" 500..512
WARPS
counters 0xb1 accesses=2 lanes=64 bytes=256 distinct-bytes=256 sectors=8 min-sectors=8 lines=2 min-lines=2 unit=2
counters 0xb2 accesses=1 lanes=32 bytes=128 distinct-bytes=128 sectors=4 min-sectors=4 lines=1 min-lines=1 unit=1
)x";

std::string warps() {
  std::string out;
  for (const char *warp : {"0.0", "0.1", "1.0", "1.1"})
    out += "warp " + std::string(warp) + " kernel=\"count\" gridId=1 ns=1000..2000 cycles=1000..2000 grid=2x1x1 block=40x1x1\n" +
           "  span \"a\" 1000..1010\n  span \"a\" 1100..1110\n  span \"a\" 1200..1210\n";
  out += "warp 0.0 kernel=\"spinLong\" gridId=2 ns=10000..20000 cycles=10000..20000\n"
         "  span \"long spin\" 10000..11000\n  span \"long spin\" 12000..14000\n  span \"long spin\" 15000..18000\n"
         "warp 0.0 kernel=\"late\" gridId=3 ns=30000..32000 cycles=30000..32000 block=40x1x1\n  span \"__syncthreads\" 30100..31100\n"
         "warp 0.1 kernel=\"late\" gridId=3 ns=30000..32000 cycles=30000..32000 block=40x1x1\n  span \"__syncthreads\" 30800..31100\n"
         "warp 0.0 kernel=\"spinOnUnits\" gridId=4 sm=0 ns=40000..41000 cycles=40000..41000 grid=4x1x1\n"
         "warp 1.0 kernel=\"spinOnUnits\" gridId=4 sm=0 ns=40500..41500 cycles=40500..41500 grid=4x1x1\n"
         "warp 2.0 kernel=\"spinOnUnits\" gridId=4 sm=1 ns=40000..41000 cycles=40000..41000 grid=4x1x1\n"
         "warp 3.0 kernel=\"spinOnUnits\" gridId=4 sm=1 ns=41000..42000 cycles=41000..42000 grid=4x1x1\n";
  return out;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

SelfTestResult resultOf(const std::string &traceText, const std::map<std::string, double> &changed) {
  std::map<std::string, double> facts = {
      {"wrong", 0},        {"lanes", 32},       {"votes-wrong", 0},    {"launches", 4},     {"threads", 40},      {"blocks", 2},
      {"entries.a", 3},    {"spun-ns", 1e6},    {"waited-ns", 1e6},    {"launch-ns", 5000}, {"spun-ns.0", 1000},  {"spun-ns.1", 2000},
      {"spun-ns.2", 3000}, {"units-blocks", 4}, {"units-least", 2},    {"units-most", 2},   {"units-at-once", 2}, {"units-waited-ns", 2000},
      {"late-ns", 1000},   {"waking-ns", 50},   {"sectors.data[i]", 8}};
  for (const auto &[name, value] : changed)
    facts[name] = value;
  std::string said = "hello\n";
  for (const auto &[name, value] : facts)
    said += "selftest " + name + " " + std::to_string(value) + "\n";
  const auto parsed = SelfTestFacts::parse(said);
  EXPECT_TRUE(parsed) << parsed.error().text();
  auto bytes = packText(traceText, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  auto result = selfTest(*trace, *parsed);
  EXPECT_TRUE(result) << result.error().text();
  return std::move(*result);
}

std::string traceOf(const std::string &warps) { return replaced(kTrace, "WARPS\n", warps); }

/// The assumptions that do not hold, one a line.
std::string wrong(const std::string &traceText, const std::map<std::string, double> &changed = {}) {
  const SelfTestResult result = resultOf(traceText, changed);
  std::string out;
  unsigned failed = 0;
  for (const auto &row : result.table.rows)
    if (std::get<std::string>(row.back()) == "NO") {
      out += std::get<std::string>(row.front()) + "\n";
      ++failed;
    }
  EXPECT_EQ(failed, result.failed);
  return out;
}
std::string wrong(const std::string &name, double value) { return wrong(traceOf(warps()), {{name, value}}); }

TEST(SelfTest, FindsNothingWrongWhereAllAgrees) {
  const SelfTestResult result = resultOf(traceOf(warps()), {});
  EXPECT_EQ(result.table.title, "GPU, sm_90, 13.0");
  EXPECT_EQ(result.failed, 0u);
  std::string out;
  for (const auto &row : result.table.rows)
    out += std::get<std::string>(row[0]) + ": " + std::get<std::string>(row[1]) + ": " + std::get<std::string>(row[2]) + "\n";
  EXPECT_EQ(out, R"(wrong answers: 0: 0
lanes of a warp, in a kernel: 32: 32
lanes with wrong votes, shuffles: 0: 0
launches, seen by the host: 4: 4
launches, told apart on the device: 4: 4
launches numbered out of order: 0: 0
warps: 4: 4
entries of 'a': 12: 12
records without room, or lost: 0: 0
records that make no sense: 0: 0
warps that never ended: 0: 0
warps whose clocks run back: 0: 0
wait by the device's timer: 0.98 to 1.025 ms: 1 ms
same wait as a region, off by: 0 to 2 %: 0 %
clock rate: 980 to 1020 MHz: 1000 MHz
cost of a probe: 0 to 2e+04 cycles: 4 cycles
cost of a probe in a function: 0 to 2e+04 cycles: 6 cycles
blocks that fill units: 4: 4
units told apart: 2 to 2: 2
most of them at a time on one unit: 1 to 2: 2
first start to last end of them: 0 to 0.002 ms: 0.002 ms
waits at a barrier: 2: 2
longest of them: 0.00098 to 0.00107 ms: 0.001 ms
shortest: who came last: 0 to 0.0005 ms: 0.0003 ms
sectors of data[i]: 8: 8
)");
}

TEST(SelfTest, EachFactIsHeldAgainstTheTrace) {
  EXPECT_EQ(wrong("wrong", 1), "wrong answers\n");
  EXPECT_EQ(wrong("votes-wrong", 2), "lanes with wrong votes, shuffles\n");
  EXPECT_EQ(wrong("launches", 5), "launches, seen by the host\nlaunches, told apart on the device\n");
  EXPECT_EQ(wrong("blocks", 3), "warps\nentries of 'a'\n");
  EXPECT_EQ(wrong("threads", 65), "warps\nentries of 'a'\nwaits at a barrier\n"); // three warps
  EXPECT_EQ(wrong("threads", 64), "");
  EXPECT_EQ(wrong("threads", 33), "");
  EXPECT_EQ(wrong("threads", 32), "warps\nentries of 'a'\nwaits at a barrier\n");
  EXPECT_EQ(wrong("entries.a", 4), "entries of 'a'\n");
  EXPECT_EQ(wrong("entries.b", 1), "entries of 'b'\n");
  EXPECT_EQ(wrong("units-blocks", 5), "blocks that fill units\n");
  EXPECT_EQ(wrong("units-least", 3), "units told apart\n");
  EXPECT_EQ(wrong("units-most", 1), "units told apart\n");
  EXPECT_EQ(wrong("units-at-once", 1), "most of them at a time on one unit\n");
  EXPECT_EQ(wrong("sectors.data[i]", 9), "sectors of data[i]\n");
  EXPECT_EQ(wrong("sectors.other[i]", 4), "");
  EXPECT_EQ(wrong("sectors.nothing[i]", 4), "sectors of nothing[i]\n");
}

TEST(SelfTest, TimesMayBeOffByTwoPercent) {
  EXPECT_EQ(wrong("waited-ns", 980000), "");
  EXPECT_EQ(wrong("waited-ns", 979999), "wait by the device's timer\n");
  EXPECT_EQ(wrong("waited-ns", 1024999), ""); // and what a launch takes
  EXPECT_EQ(wrong("waited-ns", 1025001), "wait by the device's timer\n");
  EXPECT_EQ(wrong("spun-ns.1", 1961), ""); // 2000 for it
  EXPECT_EQ(wrong("spun-ns.1", 1960), "same wait as a region, off by\n");
  EXPECT_EQ(wrong("spun-ns.2", 3061), "");
  EXPECT_EQ(wrong("spun-ns.2", 3062), "same wait as a region, off by\n");
  EXPECT_EQ(wrong("units-waited-ns", 1999), "first start to last end of them\n");
  EXPECT_EQ(wrong("late-ns", 1020), "");
  EXPECT_EQ(wrong("late-ns", 1021), "longest of them\n");
  EXPECT_EQ(wrong("late-ns", 932), "");
  EXPECT_EQ(wrong("late-ns", 931), "longest of them\n");
}

TEST(SelfTest, FindsWhatATraceHasWrong) {
  const auto with = [](const std::string &from, const std::string &to) { return wrong(traceOf(replaced(warps(), from, to))); };
  EXPECT_EQ(with("30800..31100", "30601..31100"), ""); // who comes last waits for less than half of that
  EXPECT_EQ(with("30800..31100", "30599..31100"), "shortest: who came last\n");
  EXPECT_EQ(with("gridId=3 ns=30000..32000 cycles", "gridId=3 ns=9000..11000 cycles"), "launches numbered out of order\n");
  EXPECT_EQ(with("15000..18000", "15000..17900"), "same wait as a region, off by\n");
  EXPECT_EQ(with("  span \"long spin\" 10000..11000\n", ""), "same wait as a region, off by\n"); // three are expected
  EXPECT_EQ(with("gridId=2 ns=10000..20000", "gridId=2 ns=10000..20190"), "");                   // 990.6 MHz
  EXPECT_EQ(with("40500..41500 cycles", "41000..41500 cycles"), "");                             // fewer at once than there may be
  EXPECT_EQ(with("  span \"a\" 1000..1010\n", "  span \"a\" 30000000..30000010\n"), "entries of 'a'\nrecords that make no sense\n");
  EXPECT_EQ(with("  span \"a\" 1000..1010\n", ""), "entries of 'a'\n");
  const std::string later = "ns=40000..41000", earlier = "ns=30000..41000"; // two launches may begin at one time
  EXPECT_EQ(with("gridId=4 sm=0 " + later, "gridId=4 sm=0 " + earlier), "first start to last end of them\n");
}

/// Each count is one more, and none makes up for another.
TEST(SelfTest, AddsUpWhatMakesNoSense) {
  const std::string damaged = "  span \"a\" 30000000..30000010\n", begin = "  begin \"r\" 19000\n", end = "  end \"r\" 18500\n";
  const auto with = [](const std::string &records, const std::string &losses = "") {
    const std::string warp = "  span \"long spin\" 15000..18000\n";
    std::string text = replaced(kTrace, "launch \"count()\"", "region 0x27 range \"r\" function=\"count\" line=8\nlaunch \"count()\"");
    return wrong(replaced(text, "WARPS\n", replaced(warps(), warp, warp + records)) + losses);
  };
  EXPECT_EQ(with(""), "");
  for (const std::string &records : {damaged, begin, end, damaged + begin, damaged + end, end + begin, damaged + end + begin})
    EXPECT_EQ(with(records), "records that make no sense\n") << records;
  EXPECT_EQ(with("", "loss warps-without-buffer count=5\n"), "records without room, or lost\n");
}

TEST(SelfTest, TheClockOfAGpuMayBeSlowerAndAConstantOneNot) {
  const auto rate = [](const std::string &device, int ns) {
    std::string trace = replaced(traceOf(warps()), "tick=1 khz=1000000", device);
    trace = replaced(trace, "gridId=2 ns=10000..20000", "gridId=2 ns=10000.." + std::to_string(10000 + ns));
    return wrong(trace, {{"spun-ns.0", ns / 10.0}, {"spun-ns.1", ns / 5.0}, {"spun-ns.2", 3 * ns / 10.0}});
  };
  EXPECT_EQ(rate("tick=1 khz=1000000", 9804), "");
  EXPECT_EQ(rate("tick=1 khz=1000000", 9803), "clock rate\n");
  EXPECT_EQ(rate("tick=1 khz=1000000", 10204), "");
  EXPECT_EQ(rate("tick=1 khz=1000000", 10205), "clock rate\n");
  EXPECT_EQ(rate("tick=32 khz=1000000", 9091), ""); // a tenth faster
  EXPECT_EQ(rate("tick=32 khz=1000000", 9090), "clock rate\n");
  EXPECT_EQ(rate("tick=32 khz=1000000", 100000), ""); // a tenth of it
  EXPECT_EQ(rate("tick=32 khz=1000000", 100001), "clock rate\n");
}

TEST(SelfTest, WhatWasNotBuiltOrSaidIsNotHeldAgainstIt) {
  std::string trace = traceOf(warps());
  trace = trace.substr(0, trace.find("counters"));
  for (int i = 0; i < 2; ++i)
    trace.erase(trace.find("site 0xb"), trace.find('\n', trace.find("site 0xb")) + 1 - trace.find("site 0xb"));
  const SelfTestResult result = resultOf(trace, {});
  EXPECT_EQ(result.failed, 0u);
  EXPECT_EQ(std::get<std::string>(result.table.rows.back()[2]), "built without memory probes");
  EXPECT_EQ(std::get<std::string>(result.table.rows.back()[3]), "-");
  EXPECT_EQ(wrong(traceOf("")), "launches, told apart on the device\nwarps\nentries of 'a'\nsame wait as a region, off by\nclock rate\n"
                                "blocks that fill units\nunits told apart\nmost of them at a time on one unit\n"
                                "first start to last end of them\nwaits at a barrier\nlongest of them\nshortest: who came last\n");
}

TEST(SelfTest, ReadsTheProgramsLines) {
  const auto facts = SelfTestFacts::parse("selftest a b 2.5\nselftest\nselftest \nselftest x\nother 1\n selftest y 1\nselftest c 1e3");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->all(), (std::map<std::string, double>{{"a b", 2.5}, {"c", 1000}}));
  EXPECT_TRUE(std::isnan((*facts)["d"]));
  EXPECT_FALSE(SelfTestFacts::parse("selftest a 2x\n"));
  EXPECT_FALSE(SelfTestFacts::parse("selftest a \n"));
  EXPECT_FALSE(SelfTestFacts::parse("nothing\n"));
  EXPECT_FALSE(SelfTestFacts::parse(""));
}

} // namespace
} // namespace kperf::decoder
