// Bytes of a trace as UTF-8, numbers and values as JSON, shell patterns: at each border of what is allowed.
#include "decoder/io/Glob.h"
#include "decoder/io/Json.h"
#include "decoder/io/Utf8.h"
#include "decoder/print/Wrapped.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {
namespace {

/// The Unicode Standard, table 3-7: well-formed sequences, by first byte.
TEST(Utf8, LengthIsThatOfWellFormedSequences) {
  const std::vector<std::pair<std::string, std::size_t>> kinds = {{"\x01", 1},
                                                                  {"\x7f", 1},
                                                                  {"\x80", 0},
                                                                  {"\xc1\xbf", 0},
                                                                  {"\xc2\x80", 2},
                                                                  {"\xdf\xbf", 2},
                                                                  {"\xc2\x7f", 0},
                                                                  {"\xc2\xc0", 0},
                                                                  {"\xe0\x9f\xbf", 0},
                                                                  {"\xe0\xa0\x80", 3},
                                                                  {"\xec\xbf\xbf", 3},
                                                                  {"\xed\x9f\xbf", 3},
                                                                  {"\xed\xa0\x80", 0},
                                                                  {"\xee\x80\x80", 3},
                                                                  {"\xef\xbf\xbf", 3},
                                                                  {"\xe1\x80\x7f", 0},
                                                                  {"\xe1\x7f\x80", 0},
                                                                  {"\xf0\x8f\xbf\xbf", 0},
                                                                  {"\xf0\x90\x80\x80", 4},
                                                                  {"\xf4\x8f\xbf\xbf", 4},
                                                                  {"\xf4\x90\x80\x80", 0},
                                                                  {"\xf3\xbf\xbf\xbf", 4},
                                                                  {"\xf3\xbf\xbf\x7f", 0},
                                                                  {"\xf5\x80\x80\x80", 0},
                                                                  {"\xff", 0}};
  for (const auto &[bytes, length] : kinds) {
    EXPECT_EQ(utf8Length(bytes + "tail"), length) << testing::PrintToString(bytes);
    if (length > 1)
      EXPECT_EQ(utf8Length(bytes.substr(0, length - 1)), 0u) << testing::PrintToString(bytes); // cut off
    EXPECT_EQ(utf8Length(bytes), length);
  }
}

TEST(Utf8, CodePointsAreThoseOfTheSequence) {
  EXPECT_EQ(codePoint("A", 1), U'A');
  EXPECT_EQ(codePoint("\xc2\x80", 2), char32_t{0x80});
  EXPECT_EQ(codePoint("\xdf\xbf", 2), char32_t{0x7ff});
  EXPECT_EQ(codePoint("\xe2\x82\xac", 3), char32_t{0x20ac});
  EXPECT_EQ(codePoint("\xf4\x8f\xbf\xbf", 4), char32_t{0x10ffff});
}

std::string utf8Of(char32_t point) {
  if (point < 0x80)
    return std::string(1, static_cast<char>(point));
  std::string out;
  unsigned shift = point < 0x800 ? 6 : point < 0x10000 ? 12 : 18;
  out += static_cast<char>((shift == 6 ? 0xc0 : shift == 12 ? 0xe0 : 0xf0) | point >> shift);
  while (shift > 0) {
    shift -= 6;
    out += static_cast<char>(0x80 | (point >> shift & 0x3f));
  }
  return out;
}

/// Unicode 16.0: Cc, Cf, Zl and Zp.
TEST(Utf8, ControlsEndWhereUnicodeHasIt) {
  const std::vector<std::pair<char32_t, char32_t>> ranges = {
      {1, 0x1f},          {0x7f, 0x9f},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},
      {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},
      {0x2060, 0x206f},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
      {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f}};
  for (const auto &[first, last] : ranges) {
    for (const char32_t point : {first, last}) {
      EXPECT_TRUE(startsWithControl(utf8Of(point))) << std::hex << std::uint32_t{point};
      EXPECT_EQ(printable("a" + utf8Of(point) + "b"), "a?b") << std::hex << std::uint32_t{point};
    }
    for (const char32_t point : {first - 1, last + 1})
      if (point > 0) {
        EXPECT_FALSE(startsWithControl(utf8Of(point))) << std::hex << std::uint32_t{point};
        EXPECT_EQ(printable("a" + utf8Of(point) + "b"), "a" + utf8Of(point) + "b");
      }
  }
}

TEST(Utf8, PrintableKeepsWhatItIsAskedTo) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a\tb\nc", "\t"), "a\tb?c");
  EXPECT_EQ(printable("\x80\xff"), "??");
  EXPECT_EQ(printable("a\xe2\x82"), "a??");
  EXPECT_EQ(printable("ü€"), "ü€");
}

TEST(Utf8, TextsAreCutInTheirMiddle) {
  EXPECT_EQ(columnsOf("aü€\xf0\x9f\x98\x80"), 4u);
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdef", 5), "ab…ef");
  EXPECT_EQ(shortened("abcdef", 4), "ab…f");
  EXPECT_EQ(shortened("abcdef", 2), "a…");
  EXPECT_EQ(shortened("abcdef", 1), "…");
  EXPECT_EQ(shortened("abcdef", 0), "abcdef");
  EXPECT_EQ(shortened("äöüßéè", 5), "äö…éè");
}

