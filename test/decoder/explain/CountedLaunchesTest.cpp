// How many launches and warps the traces of counted accesses speak of: by the host's list, by the warps, and by a reduced trace.
#include "decoder/explain/CountedLaunches.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// "launches/warps" of the kernel.
std::string countOf(const std::vector<std::string> &texts, const std::string &kernel = "walk") {
  std::vector<Trace> traces;
  for (const std::string &text : texts) {
    auto bytes =
        packText("kperf 1.15 target=cuda\ndevice 0 name=\"GPU\" lanes=32\ndevice 1 name=\"other\" lanes=64\nregion 0x1 calibration "
                 "\"calibration\"\nregion 0x20 kernel \"walk\"\nregion 0x21 kernel \"void run<int>(int)\"\n" +
                     text,
                 "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    traces.push_back(std::move(*trace));
  }
  const auto counted = CountedLaunches::read(traces);
  EXPECT_TRUE(counted) << counted.error().text();
  return std::to_string(counted->of(kernel).launches) + "/" + std::to_string(counted->of(kernel).warps);
}

// 2·3·5 blocks of 5·3·7 = 105 threads: four warps of 32 lanes, or two of 64.
TEST(CountedLaunches, ListedOnesHaveTheWarpsOfTheirGrids) {
  const std::string launch = "launch \"void walk<float>(float)\" grid=2x3x5 block=5x3x7";
  EXPECT_EQ(countOf({launch + "\n"}), "1/120");
  EXPECT_EQ(countOf({launch + "\n" + launch + " device=1\n"}), "2/180");
  EXPECT_EQ(countOf({launch + "\n", launch + "\n"}), "2/240");
  for (const char *flags : {"0x2", "0x4", "0x8"}) // in a graph, without probes, of another build
    EXPECT_EQ(countOf({launch + "\n" + launch + " flags=" + flags + "\n"}), "1/120") << flags;
  EXPECT_EQ(countOf({launch + "\n"}, "run"), "0/0");
}

TEST(CountedLaunches, MoreThanAreListedAreThoseOfWhichWarpsWereSeen) {
  const auto warp = [](int grid, const std::string &kernel = "walk", const std::string &shape = " grid=2x3x5 block=5x3x7") {
    return "warp 0.0 kernel=\"" + kernel + "\" gridId=" + std::to_string(grid) + " ns=0..10 cycles=0..10" + shape + "\n";
  };
  const std::string listed = "launch \"walk()\" grid=1x1x1 block=32x1x1\n";
  EXPECT_EQ(countOf({"warps\n" + warp(1)}), "1/120");
  EXPECT_EQ(countOf({"warps device=1\n" + warp(1)}), "1/60");
  EXPECT_EQ(countOf({"warps\n" + warp(1) + warp(1)}), "1/120");                      // warps of one launch
  EXPECT_EQ(countOf({"warps\n" + warp(1) + "warps device=1\n" + warp(1)}), "2/180"); // of one on each device
  EXPECT_EQ(countOf({"warps\n" + warp(1), "warps\n" + warp(1)}), "2/240");           // of two processes
  EXPECT_EQ(countOf({listed + "warps\n" + warp(1)}), "1/1");                         // as many as are listed
  EXPECT_EQ(countOf({listed + "warps\n" + warp(1) + warp(2)}), "2/240");
  EXPECT_EQ(countOf({"warps\n" + warp(1, "calibration") + warp(1, "void run<int>(int)")}, "run"), "1/120");
  EXPECT_EQ(countOf({"warps\n" + warp(1, "calibration")}, "calibration"), "0/0");
}

TEST(CountedLaunches, OfAReducedTraceAreWhatItSays) {
  const std::string summary = "summary kernel=\"walk\" flags=region,path grid=2x3x1 block=40x1x1 launches=4 warps-launched=48 warps=4\n";
  EXPECT_EQ(countOf({summary}), "4/48");
  EXPECT_EQ(countOf({summary, summary}), "8/96");
  EXPECT_EQ(countOf({"launch \"walk()\" grid=1x1x1 block=32x1x1\n" + summary}), "4/48");
}

} // namespace
} // namespace kperf::decoder
