// What a timeline shows of a handful of warps, and what it leaves out: each limit from both sides.
#include "decoder/timeline/Timeline.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <cmath>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// Keeps what it is told, a line each.
class Lines final : public TimelineSink {
public:
  void start(const TimelineContext &given) override {
    context = &given;
    add("length " + std::to_string(given.lengthNs));
  }
  void launch(const TimelineLaunch &launch) override {
    add("launch " + std::to_string(launch.device) + "." + std::to_string(launch.gridId) + " " + launch.kernel + " " +
        range(launch.begin, launch.end) + " " + std::to_string(launch.warps) + " " + std::to_string(launch.records) + " " +
        streamText(launch.stream));
  }
  bool warp(const TimelineWarp &warp) override {
    const std::string role = warp.role == RegionSet::kNone ? "-" : context->regions[warp.role].name;
    add("warp " + std::to_string(warp.warp.header.block) + " " + warp.kernel + " " + range(warp.begin, warp.end) + " " + role);
    return takesWarps;
  }
  void span(const TimelineSpan &span) override {
    add("  " + context->regions[span.span.region].name + " " + range(span.begin, span.end) + " " + std::to_string(span.depth) + "/" +
        std::to_string(span.lane));
  }
  void mark(const Mark &mark, std::uint64_t at) override { add("  mark " + std::to_string(mark.payload) + " " + std::to_string(at)); }
  void active(std::uint32_t device, std::uint64_t at, double warps) override {
    if (showsCounts)
      add("active " + std::to_string(device) + " " + std::to_string(at) + " " + std::to_string(static_cast<int>(warps * 1000)));
  }

  std::string text;
  bool takesWarps = true, showsCounts = false;

private:
  static std::string range(std::uint64_t begin, std::uint64_t end) { return std::to_string(begin) + ".." + std::to_string(end); }
  void add(const std::string &line) { text += line + "\n"; }
  const TimelineContext *context = nullptr;
};

const std::string kHead = R"x(kperf 1.14 target=cuda
device 0 name="GPU" tick=1 khz=1000000
region 0x20 kernel "walk"
region 0x21 scope "a"
region 0x22 scope "b"
region 0x23 mark "here"
region 0x24 wait "sync" operation=barrier object=block-barrier
region 0x25 range "r"
region 0x30 kernel "other"
)x";
const std::string kLaunches = "launch \"walk()\" grid=2x1x1 block=32x1x1 stream=0x7\nlaunch \"other()\" grid=1x1x1 block=32x1x1\n";
/// Two blocks of "walk" and one of "other", half a µs later.
const std::string kWarps = R"x(warps
warp 0.0 kernel="walk" gridId=1 sm=3 ns=1000..2000 cycles=1000..2000 grid=2x1x1
  span "a" 1100..1500
  span "b" 1200..1300
  span "sync" 1500..1990
  mark "here" 1600 payload=9
warp 1.0 kernel="walk" gridId=1 sm=4 ns=1100..1900 cycles=1100..1900 grid=2x1x1
  span "b" 1200..1300
warp 0.0 kernel="other" gridId=2 sm=3 ns=2500..2600 cycles=2500..2600 grid=1x1x1
)x";

struct Shown {
  std::string text;
  TimelineSummary summary;
};

