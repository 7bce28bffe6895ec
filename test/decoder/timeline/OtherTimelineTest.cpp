// Which kernels another tool's timeline has, and where its list of events ends: small texts, as such tools write them and as none does.
#include "decoder/timeline/OtherTimeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace kperf::decoder {
namespace {

std::string threeText(const std::array<std::uint32_t, 3> &three) { return fmt::format("{}x{}x{}", three[0], three[1], three[2]); }

/// "name device grid block begin..end; …", or the error.
std::string kernelsIn(const std::string &text) {
  const auto timeline = OtherTimeline::read(text, "t.json");
  if (!timeline)
    return timeline.error().text();
  std::string out;
  for (const KernelRun &run : timeline->kernels())
    out += fmt::format("{} {} {} {} {}..{}; ", run.name, run.device, threeText(run.grid), threeText(run.block), run.beginNs, run.endNs);
  return out;
}

/// The same of one event.
std::string kernelIn(const std::string &members) { return kernelsIn("[{" + members + "}]"); }

const std::string kRun = R"("ph": "X", "cat": "kernel", "name": "k", "ts": 5.25, "dur": 2)";

TEST(OtherTimeline, AKernelHasANameATimeAndWhereItRan) {
  EXPECT_EQ(kernelIn(kRun), "k 0 0x0x0 0x0x0 5250..7250; ");
  EXPECT_EQ(kernelIn(kRun + R"(, "args": {"device": 3, "grid": [1, 2, 3], "block": [4, 5, 6]})"), "k 3 1x2x3 4x5x6 5250..7250; ");
  EXPECT_EQ(kernelIn(R"("ph": "X", "cat": "Kernel", "name": "k", "ts": 5, "dur": 0)"), "k 0 0x0x0 0x0x0 5000..5000; ");
  EXPECT_EQ(kernelIn(R"("ph": "X", "cat": "kernel", "name": "k", "ts": -5, "dur": 1)"), "k 0 0x0x0 0x0x0 -5000..-4000; ");
}

TEST(OtherTimeline, WhatIsSaidInAnotherWayIsNotKnown) {
  EXPECT_EQ(kernelIn(kRun + R"(, "args": [7])"), "k 0 0x0x0 0x0x0 5250..7250; ");
  EXPECT_EQ(kernelIn(kRun + R"(, "args": {"device": -1, "grid": [1, 2], "block": [4, 5, 6, 7]})"), "k 0 0x0x0 0x0x0 5250..7250; ");
  EXPECT_EQ(kernelIn(kRun + R"(, "args": {"device": "1", "grid": "1x2x3", "block": [4, -5, 6]})"), "k 0 0x0x0 4x0x6 5250..7250; ");
}

TEST(OtherTimeline, OtherEventsAreNoKernels) {
  for (const char *const members :
       {R"("ph": "B", "cat": "kernel", "name": "k", "ts": 5, "dur": 1)",
        R"("ph": "X", "cat": "cpu_op", "name": "kernel", "ts": 5, "dur": 1)", R"("ph": "X", "cat": "kernel", "ts": 5, "dur": 1)",
        R"("ph": "X", "cat": "kernel", "name": 7, "ts": 5, "dur": 1)", R"("ph": "X", "cat": "kernel", "name": "k", "dur": 1)",
        R"("ph": "X", "cat": "kernel", "name": "k", "ts": 5)", R"("ph": "X", "cat": "kernel", "name": "k", "ts": 5, "dur": -1)",
        R"("ph": "X", "cat": "kernel", "name": "k", "ts": "5", "dur": 1)",
        R"("ph": "X", "cat": "kernel", "name": "k", "ts": 1e16, "dur": 1)",
        R"("ph": "X", "cat": "kernel", "name": "k", "ts": 5, "dur": 1,,)"})
    EXPECT_EQ(kernelIn(members), "") << members;
}

TEST(OtherTimeline, AnEventEndsWhereItsBraceDoes) {
  const std::string nested =
      R"({"ph": "X", "cat": "kernel", "name": "a}]{\"\\", "ts": 1, "dur": 1, "args": {"grid": [1, 1, 1], "x": [{}, []]}})";
  const std::string plain = R"({"ph": "X", "cat": "kernel", "name": "b", "ts": 2, "dur": 1})";
  EXPECT_EQ(kernelsIn("[" + nested + ",\n\t\r " + plain + "]"), "a}]{\"\\ 0 1x1x1 0x0x0 1000..2000; b 0 0x0x0 0x0x0 2000..3000; ");
}

/// What is up to the last event, and what follows.
TEST(OtherTimeline, TheListIsFoundWhereverItIs) {
  struct Case {
    const char *text, *head;
    bool hasEvents;
  };
  for (const Case &each :
       {Case{" \n[{}, {} ]x", " \n[{}, {}", true}, Case{"[ ]", "[", false}, Case{"[{}", "[{}", true}, Case{"[", "[", false},
        Case{R"({"a": [1], "traceEvents" : [{"b": 1}], "c": []})", R"({"a": [1], "traceEvents" : [{"b": 1})", true},
        Case{R"({"traceEvents":[]})", R"({"traceEvents":[)", false}}) {
    const auto out = OtherTimeline::read(each.text, "t.json");
    ASSERT_TRUE(out) << each.text;
    EXPECT_EQ(out->head(), each.head);
    EXPECT_EQ(std::string(out->head()) + std::string(out->tail()), each.text);
    EXPECT_EQ(out->hasEvents(), each.hasEvents) << each.text;
  }
}

TEST(OtherTimeline, WhatIsNoListIsRefused) {
  for (const char *const text : {"", " \n", "{}", R"({"traceEvents")", R"({"traceEvents": 7})", R"({"traceEvents": {}})"})
    EXPECT_EQ(kernelsIn(text), "t.json: it is no timeline in the Trace Event Format: there is no list of events; give what "
                               "export_chrome_trace() wrote")
        << text;
  EXPECT_EQ(kernelsIn("[{}, 7]"), "t.json: at byte 5 an event was expected; write it anew");
  EXPECT_EQ(kernelsIn("[{}, {\"a\": [}"), "t.json: the event at byte 5 does not end: the file is cut off; write it anew");
  EXPECT_EQ(kernelsIn("\x1f\x8b\x08"), "t.json: it is compressed; unpack it with gunzip first");
}

TEST(OtherTimeline, TheBaseOfItsTimesIsOfTheFileAndNotOfAnEvent) {
  const auto base = [](const std::string &text) {
    const auto out = OtherTimeline::read(text, "t.json");
    EXPECT_TRUE(out) << text;
    return out->unixBaseNs();
  };
  EXPECT_EQ(base(R"({"traceEvents": [{}], "baseTimeNanoseconds": 1700000000000000001})"), 1700000000000000001);
  EXPECT_EQ(base(R"({"baseTimeNanoseconds" : 17, "traceEvents": [{}]})"), 17);
  EXPECT_EQ(base(R"({"baseTimeNanoseconds": 17, "traceEvents": [], "baseTimeNanoseconds": -18})"), -18);
  EXPECT_EQ(base(R"({"baseTimeNanoseconds": 17, "traceEvents": [], "baseTimeNanoseconds": "18"})"), 17);
  EXPECT_EQ(base(R"({"traceEvents": [{"baseTimeNanoseconds": 17}]})"), std::nullopt);
  EXPECT_EQ(base(R"({"traceEvents": [{}], "baseTimeNanoseconds": null})"), std::nullopt);
  EXPECT_EQ(base("{\"traceEvents\": [{}], \"baseTimeNanoseconds\""), std::nullopt);
}

} // namespace
} // namespace kperf::decoder
