// Dependency files: what is mapped, what is dropped, what stays as it was spelled.
#include "tool/cc/DependencyFile.h"

#include <gtest/gtest.h>

namespace kperf::cc {
namespace {

std::string map(llvm::StringRef text) {
  return mapDependencies(text, [](llvm::StringRef path) -> std::optional<std::string> {
    if (path.starts_with("/stub/"))
      return std::nullopt;
    if (path.consume_front("/copy"))
      return path.str();
    return path.str();
  });
}

TEST(DependencyFile, MapsPrerequisitesAndDropsStubs) {
  EXPECT_EQ(map("a.o : /copy/src/a.cu \\\n    /stub/x.h \\\n    /usr/include/y.h\n"), "a.o: /src/a.cu \\\n  /usr/include/y.h\n");
}

TEST(DependencyFile, AddsAPrerequisiteToRealRulesOnly) {
  auto same = [](llvm::StringRef path) -> std::optional<std::string> { return path.str(); };
  EXPECT_EQ(mapDependencies("a.o: a.cu b.h\n\nb.h:\n", same, "my rules.yaml"), "a.o: a.cu \\\n  b.h \\\n  my\\ rules.yaml\n\nb.h:\n");
}

TEST(DependencyFile, NamesEachPrerequisiteOnce) { EXPECT_EQ(map("a.o: /copy/a.h /a.h /copy/a.h\n"), "a.o: /a.h\n"); }

TEST(DependencyFile, KeepsTargetsAsTheyAre) { EXPECT_EQ(map("/copy/a.o dir\\ x/b.o: a.cu\n"), "/copy/a.o dir\\ x/b.o: a.cu\n"); }

TEST(DependencyFile, MapsPhonyTargets) {
  EXPECT_EQ(map("a.o: a.cu /copy/b.h /stub/c.h\n\n/copy/b.h:\n\n/stub/c.h:\n"), "a.o: a.cu \\\n  /b.h\n\n/b.h:\n");
}

TEST(DependencyFile, KeepsEscapesAndMakesNewOnes) {
  EXPECT_EQ(map("a.o: with\\ blank.h /copy/p\\ q.h dollar$$.h\n"), "a.o: with\\ blank.h \\\n  /p\\ q.h \\\n  dollar$$.h\n");
}

TEST(DependencyFile, UnderstandsColonsInNamesAndMissingNewlines) {
  EXPECT_EQ(map("a.o: x:y.h /copy/b.h"), "a.o: x:y.h \\\n  /b.h\n");
  EXPECT_EQ(map(""), "");
}

} // namespace
} // namespace kperf::cc
