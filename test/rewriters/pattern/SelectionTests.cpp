// The values behind --auto and --select: patterns, number ranges, name templates and the file's rules.
#include "rewriters/pattern/NameTemplate.h"
#include "rewriters/pattern/Selection.h"
#include "rewriters/pattern/SelectionFile.h"

#include <gtest/gtest.h>

namespace kperf {
namespace {

NamePattern pattern(llvm::StringRef text) { return llvm::cantFail(NamePattern::parse(text)); }

TEST(NamePattern, MatchesWholeNamesOrTheirLastPart) {
  EXPECT_TRUE(pattern("gemm*").matchesName("gemm_small"));
  EXPECT_TRUE(pattern("load").matchesName("ns::Tile::load"));
  EXPECT_TRUE(pattern("ns::*").matchesName("ns::Tile::load"));
  EXPECT_TRUE(pattern("{load,store}").matchesName("store"));
  EXPECT_FALSE(pattern("load").matchesName("reload"));
  EXPECT_FALSE(pattern("Tile").matchesName("ns::Tile::load"));
}

TEST(NamePattern, LooksPastTemplateArguments) {
  EXPECT_TRUE(pattern("load").matchesName("ns::load<float, 4>"));
  EXPECT_TRUE(pattern("load").matchesName("load<ns::Tile>"));
  EXPECT_TRUE(pattern("operator<").matchesName("ns::operator<"));
  EXPECT_TRUE(pattern("operator<=").matchesName("operator<="));
}

TEST(NamePattern, TakesRegularExpressions) {
  EXPECT_TRUE(pattern("/load|store/").matchesName("ns::reload"));
  EXPECT_FALSE(pattern("/^load/").matchesName("ns::reload"));
  EXPECT_EQ(llvm::toString(NamePattern::parse("/(/").takeError()), "'/(/' is no regular expression: parentheses not balanced");
  EXPECT_EQ(llvm::toString(NamePattern::parse("").takeError()), "a pattern is empty");
}

TEST(NamePattern, MatchesPathsFromAnySlash) {
  EXPECT_TRUE(pattern("lib/*.cuh").matchesPath("/src/lib/tile.cuh"));
  EXPECT_TRUE(pattern("tile.cuh").matchesPath("lib/tile.cuh"));
  EXPECT_TRUE(pattern("*.cuh").matchesPath("tile.cuh"));
  EXPECT_FALSE(pattern("ile.cuh").matchesPath("lib/tile.cuh"));
}

TEST(NamePattern, OutlivesTheTextItWasMadeFrom) {
  std::vector<NamePattern> patterns;
  for (const char *text : {"first*", "second*"})
    patterns.push_back(pattern(std::string(text)));
  std::vector<NamePattern> copies = patterns;
  patterns.clear();
  EXPECT_TRUE(copies[0].matchesName("first one") && copies[1].matchesName("second one"));
}

TEST(NumberRange, HasOneNumberOrTwo) {
  NumberRange range = llvm::cantFail(NumberRange::parse("12-20"));
  EXPECT_TRUE(range.contains(12) && range.contains(20) && !range.contains(11) && !range.contains(21));
  EXPECT_TRUE(llvm::cantFail(NumberRange::parse("7")).contains(7));
  for (const char *wrong : {"", "0", "a", "3-", "9-3", "-3", "1-2-3"})
    EXPECT_EQ(llvm::toString(NumberRange::parse(wrong).takeError()),
              "'" + std::string(wrong) + "' is neither a number from 1 nor a range like 12-20");
}

TEST(NameTemplate, Expands) {
  NameParts parts{"ns::k", "loop", "for", "a.cu", 12};
  EXPECT_EQ(expandNameTemplate("{function}:{line}", parts), "ns::k:12");
  EXPECT_EQ(expandNameTemplate("{{{kind}}} {name} in {file}", parts), "{loop} for in a.cu");
  EXPECT_EQ(expandNameTemplate("plain", parts), "plain");
}

TEST(NameTemplate, RefusesWhatItCannotExpand) {
  auto reason = [](llvm::StringRef text) { return llvm::toString(checkNameTemplate(text)); };
  EXPECT_EQ(reason("{function}:{line}"), "");
  EXPECT_EQ(reason("{{}}"), "");
  EXPECT_EQ(reason(" "), "a name is empty: say for example \"{function}:{line}\"");
  EXPECT_EQ(reason("{x}"), "{x} is not a placeholder, expected {function}, {line}, {kind}, {name} or {file}");
  EXPECT_TRUE(llvm::StringRef(reason("}")).contains("without its counterpart"));
  EXPECT_TRUE(llvm::StringRef(reason("{line")).contains("without its counterpart"));
}

TEST(SelectionFile, ReadsRules) {
  Selection selection = llvm::cantFail(parseSelection("name: \"{name}\"\n"
                                                      "guard: 5\n"
                                                      "headers: [a.h, 'b/*.h']\n"
                                                      "auto: async\n"
                                                      "rules:\n"
                                                      "  - loops: [k, m]\n"
                                                      "    depth: 1-2\n"
                                                      "    exclude: m\n"
                                                      "  - {lines: 3, name: here, files: a.cu}\n"
                                                      "  - match: |\n"
                                                      "      forStmt(\n"
                                                      "        hasBody(compoundStmt()))\n",
                                                      "f.yaml"));
  EXPECT_EQ(selection.guard, 5u);
  EXPECT_EQ(selection.headers.size(), 2u);
  ASSERT_EQ(selection.rules.size(), 4u);
  EXPECT_TRUE(selection.rules[0].isAutomatic && selection.rules[0].kind == SelectionKind::Async);
  const SelectionRule &loops = selection.rules[1];
  EXPECT_TRUE(loops.kind == SelectionKind::Loops && loops.patterns.size() == 2 && loops.exclude.size() == 1);
  EXPECT_TRUE(loops.depth->contains(2) && !loops.lines && !loops.isAutomatic);
  EXPECT_EQ(loops.name, "{name}");
  EXPECT_EQ(loops.place, "f.yaml:6");
  EXPECT_TRUE(selection.rules[2].kind == SelectionKind::Lines && selection.rules[2].name == "here");
  EXPECT_EQ(selection.rules[2].place, "f.yaml:9");
  EXPECT_TRUE(selection.rules[3].kind == SelectionKind::Match);
}

TEST(SelectionFile, ValueThatIsNoYamlIsRefused) {
  for (const char *text : {"rules:\n  - loops: \xff\n", "guard: \xff\n", "auto: \xff\n", "rules:\n  - match: \xff\n"}) {
    llvm::Expected<Selection> selection = parseSelection(text, "f.yaml");
    ASSERT_FALSE(selection);
    EXPECT_EQ(llvm::toString(selection.takeError()).substr(0, 7), "f.yaml:") << text;
  }
}

TEST(SelectionFile, MatcherThatIsNestedWithoutEndIsRefused) {
  std::string code = "stmt()";
  for (int depth = 0; depth < 100; ++depth)
    code = "stmt(" + code + ")";
  llvm::Expected<Selection> selection = parseSelection("rules:\n  - match: " + code + "\n", "f.yaml");
  ASSERT_FALSE(selection);
  EXPECT_NE(llvm::toString(selection.takeError()).find("f.yaml:2: the matcher is nested 101 deep"), std::string::npos);
}

TEST(Selection, PutsAutomaticRulesLast) {
  Selection selection = llvm::cantFail(makeSelection({{"loops", "kernels"}, "", "7"}));
  EXPECT_EQ(selection.guard, 7u);
  ASSERT_EQ(selection.rules.size(), 2u);
  EXPECT_EQ(selection.rules[0].place, "--auto=loops");
  EXPECT_EQ(selection.rules[1].kind, SelectionKind::Kernels);
  EXPECT_TRUE(llvm::cantFail(makeSelection({})).rules.empty());
}

} // namespace
} // namespace kperf
