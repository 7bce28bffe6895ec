// What is said of each kind of loss: how much of it there is in all, and why.
#include "decoder/view/LossNotes.h"
#include "decoder/text/Pack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

namespace kperf::decoder {
namespace {

struct Losses {
  explicit Losses(const std::string &rows) {
    auto bytes = packText("kperf 1.15 target=cuda\ndevice 0 name=\"GPU\"\n" + rows, "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    all = fmt::format("{}", fmt::join(*traceLosses(*trace), "\n"));
    memory = fmt::format("{}", fmt::join(*memoryLosses(*trace), "\n"));
  }
  std::string all, memory;
};

TEST(LossNotes, AreSumsByKind) {
  const std::string rows = "loss warps-without-buffer count=5 reason=\"full\"\nloss unreadable count=1\n"
                           "loss warps-without-buffer device=1 count=2 reason=\"full\"\n";
  EXPECT_EQ(Losses(rows).all, "7 warps found the device buffer full: raise KPERF_BUFFER_MB or lower KPERF_RECORDS (full)\n"
                              "1 byte of the device buffer could not be read back");
  EXPECT_EQ(Losses(rows).memory, "");
  EXPECT_EQ(Losses("").all, "");
}

/// Of launches that were not recorded some are the user's wish.
TEST(LossNotes, LaunchesAreSumsByTheirReason) {
  const Losses losses("loss launches-unrecorded count=1 reason=\"b\"\nloss launches-unrecorded count=3 reason=\"a\"\n"
                      "loss launches-unrecorded count=4 reason=\"b\"\n");
  EXPECT_EQ(losses.all, "3 launches ran while recording was off (a)\n5 launches ran while recording was off (b)");
  EXPECT_EQ(losses.memory, losses.all);
}

TEST(LossNotes, SayWhatIsLost) {
  const auto both = [](const std::string &kind, bool isOfMemory) {
    const Losses one("loss " + kind + " count=1\n"), two("loss " + kind + " count=2\n");
    EXPECT_EQ(one.memory, isOfMemory ? one.all : "") << kind;
    return one.all + " / " + two.all;
  };
  EXPECT_EQ(both("unreadable", false),
            "1 byte of the device buffer could not be read back / 2 bytes of the device buffer could not be read back");
  EXPECT_EQ(both("launches-unlisted", false),
            "1 launch without a line in the launch list, which was full / 2 launches without a line in the "
            "launch list, which was full");
  EXPECT_EQ(both("ranges-unlisted", false),
            "1 NVTX event without a line in the list of host ranges, which was full / 2 NVTX events without a "
            "line in the list of host ranges, which was full");
  EXPECT_EQ(both("switched-off", false),
            "1 kernel or region switched off by the user and not recorded / 2 kernels or regions switched off by "
            "the user and not recorded");
  EXPECT_EQ(both("sites-unreadable", true),
            "the counters of 1 memory access could not be read back / the counters of 2 memory accesses could not be read back");
  EXPECT_EQ(both("references-unreadable", true),
            "1 use of cache lines could not be read back / 2 uses of cache lines could not be read back");
  EXPECT_EQ(
      both("other-lanes", false),
      "1 time a lane came to a region of a function without the lane that records there: no record / 2 times a lane came to a region of "
      "a function without the lane that records there: no record");
}

} // namespace
} // namespace kperf::decoder