Shown shown(const std::string &trace, const TimelineOptions &options = {}, Lines sink = {}) {
  auto bytes = packText(trace, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  const auto read = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(read) << read.error().text();
  const auto summary = runTimeline(*read, options, sink);
  EXPECT_TRUE(summary) << summary.error().text();
  return {sink.text, *summary};
}

TEST(Timeline, ShowsLaunchesWarpsAndSpansFromTheFirstWarpOn) {
  const Shown all = shown(kHead + kLaunches + kWarps);
  EXPECT_EQ(all.text, "length 1600\n"
                      "launch 0.1 walk 0..1000 2 5 stream 0x7\n"
                      "launch 0.2 other 1500..1600 1 0 default stream\n"
                      "warp 0 walk 0..1000 a\n"
                      "  a 100..500 0/0\n"
                      "  b 200..300 1/0\n"
                      "  sync 500..990 0/0\n"
                      "  mark 9 600\n"
                      "warp 1 walk 100..900 b\n"
                      "  b 200..300 0/0\n"
                      "warp 0 other 1500..1600 -\n");
  EXPECT_EQ(all.summary.events, 8u);
  EXPECT_EQ(all.summary.warps, 3u);
  EXPECT_EQ(all.summary.filtered + all.summary.overLimit + all.summary.lost, 0u);
  Lines bare;
  bare.takesWarps = false;
  EXPECT_EQ(shown(kHead + kWarps, {}, bare).summary.events, 3u);
}

TEST(Timeline, StreamsAreKnownWhereTheHostMadeExactlyTheseLaunches) {
  const auto streams = [](const std::string &launches) {
    std::string out;
    const std::string text = shown(kHead + launches + kWarps).text;
    for (std::size_t at = text.find("launch 0."); at != std::string::npos; at = text.find("launch 0.", at + 1)) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      out += line.ends_with("stream 0x7") ? "7" : line.ends_with("default stream") ? "0" : "-";
    }
    return out;
  };
  EXPECT_EQ(streams(kLaunches), "70");
  EXPECT_EQ(streams(""), "--");
  EXPECT_EQ(streams(kLaunches + "launch \"other()\" grid=1x1x1 block=32x1x1\n"), "--");           // one more
  EXPECT_EQ(streams(kLaunches + "launch \"other()\" grid=1x1x1 block=32x1x1 flags=0x4\n"), "70"); // but without probes
  EXPECT_EQ(streams("launch \"walk()\" grid=2x1x1 block=32x1x1 stream=0x7\n"), "--");
  EXPECT_EQ(streams("launch \"walk()\" grid=2x1x1 block=32x1x1 flags=0x2\nlaunch \"other()\" grid=1x1x1 block=32x1x1\n"), "--"); // captured
  for (const char *grid : {"3x1x1", "2x2x1", "2x1x2"})
    EXPECT_EQ(streams("launch \"walk()\" grid=" + std::string(grid) + " block=32x1x1\nlaunch \"other()\" grid=1x1x1 block=32x1x1\n"), "--")
        << grid;
  for (const char *block : {"33x1x1", "32x2x1", "32x1x2"})
    EXPECT_EQ(streams("launch \"walk()\" grid=2x1x1 block=" + std::string(block) + "\nlaunch \"other()\" grid=1x1x1 block=32x1x1\n"), "--")
        << block;
}

TEST(Timeline, EventsHaveALimit) {
  const auto limited = [](std::uint64_t most) {
    const Shown out = shown(kHead + kWarps, {.maxEvents = most});
    return std::to_string(out.summary.events) + " of " + std::to_string(out.summary.events + out.summary.overLimit) + ", " +
           std::to_string(out.summary.warps) + " warps";
  };
  EXPECT_EQ(limited(0), "8 of 8, 3 warps");
  EXPECT_EQ(limited(8), "8 of 8, 3 warps");
  EXPECT_EQ(limited(7), "7 of 8, 2 warps");
  EXPECT_EQ(limited(5), "5 of 8, 1 warps"); // the second warp's span is beyond, too
  EXPECT_EQ(limited(3), "3 of 8, 1 warps");
}

TEST(Timeline, WindowsTakeWhatTouchesThem) {
  const auto window = [](double from, double to) {
    const Shown out = shown(kHead + kLaunches + kWarps, {.fromNs = from, .toNs = to});
    std::string lines;
    for (std::size_t at = out.text.find('\n') + 1; at < out.text.size(); at = out.text.find('\n', at) + 1)
      lines += out.text[at] == 'l' ? 'L' : out.text[at] == 'w' ? 'W' : out.text.substr(at, 6) == "  mark" ? 'm' : 's';
    return lines + std::to_string(out.summary.filtered);
  };
  EXPECT_EQ(window(0, 1600), "LLWsssmWsW0");
  EXPECT_EQ(window(1000, 1499), "LW2"); // the first warp ends then, and its spans before
  EXPECT_EQ(window(1001, 1499), "3");
  EXPECT_EQ(window(1001, 1500), "LW2");
  EXPECT_EQ(window(1600, 1700), "LW2");
  EXPECT_EQ(window(1601, 1700), "3");
  EXPECT_EQ(window(600, 600), "LWsmW1");
  EXPECT_EQ(window(601, 610), "LWsW1");
}

