// Words for people: patterns, numbers, cut texts, tables that fit.
#include "decoder/io/Glob.h"
#include "decoder/io/Json.h"
#include "decoder/io/Utf8.h"
#include "decoder/print/Printer.h"
#include "decoder/table/NumberFormat.h"
#include "decoder/text/TextLine.h"
#include "decoder/timeline/Timeline.h"

#include <gtest/gtest.h>

using namespace kperf::decoder;

TEST(Glob, MatchesNamesOfTemplates) {
  EXPECT_TRUE(matches("", "anything"));
  EXPECT_TRUE(matches("gemm*", "gemm<float, 128>"));
  EXPECT_TRUE(matches("*<float*>", "gemm<float, 128>"));
  EXPECT_TRUE(matches("g?mm<*, *>", "gemm<float, 128>"));
  EXPECT_FALSE(matches("gemm", "gemm<float>"));
  EXPECT_FALSE(matches("*x*y", "axbyc"));
  EXPECT_TRUE(matches("[a]*", "[a]b"));
}

TEST(Utf8, MakesAnyBytesPrintable) {
  EXPECT_EQ(printable("a\x1b[31m\n"), "a?[31m?");
  EXPECT_EQ(printable("\xff\xc3\xa9\xc2\x9b"), "?é?");
  EXPECT_EQ(printable("a\tb\n\x1b", "\t\n"), "a\tb\n?");
  EXPECT_EQ(printable("a\xe2\x80\xaegnp.exe"), "a?gnp.exe"); // U+202E turns round what follows
  EXPECT_EQ(columnsOf("éa"), 2u);
  EXPECT_EQ(shortened("abcdefghij", 5), "ab…ij");
  EXPECT_EQ(shortened("abc", 5), "abc");
  EXPECT_EQ(utf8Length("\xed\xa0\x80"), 0u); // a surrogate
}

TEST(Json, HoldsNothingThatDrivesATerminal) {
  EXPECT_EQ(jsonText("\xc2\x9b\x7f"), "\"\\u009b\\u007f\"");
  EXPECT_EQ(jsonText("\xe2\x80\xae\xf3\xa0\x81\x81"), "\"\\u202e\\udb40\\udc41\"");
  EXPECT_EQ(jsonText("\"\\\n\xff"), "\"\\\"\\\\\\n\xef\xbf\xbd\"");
}

TEST(Json, HasALineForEachElementOfTheOuterLevels) {
  const Json value = {{"b", Json::array({1, Json::array({2, 3})})}, {"a", Json::object()}};
  EXPECT_EQ(jsonText(value), R"({"b":[1,[2,3]],"a":{}})");
  EXPECT_EQ(jsonText(value, 2), "{\n  \"b\":[\n    1,\n    [2,3]\n  ],\n  \"a\":{}\n}");
  EXPECT_EQ(Json::parse(jsonText(value, 3)), value);
}

TEST(Json, RoundsNumbers) {
  EXPECT_EQ(jsonText(jsonNumber(0.1 + 0.2)), "0.3");
  EXPECT_EQ(jsonText(jsonNumber(5)), "5");
  EXPECT_EQ(jsonText(jsonNumber(1234567, 4)), "1235000");
  EXPECT_EQ(jsonText(jsonNumber(-0.00123456, 3)), "-0.00123");
  EXPECT_EQ(jsonText(jsonNumber(1.0 / 0.0)), "null");
  EXPECT_EQ(jsonText(jsonNumber(5e-324, 4)), "5e-324");
}

TEST(TextLine, ReadsWhatQuotedTextWrites) {
  for (const std::string text : {"", "a \"b\" \\c", "\x01\x7f\xff\xc2\x9b\xe2\x80\xae é\t\r\n", "# no comment = here"}) {
    auto line = TextLine::parse("verb key=" + quotedText(text) + " # comment", 1);
    ASSERT_TRUE(line);
    ASSERT_TRUE(line->find("key")) << text;
    EXPECT_TRUE(line->finish());
    auto again = TextLine::parse("verb " + quotedText(text), 1);
    EXPECT_EQ(again->next()->value, text);
  }
}