TEST(Utf8, OfPlacesTheEndIsKept) {
  EXPECT_EQ(shortened("src/kernels/cuda/attention.cu:52", 26), "…/cuda/attention.cu:52");
  EXPECT_EQ(shortened("src/kernels/cuda/attention.cu:52", 22), "…/cuda/attention.cu:52");
  EXPECT_EQ(shortened("src/kernels/cuda/attention.cu:52", 21), "…/attention.cu:52");
  EXPECT_EQ(shortened("src/kernels/cuda/attention.cu:52", 16), "…attention.cu:52");
  EXPECT_EQ(shortened("src/kernels/cuda/attention.cu:52", 14), "…tention.cu:52");
  EXPECT_EQ(shortened("attention.cu:52", 8), "…n.cu:52");
  EXPECT_EQ(shortened("kerne/größe.cu", 10), "…/größe.cu");
  EXPECT_EQ(shortened("attention.cu:52", 1), "…");
  EXPECT_TRUE(isPlace("cuda/std/atomic:12"));
  EXPECT_FALSE(isPlace("load K/V"));
  EXPECT_FALSE(isPlace("load/store"));
  EXPECT_FALSE(isPlace("attention.cu:"));
  EXPECT_FALSE(isPlace("a[i/2]"));
  EXPECT_FALSE(isPlace("gemm::run:2"));
  EXPECT_FALSE(isPlace("attention.cu"));
}

TEST(Wrapped, BreaksAtBlanks) {
  EXPECT_EQ(wrapped("aaa bbb ccc", 7, 2), "aaa bbb\n  ccc\n");
  EXPECT_EQ(wrapped("aaa bbb ccc", 6, 2), "aaa\n  bbb\n  ccc\n");
  EXPECT_EQ(wrapped("aaaaaaaaa b", 4, 2), "aaaaaaaaa\n  b\n"); // no word is broken
  EXPECT_EQ(wrapped("", 4, 2), "\n");
  EXPECT_EQ(wrapped("äää bb", 6, 0), "äää bb\n");
}

TEST(Json, NumbersAreRounded) {
  EXPECT_EQ(jsonNumber(1.23456, 4).dump(), "1.235");
  EXPECT_EQ(jsonNumber(12345.6, 4).dump(), "12350");
  EXPECT_EQ(jsonNumber(1.0 / 3).dump(), "0.3333333333");
  EXPECT_EQ(jsonNumber(2).dump(), "2");
  EXPECT_EQ(jsonNumber(999999999999999, 15).dump(), "999999999999999");
  EXPECT_EQ(jsonNumber(1e15, 15).dump(), "1e+15"); // from there on it is no whole number
  EXPECT_EQ(jsonNumber(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(jsonNumber(NAN).dump(), "null");
  EXPECT_EQ(jsonNumber(5e-324, 3).dump(), "5e-324");
}

TEST(Json, OuterLevelsHaveALineForEachElement) {
  const Json value = {{"a", {1, 2}}, {"b", {{"c", Json::array()}, {"d", {3}}}}};
  EXPECT_EQ(jsonText(value), R"({"a":[1,2],"b":{"c":[],"d":[3]}})");
  EXPECT_EQ(jsonText(value, 1), "{\n  \"a\":[1,2],\n  \"b\":{\"c\":[],\"d\":[3]}\n}");
  EXPECT_EQ(jsonText(value, 2), "{\n  \"a\":[\n    1,\n    2\n  ],\n  \"b\":{\n    \"c\":[],\n    \"d\":[3]\n  }\n}");
}

TEST(Json, ControlsAreEscapedInUtf16) {
  EXPECT_EQ(jsonText("a\x7f\xc2\x9f\xc2\xa0"), "\"a\\u007f\\u009f\xc2\xa0\"");
  EXPECT_EQ(jsonText("\xe2\x80\xae"), "\"\\u202e\"");
  EXPECT_EQ(jsonText("\xf3\xa0\x80\x81"), "\"\\udb40\\udc01\""); // U+E0001 is D800 + 340, DC00 + 1
  EXPECT_EQ(jsonText("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
  EXPECT_EQ(jsonText("\xff"), "\"\xef\xbf\xbd\"");
}

TEST(Glob, StarsTakeAnyNumberAndQuestionMarksOne) {
  EXPECT_TRUE(matches("", "anything"));
  EXPECT_TRUE(matches("a*c", "abbbc"));
  EXPECT_TRUE(matches("a*c", "ac"));
  EXPECT_TRUE(matches("a*bc", "abbcbc"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a**", "a"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_TRUE(matches("*a*b*", "xaxxbx"));
  EXPECT_FALSE(matches("a?c", "ac"));
  EXPECT_FALSE(matches("a?", "a"));
  EXPECT_FALSE(matches("a", "ab"));
  EXPECT_FALSE(matches("ab", "a"));
  EXPECT_FALSE(matches("a*c", "abcd"));
  EXPECT_FALSE(matches("?", ""));
}

} // namespace
} // namespace kperf::decoder
