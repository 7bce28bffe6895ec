// Copies in place of headers that a command line includes.
#include "ForcedIncludes.h"
#include "Translate.h"

#include "llvm/ADT/StringExtras.h"

namespace kperf {
namespace {

std::string replaced(Words words) {
  replaceForcedIncludes(words, {{"/src/all.h", "/copy/all.h"}});
  return llvm::join(words, " ");
}

TEST(ForcedIncludes, AreReplacedInEverySpelling) {
  EXPECT_EQ(replaced({"-include", "/src/all.h", "a.cu"}), "-include /copy/all.h a.cu");
  EXPECT_EQ(replaced({"-include=/src/all.h", "a.cu"}), "-include=/copy/all.h a.cu");
  EXPECT_EQ(replaced({"--pre-include", "/src/sub/../all.h"}), "--pre-include /copy/all.h");
  EXPECT_EQ(replaced({"-I/src", "-include", "all.h"}), "-I/src -include /copy/all.h");
}

TEST(ForcedIncludes, AreReplacedInLists) {
  EXPECT_EQ(replaced({"-include", "small.h,/src/all.h,b.h", "a.cu"}), "-include small.h,/copy/all.h,b.h a.cu");
  EXPECT_EQ(replaced({"-include=a.h,all.h"}), "-include=a.h,/copy/all.h");
}

TEST(ForcedIncludes, TheExactPathGoesFirst) {
  Words words{"-include", "/src/all.h"};
  replaceForcedIncludes(words, {{"/a/src/all.h", "/copy/other.h"}, {"/src/all.h", "/copy/all.h"}});
  EXPECT_EQ(words[1], "/copy/all.h");
}

TEST(ForcedIncludes, AreRelativeToTheCommandsFolder) {
  Words words{"-include", "../all.h,sub/all.h"};
  replaceForcedIncludes(words, {{"/src/all.h", "/copy/all.h"}}, "/src/build");
  EXPECT_EQ(words[1], "/copy/all.h,sub/all.h");
}

TEST(ForcedIncludes, AreNoLongerPrecompiled) {
  EXPECT_EQ(replaced({"-c", "-include-pch", "/src/all.h.pch", "a.cu"}), "-c -include /copy/all.h a.cu");
  EXPECT_EQ(replaced({"-Xclang", "-include-pch", "-Xclang", "/src/all.h.pch", "-Xclang", "-include", "-Xclang", "/src/all.h", "-c"}),
            "-Xclang -include -Xclang /copy/all.h -c");
}

TEST(ForcedIncludes, OfOthersStay) {
  EXPECT_EQ(replaced({"-include", "/src/config.h", "-include-pch", "/src/small.h.pch", "-DX=/src/all.h", "-include"}),
            "-include /src/config.h -include-pch /src/small.h.pch -DX=/src/all.h -include");
}

} // namespace
} // namespace kperf