TEST(TextLine, KeysAreOfLettersDigitsAndHyphens) {
  const auto keyOf = [](const std::string &word) {
    auto line = TextLine::parse("verb " + word, 1);
    return line->next() ? "none" : line->find(word.substr(0, word.find('='))) ? word.substr(0, word.find('=')) : "other";
  };
  EXPECT_EQ(keyOf("azAZ09-=1"), "azAZ09-");
  EXPECT_EQ(keyOf("a="), "a");
  for (const char *none : {"=1", "a", "a/b=1", "a:b=1", "a@b=1", "a[b=1", "a`b=1", "a{b=1", "a_b=1", "a.b=1", "a,b=1"})
    EXPECT_EQ(keyOf(none), "none") << none;
}

TEST(TextLine, NumbersFitIntoWhatTheyAreReadInto) {
  const auto read = [](const std::string &number) {
    auto line = TextLine::parse("verb size=" + number, 7);
    const TextLine::Word *word = line->find("size");
    std::uint16_t out = 1;
    line->number(*word, word->value, out);
    const auto status = line->finish();
    return status ? std::to_string(out) : status.error().text();
  };
  EXPECT_EQ(read("65535"), "65535");
  EXPECT_EQ(read("0xffff"), "65535");
  EXPECT_EQ(read("0"), "0");
  EXPECT_EQ(read("65536"), "7:6: the number is too large: found \"65536\", expected at most 65535");
  EXPECT_EQ(read("0x10000"), "7:6: the number is too large: found \"0x10000\", expected at most 65535");
  EXPECT_EQ(read("18446744073709551616"), "7:6: the number is too large: found \"18446744073709551616\", expected at most 65535");
  for (const char *none : {"", "0x", "-1", "1x", "0xg", "ff", "1.5"})
    EXPECT_EQ(read(none), "7:6: size is not a number: found \"" + std::string(none) + "\", expected 0 to 65535");
}

TEST(TextLine, KindsAreWordsOrNumbers) {
  using Kind = kperf::format::SectionKind;
  EXPECT_EQ(valueOf<Kind>("warps"), Kind::Warps);
  EXPECT_EQ(valueOf<Kind>("0x63"), Kind{99});
  EXPECT_EQ(valueOf<Kind>("0xffffffff"), Kind{0xffffffff});
  for (const char *none : {"", "warp", "0x", "0x6z", "0xz", "0x100000000"})
    EXPECT_FALSE(valueOf<Kind>(none)) << none;
}

TEST(TextLine, SaysWhichWordNobodyTook) {
  const auto left = [](const std::string &text) { return TextLine::parse(text, 3)->finish().error().text(); };
  EXPECT_EQ(left("verb a=1 b"), "3:6: verb has no such field, or has it twice: found a");
  EXPECT_EQ(left("  verb\tb a=1"), "3:8: verb takes no such word: found \"b\"");
  auto line = TextLine::parse("verb a=1 b c", 3);
  EXPECT_TRUE(line->has("a"));
  EXPECT_FALSE(line->has("b"));
  EXPECT_EQ(line->find("a")->column, 6u);
  EXPECT_FALSE(line->has("a"));
  EXPECT_EQ(line->find("a"), nullptr);
  EXPECT_EQ(line->next()->value, "b");
  EXPECT_EQ(line->finish().error().text(), "3:12: verb takes no such word: found \"c\"");
  EXPECT_EQ(line->next()->value, "c");
  EXPECT_EQ(line->next(), nullptr);
  EXPECT_TRUE(line->finish());
  EXPECT_TRUE(TextLine::parse("", 1)->isEmpty());
  EXPECT_TRUE(TextLine::parse("  # a=1", 1)->isEmpty());
  EXPECT_FALSE(TextLine::parse("a#b", 1)->isEmpty());
  EXPECT_TRUE(TextLine::parse("\tverb", 1)->isIndented());
  EXPECT_FALSE(TextLine::parse("verb", 1)->isIndented());
}