TEST(Timeline, KernelsMultiprocessorsAndBlocksAreChosen) {
  const auto warps = [](const TimelineOptions &options) {
    const Shown out = shown(kHead + kWarps, options);
    return std::to_string(out.summary.warps) + "/" + std::to_string(out.summary.filtered);
  };
  EXPECT_EQ(warps({.sms = {{4, 4}}}), "1/2");
  EXPECT_EQ(warps({.sms = {{0, 3}}}), "2/1");
  EXPECT_EQ(warps({.sms = {{0, 2}, {5, 9}}}), "0/3");
  EXPECT_EQ(warps({.sms = {{0, 2}, {4, 9}}}), "1/2");
  EXPECT_EQ(warps({.blocks = {{1, 1}}}), "1/2");
  EXPECT_EQ(warps({.kernel = "w*"}), "2/1");
  EXPECT_EQ(shown(kHead + kWarps, {.kernel = "other"}).text,
            "length 1600\nlaunch 0.2 other 1500..1600 1 0 launches\nwarp 0 other 1500..1600 -\n");
}

TEST(Timeline, SpansThatCrossAreInLanesOfTheirOwn) {
  const std::string text = shown(kHead + R"x(warps
warp 0.0 kernel="walk" ns=1000..2000 cycles=1000..2000
  begin "r" 1050
  span "a" 1100..1200
  end "r" 1150
  begin "r" 1160
  begin "r" 1180
  end "r" 1300
  end "r" 1310
  begin "r" 1305
  end "r" 1320
)x")
                               .text;
  EXPECT_NE(text.find("  r 50..150 0/1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  a 100..200 0/0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  r 160..300 0/1\n"), std::string::npos) << text; // its lane was free
  EXPECT_NE(text.find("  r 180..310 0/2\n"), std::string::npos) << text;
}

TEST(Timeline, CountsWarpsInAThousandSteps) {
  // 1600 ns are steps of 2: two warps from 100 on, one from 900 to 1000, and one at the end.
  Lines sink;
  sink.showsCounts = true;
  const std::string text = shown(kHead + kWarps, {}, sink).text;
  EXPECT_TRUE(
      text.ends_with("active 0 0 1000\nactive 0 100 2000\nactive 0 900 1000\nactive 0 1000 0\nactive 0 1500 1000\nactive 0 1600 0\n"))
      << text;
}

TEST(Timeline, SaysWhatIsNotKnownOfClocksAndRecords) {
  const std::string warps = "warps\nwarp 0.0 kernel=\"walk\" ns=1000..1010 cycles=1000..1020\n";
  EXPECT_EQ(shown(kHead + warps).summary.notes,
            (std::vector<std::string>{"some kernels ran too briefly to measure their clock: their times assume the nominal one"}));
  const std::string unknown = "kperf 1.14 target=cuda\ndevice 0 name=\"GPU\" tick=1\nregion 0x20 kernel \"walk\"\n";
  EXPECT_EQ(shown(unknown + warps).summary.notes,
            (std::vector<std::string>{"some kernels ran too briefly to measure their clock, and the nominal one "
                                      "is unknown: a cycle is shown as 1 ns"}));
  EXPECT_TRUE(shown(kHead + kWarps).summary.notes.empty());
  const Shown lost =
      shown(kHead + "warps\nwarp 0.0 kernel=\"walk\" ns=1000..2000 cycles=1000..2000 produced=9 capacity=2\n  span \"a\" 1100..1200\n"
                    "  begin \"r\" 1300\n");
  EXPECT_EQ(lost.summary.lost, 8u); // seven of nine, and a begin
}

TEST(TimelineOptions, AreRangesAndWindows) {
  const auto ranges = parseRanges("0-3,7");
  ASSERT_TRUE(ranges);
  EXPECT_EQ(*ranges, (TimelineOptions::Ranges{{0, 3}, {7, 7}}));
  EXPECT_TRUE(parseRanges("3-3"));
  for (const char *wrong : {",", "3-2", "a", "1-", "-1", "1,,2", "1 2", "99999999999999999999"})
    EXPECT_FALSE(parseRanges(wrong)) << wrong;
  const auto window = parseWindow("1.5:3");
  ASSERT_TRUE(window);
  EXPECT_EQ(*window, std::pair(1500.0, 3000.0));
  EXPECT_EQ(parseWindow(":3")->first, 0);
  EXPECT_TRUE(std::isinf(parseWindow("2:")->second));
  for (const char *wrong : {"", "3", "3:2", "a:b", "1:2:3", "1:x"})
    EXPECT_FALSE(parseWindow(wrong)) << wrong;
}

} // namespace
} // namespace kperf::decoder
