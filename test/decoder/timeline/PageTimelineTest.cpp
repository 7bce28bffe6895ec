// What a page's timeline is given of a handful of warps, column by column, and what is left out of it.
#include "decoder/timeline/PageTimeline.h"
#include "decoder/io/Json.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

std::vector<unsigned char> bytesOf(const std::string &base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> out;
  unsigned word = 0, bits = 0;
  EXPECT_EQ(base64.size() % 4, 0u);
  for (const char digit : base64.substr(0, base64.find('='))) {
    word = word << 6 | static_cast<unsigned>(digits.find(digit));
    if ((bits += 6) >= 8)
      out.push_back(static_cast<unsigned char>(word >> (bits -= 8)));
  }
  return out;
}

/// "1 2 3" of a column.
template <typename T> std::string column(const Json &json) {
  const std::vector<unsigned char> bytes = bytesOf(json.get<std::string>());
  EXPECT_EQ(bytes.size() % sizeof(T), 0u);
  std::string out;
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    out += (out.empty() ? "" : " ") + std::to_string(static_cast<std::uint64_t>(value));
  }
  return out;
}
constexpr auto numbers = column<double>;
constexpr auto words = column<std::uint32_t>;
constexpr auto halves = column<std::uint16_t>;
constexpr auto bytes = column<std::uint8_t>;

Json pageOf(const std::string &text, std::uint64_t maxSpans = 1000, const std::string &kernel = "") {
  auto packed = packText(text, "text");
  EXPECT_TRUE(packed) << packed.error().text();
  const auto trace = Trace::read(ByteSource::memory(std::move(*packed)));
  EXPECT_TRUE(trace) << trace.error().text();
  const Trace *const traces[] = {&*trace};
  const auto pages = pageTimelines(traces, kernel, maxSpans);
  EXPECT_TRUE(pages) << pages.error().text();
  EXPECT_EQ(pages->size(), 1u);
  EXPECT_EQ(pages->front().id, "timeline");
  return Json::parse(pages->front().json);
}

const std::string kTrace = R"x(kperf 1.14 target=cuda
device 0 name="GPU" tick=1 khz=1000000 multiprocessors=4
region 0x20 kernel "walk"
region 0x21 scope "a"
region 0x22 scope "b"
region 0x23 mark "here"
region 0x24 wait "sync" operation=barrier object=block-barrier
region 0x25 range "r"
region 0x30 kernel "other"
warps
warp 0.0 kernel="walk" gridId=1 sm=3 ns=1000..3048 cycles=1000..3048 block=64x1x1
  span "a" 1100..1500
  span "b" 1200..1300
  span "sync" 1500..1990
  mark "here" 1600
  begin "r" 1400
  end "r" 1700
warp 0.1 kernel="walk" gridId=1 sm=3 ns=1100..2072 cycles=1100..2072 block=64x1x1
  span "sync" 1600..1610
warp 7.0 kernel="other" gridId=2 sm=2 ns=1500..2024 cycles=1500..2024
)x";

TEST(PageTimeline, HasColumnsOfWarpsAndSpans) {
  const Json page = pageOf(kTrace);
  EXPECT_EQ(page["lengthNs"], 2048);
  EXPECT_EQ(page["unitNs"], 1);
  EXPECT_EQ(page["warpCount"], 3);
  EXPECT_EQ(page["leftOut"], "");
  EXPECT_EQ(page["waits"], Json({4}));
  EXPECT_EQ(page["ranges"], Json({5}));
  EXPECT_EQ(page["devices"], Json({"GPU 0 GPU"}));
  EXPECT_EQ(page["kernels"], Json({"walk", "other"}));
  EXPECT_EQ(page["inPart"], Json::array());
  const Json &warps = page["warps"];
  EXPECT_EQ(numbers(warps["begin"]), "0 100 500");
  EXPECT_EQ(numbers(warps["end"]), "2048 1072 1024");
  EXPECT_EQ(numbers(warps["grid"]), "1 1 2");
  EXPECT_EQ(halves(warps["device"]), "0 0 0");
  EXPECT_EQ(halves(warps["sm"]), "3 3 2");
  EXPECT_EQ(halves(warps["kernel"]), "0 0 1");
  EXPECT_EQ(words(warps["block"]), "0 0 7");
  EXPECT_EQ(halves(warps["index"]), "0 1 0");
  EXPECT_EQ(halves(warps["role"]), "1 65535 65535"); // a: 300 cycles; of waits and nothing none
  // Tracks of the first warp: depth 0 with a and sync, 1 with b, r beside them, and marks; of the second depth 0.
  EXPECT_EQ(words(warps["track"]), "0 4 5 5");
  EXPECT_EQ(words(page["tracks"]["first"]), "0 2 3 4 5 6");
  const std::string depths = bytes(page["tracks"]["depth"]);
  EXPECT_TRUE(depths.starts_with("0 1 ") && depths.ends_with(" 0")) << depths;
  EXPECT_EQ(words(page["spans"]["begin"]), "100 500 200 400 600 500"); // from their warp's on
  EXPECT_EQ(words(page["spans"]["length"]), "400 490 100 300 0 10");
  EXPECT_EQ(halves(page["spans"]["region"]), "1 4 2 5 3 4");
}