TEST(NumberFormat, ScalesAColumnByItsLargestValue) {
  EXPECT_EQ(formatted(1234567.0, Unit::Nanoseconds, false), "1234.6 µs");
  EXPECT_EQ(formatted(12.0, Unit::Cycles, true), "12 cycles");
  EXPECT_EQ(formatted(3.5e9, Unit::Cycles, true), "3500.0 Mcycles");
  EXPECT_EQ(formatted(99.95, Unit::Percent, false), "100.0 %");
  const NumberFormat percent = formatFor(Unit::Percent, 100, false);
  EXPECT_EQ(formatted(0.004, percent), "0.004");
  EXPECT_EQ(formatted(0, percent), "0.0");
}

namespace {

Table wideTable() {
  Table table{.name = "wide", .columns = {{"group", Unit::None, Column::Role::Group}, {"name", Unit::None, Column::Role::Label}}};
  for (unsigned i = 0; i < 20; ++i)
    table.columns.push_back({"column" + std::to_string(i), Unit::Nanoseconds, Column::Role::Value, 100 - i});
  for (unsigned row = 0; row < 3; ++row) {
    std::vector<Cell> cells{std::string(200, 'g'), "a name that is a good deal longer than it should be, really " + std::to_string(row)};
    for (unsigned i = 0; i < 20; ++i)
      cells.emplace_back(1e3 * row + i);
    table.rows.push_back(std::move(cells));
  }
  table.notes = {"a note with words enough for more than one line, which is then cut at a blank and continued below"};
  return table;
}

} // namespace

TEST(TextPrinter, FitsTheTerminalByLeavingOutTheLeastImportant) {
  for (const unsigned columns : {40u, 80u, 132u}) {
    OutputString out;
    const Table table = wideTable();
    textPrinter(std::span(&table, 1), {.columns = columns}, out);
    std::string_view left = out.text();
    EXPECT_NE(left.find("column0"), std::string::npos);
    EXPECT_EQ(left.find("column19"), std::string::npos);
    while (!left.empty()) {
      const std::string_view text = left.substr(0, left.find('\n'));
      left.remove_prefix(text.size() + 1);
      if (text.starts_with("group"))
        continue; // the title is said in full
      EXPECT_LE(columnsOf(text), columns) << text;
    }
  }
}

TEST(TextPrinter, ColoursOnlyWhenAsked) {
  const Table table = wideTable();
  OutputString plain, coloured;
  textPrinter(std::span(&table, 1), {}, plain);
  textPrinter(std::span(&table, 1), {.isColored = true}, coloured);
  EXPECT_EQ(plain.text().find('\x1b'), std::string::npos);
  EXPECT_NE(coloured.text().find('\x1b'), std::string::npos);
}

TEST(CsvPrinter, QuotesWhatNeedsIt) {
  const Table table{.name = "t",
                    .columns = {{"name", Unit::None, Column::Role::Label}, {"time", Unit::Nanoseconds}},
                    .rows = {{std::string("a,\"b\""), 0.5}, {std::string("c"), Cell()}}};
  OutputString out;
  csvPrinter(std::span(&table, 1), {}, out);
  EXPECT_EQ(out.text(), "name,time_ns\n\"a,\"\"b\"\"\",0.5\nc,\n");
}

TEST(Timeline, ReadsListsAndWindows) {
  EXPECT_EQ(parseRanges("0-3,7")->size(), 2u);
  EXPECT_TRUE(parseRanges("")->empty());
  for (const char *wrong : {"a", "3-1", "1-", "-1", "1,,2"})
    EXPECT_FALSE(parseRanges(wrong)) << wrong;
  EXPECT_EQ(*parseWindow("1.5:2"), (std::pair<double, double>(1500, 2000)));
  EXPECT_EQ(parseWindow(":2")->first, 0);
  for (const char *wrong : {"", "1", "2:1", "a:b", "nan:1"})
    EXPECT_FALSE(parseWindow(wrong)) << wrong;
}
