// Which traces can be of one source: each field that may not differ changed alone.
#include "decoder/trace/SameBuild.h"
#include "decoder/text/Pack.h"
#include "decoder/trace/Writer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {
namespace {

/// A trace of a build of that id and these rows.
Trace traceOf(unsigned build, const std::string &rows, const std::string &head = "") {
  auto bytes = packText("kperf 1.14 build=" + std::to_string(build) + " " + head + "\n" + rows, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  return std::move(*trace);
}

/// Why the rows of two builds are not of one source; "" where they can be.
std::string conflict(const std::string &a, const std::string &b, unsigned buildOfB = 2) {
  std::vector<Trace> traces;
  traces.push_back(traceOf(1, a));
  traces.push_back(traceOf(buildOfB, b));
  const Status status = checkSameBuild(traces);
  return status ? "" : status.error().found;
}

const std::string kKernel = "region 0x20 kernel \"k\" function=\"k\" file=\"k.cu\" line=1 source=\"one\"\n";
const std::string kRegion = "region 0x21 scope \"a\" function=\"k\" file=\"k.cu\" line=2 column=3 source=\"two\"\n";
const std::string kSite = "site 0xb1 load \"in[i]\" function=\"k\" file=\"k.cu\" line=4 column=5 width=5 bytes=4 source=\"four\"\n";

std::string with(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SameBuild, RegionsOfOneIdAreTheSame) {
  EXPECT_EQ(conflict(kKernel + kRegion, kKernel + kRegion), "");
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"scope", "pragma"}, {"\"a\"", "\"b\""},   {"function=\"k\"", "function=\"l\""},
      {"k.cu", "l.cu"},    {"line=2", "line=9"}, {"column=3", "column=4"}};
  for (const auto &[from, to] : changes)
    EXPECT_TRUE(conflict(kKernel + kRegion, kKernel + with(kRegion, from, to)).starts_with("region 0x21 is '")) << from;
  EXPECT_EQ(conflict(kKernel + kRegion, kKernel + with(kRegion, "line=2", "line=9")), "region 0x21 is 'a' (k.cu:9)");
}

TEST(SameBuild, AccessesOfOneIdAreTheSame) {
  EXPECT_EQ(conflict(kKernel + kSite, kKernel + kSite), "");
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"load", "store"}, {"function=\"k\"", "function=\"l\""}, {"k.cu", "l.cu"}, {"line=4", "line=9"}, {"column=5", "column=6"}};
  for (const auto &[from, to] : changes)
    EXPECT_TRUE(conflict(kKernel + kSite, kKernel + with(kSite, from, to)).starts_with("access 0xb1 is at ")) << from;
  EXPECT_EQ(conflict(kKernel + kSite, kKernel + with(kSite, "line=4", "line=9")), "access 0xb1 is at k.cu:9:5");
}

TEST(SameBuild, BuildsOfOneSourceMayRecordOtherThings) {
  const std::string wait = "region 0x22 wait \"w\" function=\"k\" file=\"k.cu\" line=3 operation=barrier object=block-barrier\n";
  EXPECT_EQ(conflict(kKernel + kRegion, kKernel + kSite), "");
  EXPECT_EQ(conflict(kKernel + kRegion, kKernel + kRegion + wait), "");
  const std::string another = "another 'k.cu', and build id 0x2";
  EXPECT_EQ(conflict(kKernel + kRegion, kKernel + with(kRegion, "0x21", "0x31")), another); // but what both record of a file
  EXPECT_EQ(conflict(kKernel + wait, kKernel + with(wait, "0x22", "0x32")), another);
  EXPECT_EQ(conflict(kKernel + kSite, kKernel + with(kSite, "0xb1", "0xc1")), another);
  EXPECT_EQ(conflict(kKernel, with(kKernel, "0x20", "0x30")), another);
  const std::string second = "region 0x40 kernel \"m\" function=\"m\" file=\"k.cu\" line=40\n";
  EXPECT_EQ(conflict(kKernel, kKernel + second), ""); // which kernels need a row depends on the build
  EXPECT_EQ(conflict(kKernel + kRegion, with(kSite, "source=\"four\"", "source=\"none\"")), "");
  EXPECT_EQ(conflict(kKernel + kRegion, with(with(kSite, "line=4", "line=2"), "four", "three")), another); // one line reads differently
  EXPECT_EQ(conflict(kKernel, with(second, "k.cu", "m.cu")), "build id 0x2");                              // no file in common
}

TEST(SameBuild, OfOneIdNothingIsCompared) { EXPECT_EQ(conflict(kKernel, with(kKernel, "\"k\"", "\"l\""), 1), ""); }

TEST(SameBuild, EachIsComparedWithAllBuildsBefore) {
  std::vector<Trace> traces;
  traces.push_back(traceOf(1, kKernel));
  traces.push_back(traceOf(2, kKernel + kRegion));
  traces.push_back(traceOf(3, kKernel + with(kRegion, "line=2", "line=9"))); // another region than the second has
  EXPECT_FALSE(checkSameBuild(traces));
  EXPECT_TRUE(checkSameBuild(std::span(traces).first(2)));
}

TEST(Writer, WhatIsMadeOfSeveralTracesIsAsOldAsTheFirstOfThem) {
  std::vector<Trace> traces;
  for (const auto &[build, head] : {std::pair(7u, "created=5 target=hip"), {1u, "created=3 target=hip"}, {2u, "created=4 target=hip"}})
    traces.push_back(traceOf(build, "", head));
  const format::FileHeader header = headerOfAll(traces);
  EXPECT_EQ(header.createdUnixNs, 3u);
  EXPECT_EQ(header.buildId, 7u);
  EXPECT_EQ(header.target, format::Target::Hip);
  EXPECT_EQ(header.versionMinor, format::kVersionMinor);
  traces.clear();
  const std::string later = "kperf 1." + std::to_string(format::kVersionMinor + 2) + "\n";
  for (const std::string &text : {std::string("kperf 1.0\n"), later})
    traces.push_back(Trace::read(ByteSource::memory(*packText(text, "text"))).value());
  EXPECT_EQ(headerOfAll(traces).versionMinor, format::kVersionMinor + 2); // whose members may be in it
}

TEST(SameBuild, SaysWhatEachRecords) {
  const std::string wait = "region 0x22 wait \"w\" operation=barrier object=block-barrier\n";
  EXPECT_EQ(probesOf(traceOf(1, "")), "launches");
  EXPECT_EQ(probesOf(traceOf(1, kKernel)), "regions");
  EXPECT_EQ(probesOf(traceOf(1, "region 0x1 calibration \"calibration\"\n")), "launches");
  EXPECT_EQ(probesOf(traceOf(1, wait)), "waits");
  EXPECT_EQ(probesOf(traceOf(1, kKernel + wait + kSite)), "regions, waits, memory accesses");
}

} // namespace
} // namespace kperf::decoder