TEST(PageTimeline, HasLaunchesArrowsAndHowFullMultiprocessorsWere) {
  const Json page = pageOf(kTrace);
  EXPECT_EQ(page["streams"], Json({"launches"}));
  EXPECT_EQ(numbers(page["launches"]["begin"]), "0 500");
  EXPECT_EQ(numbers(page["launches"]["end"]), "2048 1024");
  EXPECT_EQ(numbers(page["launches"]["grid"]), "1 2");
  EXPECT_EQ(halves(page["launches"]["kernel"]), "0 1");
  const Json &arrows = page["releases"]; // warp 1 comes to the barrier at 600 and lets warp 0 go on, at 990
  EXPECT_EQ(words(arrows["to"]), "0");
  EXPECT_EQ(words(arrows["toAt"]), "990");
  EXPECT_EQ(words(arrows["from"]), "1");
  EXPECT_EQ(words(arrows["fromAt"]), "500");
  EXPECT_EQ(halves(arrows["wait"]), "4");
  ASSERT_EQ(page["occupancy"].size(), 1u);
  const Json &occupancy = page["occupancy"][0];
  EXPECT_EQ(occupancy["device"], 0);
  EXPECT_EQ(occupancy["stepNs"], 3); // 2048 / 1024, and one
  EXPECT_EQ(occupancy["steps"], 1024);
  EXPECT_EQ(occupancy["sms"], Json({2, 3}));
  EXPECT_EQ(occupancy["scale"], 1000);
  const std::vector<unsigned char> values = bytesOf(occupancy["values"].get<std::string>());
  ASSERT_EQ(values.size(), 2 * 2 * 1024u);
  const auto at = [&](std::size_t sm, std::size_t step) {
    return values[2 * (1024 * sm + step)] + 256 * values[2 * (1024 * sm + step) + 1];
  };
  EXPECT_EQ(at(0, 166), 333); // from 500 on, of 498 to 501
  EXPECT_EQ(at(0, 167), 1000);
  EXPECT_EQ(at(0, 341), 333); // until 1024, of 1023 to 1026
  EXPECT_EQ(at(1, 0), 1000);
  EXPECT_EQ(at(1, 33), 1667); // another from 100 on, of 99 to 102
  EXPECT_EQ(at(1, 34), 2000);
  EXPECT_EQ(at(1, 357), 1333); // until 1072, of 1071 to 1074
}

/// Launches of 20 warps with a span each, on 4 multiprocessors in turn.
std::string launches(int count) {
  std::string out = "kperf 1.14 target=cuda\ndevice 0 name=\"GPU\" tick=1 khz=1000000 multiprocessors=4\nregion 0x20 kernel \"walk\"\n"
                    "region 0x21 scope \"a\"\nwarps\n";
  for (int grid = 0; grid < count; ++grid)
    for (int block = 0; block < 20; ++block) {
      const int begin = 1000 * grid;
      out += "warp " + std::to_string(block) + ".0 kernel=\"walk\" gridId=" + std::to_string(grid + 1) +
             " sm=" + std::to_string(block % 4) + " ns=" + std::to_string(begin) + ".." + std::to_string(begin + 900) +
             " cycles=" + std::to_string(begin) + ".." + std::to_string(begin + 900) + "\n  span \"a\" " + std::to_string(begin + 10) +
             ".." + std::to_string(begin + 20) + "\n";
    }
  return out;
}

TEST(PageTimeline, TakesTheFirstLaunchesOrMultiprocessorsThatHaveRoom) {
  const auto shown = [](int count, std::uint64_t maxSpans) {
    const Json page = pageOf(launches(count), maxSpans);
    return std::to_string(bytesOf(page["warps"]["sm"].get<std::string>()).size() / 2) + " warps, " +
           std::to_string(bytesOf(page["spans"]["region"].get<std::string>()).size() / 2) + " spans" +
           (page["leftOut"] == "" ? "" : ", less");
  };
  EXPECT_EQ(shown(1, 100), "20 warps, 20 spans");
  EXPECT_EQ(shown(1, 95), "20 warps, 20 spans"); // warps of a fifth of the spans, and one
  EXPECT_EQ(shown(1, 94), "19 warps, 19 spans, less");
  EXPECT_EQ(shown(3, 1000), "60 warps, 60 spans");
  EXPECT_EQ(shown(1, 10), "3 warps, 3 spans, less");
}

TEST(PageTimeline, SaysWhatIsLeftOut) {
  const std::string text = pageOf(launches(3), 50)["leftOut"];
  EXPECT_TRUE(text.starts_with(
      "The timeline has 11 spans and marks of 11 of 60 warps: 2 of 3 launches. --limit 295 shows all, in a page of about 1 "
      "MB; kperf timeline --window --sm --block shows others."))
      << text;
}

} // namespace
} // namespace kperf::decoder
