// Messages about copies: the user's line is shown, and marks stand where they belong in it.
#include "tool/cc/CompilerMessages.h"

#include "tool/process/WriteText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

namespace kperf::cc {
namespace {

TEST(ColumnMaps, TakeProbesForTheTokenBehindThem) {
  const llvm::StringRef read = "{ Scope s(k); for (;;) { p[0] = load(7u, q[1]) + x; } }", written = "for (;;) { p[0] = q[1] + x; }";
  const ColumnMap map(read, written);
  EXPECT_TRUE(map.isLikely());
  auto placeOf = [&](llvm::StringRef text) { return map.toWritten(read.find(text)); };
  EXPECT_EQ(placeOf("{ Scope"), 0u);
  EXPECT_EQ(placeOf("Scope"), 0u);
  EXPECT_EQ(placeOf("for"), 0u);
  EXPECT_EQ(placeOf("or ("), 1u) << "inside of a token";
  EXPECT_EQ(placeOf("load"), written.find("q"));
  EXPECT_EQ(placeOf(") + x"), written.find(" + x")) << "right behind a token";
  EXPECT_EQ(placeOf("x;"), written.find("x;"));
  EXPECT_EQ(map.toWritten(read.size()), written.size());
}

TEST(ColumnMaps, PreferTokensThatFollowEachOther) {
  const llvm::StringRef read = "a; a; b = a;", written = "b = a;";
  EXPECT_EQ(ColumnMap(read, written).toWritten(read.find("a;", 9)), written.find("a;"));
}

TEST(ColumnMaps, KnowLinesThatAreNotTheSame) {
  EXPECT_FALSE(ColumnMap("void other(double)", "x[i] += y * 2;").isLikely());
  EXPECT_FALSE(ColumnMap("", "x").isLikely());
  EXPECT_EQ(ColumnMap("", "").toWritten(3), 3u);
}

TEST(ColouredLines, GiveBackWhatTheyRead) {
  for (const char *text : {"", "plain", "\x1b[1ma\x1b[0m b\x1b[31m\x1b[Kc\x1b[m", "\x1b[", "a\x1b[3", "\x1b"})
    EXPECT_EQ(ColouredLine::read(text).str(), text);
  EXPECT_EQ(ColouredLine::read("\x1b[1ma\x1b[0mb").text, "ab");
}

class Messages : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> made;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kperf-messages", made));
    folder = made.str().str();
    write("a.cu", "one\n\tx = y; /* Ä */ z;\nsame\n");
    write("copy.cu", "#define PROLOGUE\n#line 1 \"src/a.cu\"\none\n\tprobe(1); x = load(y); /* Ä */ z;\nsame\ntable\n");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  void write(llvm::StringRef name, llvm::StringRef text) { llvm::cantFail(process::writeText(folder + "/" + name.str(), text)); }
  std::string told(llvm::StringRef said, bool countsBytes = false) {
    CompilerMessages messages({{folder + "/copy.cu", folder + "/a.cu"}}, countsBytes);
    std::string out;
    llvm::SmallVector<llvm::StringRef> lines;
    said.split(lines, '\n');
    for (const llvm::StringRef line : llvm::ArrayRef(lines).drop_back())
      out += messages.change(std::string_view(line));
    return out + messages.change(std::nullopt);
  }

  std::string folder;
};

TEST_F(Messages, OfNvccShowTheUsersLine) {
  EXPECT_EQ(told("src/a.cu(2): error: no \"load\" fits:\n"
                 "            types are: (int)\n"
                 "   probe(1); x = load(y); z;\n"
                 "                          ^\n"
                 "          detected during it\n"
                 "\n"),
            "src/a.cu(2): error: no \"load\" fits:\n"
            "            types are: (int)\n"
            "   x = y; /* Ä */ z;\n"
            "                  ^\n"
            "          detected during it\n"
            "\n");
}

TEST_F(Messages, OfGccMoveMarksAndColumns) {
  const std::string said = "src/a.cu: In function 'f':\n"
                           "src/a.cu:2:26: error: what is \x1b[1my\x1b[m\x1b[K?\n"
                           "    2 |         x = y; /* Ä */ z;\n"
                           "      |                         \x1b[31m^\x1b[m\n"
                           "      |                         \x1b[31m|\x1b[m\n"
                           "      |                         \x1b[31mint\x1b[m\n";
  EXPECT_EQ(told(said), "src/a.cu: In function 'f':\n"
                        "src/a.cu:2:13: error: what is \x1b[1my\x1b[m\x1b[K?\n"
                        "    2 |         x = y; /* Ä */ z;\n"
                        "      |             \x1b[31m^\x1b[m\n"
                        "      |             \x1b[31m|\x1b[m\n"
                        "      |             \x1b[31mint\x1b[m\n");
}

TEST_F(Messages, OfClangCountBytes) {
  EXPECT_EQ(told("src/a.cu:2:34: error: what?\n"
                 "        probe(1); x = load(y); /* Ä */ z;\n"
                 "                               ~~~~~~~~^~\n",
                 true),
            "src/a.cu:2:18: error: what?\n"
            "        x = y; /* Ä */ z;\n"
            "               ~~~~~~~~^~\n");
  EXPECT_EQ(told("src/a.cu:2:12: note: here\n"
                 "    2 |         \x1b[34mprobe\x1b[0m(1); x = load(y); /* Ä */ \x1b[32mz\x1b[0m;\n"
                 "      |                   ^\n",
                 true),
            "src/a.cu:2:2: note: here\n"
            "    2 |         \x1b[34m\x1b[0mx = y; /* Ä */ \x1b[32mz\x1b[0m;\n"
            "      |         ^\n");
}

TEST_F(Messages, AboutOtherLinesStayAsTheyAre) {
  for (const char *said :
       {"src/a.cu(3): error: odd\n  same\n  ^\n\n", "other.cu(2): error: odd\n  probe(1); x = load(y);\n  ^\n\n",
        "src/a.cu:3:2: error: odd\n    3 | same\n      |  ^\n", "src/a.cu(2): error: odd\n\nnext\n",
        "src/a.cu(2): error: odd\n  int nothing_like_it;\n      ^\n\n", "src/a.cu(2): error: odd\nlast\n", "src/a.cu:2: what\n",
        "src/a.cu(99999999999999999999): error: x\n", "src/a.cu(0): error: x\n", "   4 | x\n     | ^\n"})
    EXPECT_EQ(told(said), said);
}

TEST_F(Messages, OfGccLeaveOutStepsThroughKperf) {
  EXPECT_EQ(told("src/a.cu:3:1:   required from here\n"
                 "/usr/include/kperf/host/api/Launch.h:9:1:   required from ‘cudaError_t kperf::host::f()’\n"
                 "/usr/include/other/host/api/Launch.h:9:1:   required from ‘g()’\n"
                 "/usr/include/kperf/host/api/Launch.h:9:1: error: odd\n"),
            "src/a.cu:3:1:   required from here\n"
            "/usr/include/other/host/api/Launch.h:9:1:   required from ‘g()’\n"
            "/usr/include/kperf/host/api/Launch.h:9:1: error: odd\n");
}

TEST_F(Messages, NameTheSourceInTheirCount) {
  EXPECT_EQ(told("2 errors detected in the compilation of \"" + folder + "/copy.cu\".\n"),
            "2 errors detected in the compilation of \"" + folder + "/a.cu\".\n");
}

} // namespace
} // namespace kperf::cc
