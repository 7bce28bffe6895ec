// Copies in place of headers that a command line includes.
#include "Translate.h"
#include "rewriters/command/ForcedIncludes.h"

#include "llvm/ADT/StringExtras.h"

namespace kperf {
namespace {

/// The changed words of a command that includes all.h by this name.
std::string replaced(Words words, Dialect dialect = Dialect::Clang, const std::string &name = "/src/all.h",
                     const std::string &copy = "/copy/all.h") {
  EXPECT_EQ(replaceForcedIncludes(words, dialect, {{name, copy}}), std::vector<std::string>());
  return llvm::join(words, " ");
}

TEST(ForcedIncludes, AreReplacedInEverySpelling) {
  EXPECT_EQ(replaced({"-include", "/src/all.h", "a.cu"}), "-include /copy/all.h a.cu");
  EXPECT_EQ(replaced({"--include=/src/all.h", "a.cu"}), "--include=/copy/all.h a.cu");
  EXPECT_EQ(replaced({"-include=/src/all.h", "a.cu"}, Dialect::Nvcc), "-include=/copy/all.h a.cu");
  EXPECT_EQ(replaced({"--pre-include", "../all.h"}, Dialect::Nvcc, "../all.h"), "--pre-include /copy/all.h");
  EXPECT_EQ(replaced({"-I/src", "-include", "all.h"}, Dialect::Host, "all.h"), "-I/src -include /copy/all.h");
  EXPECT_EQ(replaced({"-includeall.h", "a.cu"}, Dialect::Clang, "all.h"), "-include/copy/all.h a.cu");
  EXPECT_EQ(replaced({"-include/src/all.h", "a.cu"}), "-include/copy/all.h a.cu");
}

TEST(ForcedIncludes, AreReplacedInListsOfNvcc) {
  EXPECT_EQ(replaced({"-include", "small.h,/src/all.h,b.h", "a.cu"}, Dialect::Nvcc), "-include small.h,/copy/all.h,b.h a.cu");
  EXPECT_EQ(replaced({"-include=a.h,all.h"}, Dialect::Nvcc, "all.h"), "-include=a.h,/copy/all.h");
}

TEST(ForcedIncludes, AComma) {
  EXPECT_EQ(replaced({"-include", "small.h,all.h"}, Dialect::Nvcc, "all.h", "/a,b/all.h"), "-include small.h,\"/a,b/all.h\"");
  EXPECT_EQ(replaced({"-include=all.h"}, Dialect::Nvcc, "all.h", "/a,b/all.h"), "-include=\"/a,b/all.h\"");
  EXPECT_EQ(replaced({"-include", "all.h"}, Dialect::Clang, "all.h", "/a,b/all.h"), "-include /a,b/all.h");
  EXPECT_EQ(replaced({"-include", "small,all.h"}, Dialect::Clang, "small,all.h"), "-include /copy/all.h");
}

TEST(ForcedIncludes, OfTheSameFileNameStay) {
  EXPECT_EQ(replaced({"-include", "all.h", "-include", "sub/all.h"}, Dialect::Clang, "sub/all.h"), "-include all.h -include /copy/all.h");
  EXPECT_EQ(replaced({"-include", "all.h,sub/all.h"}, Dialect::Nvcc, "all.h"), "-include /copy/all.h,sub/all.h");
}

TEST(ForcedIncludes, AreNoLongerPrecompiled) {
  EXPECT_EQ(replaced({"-c", "-include-pch", "/src/all.h.pch", "a.cu"}), "-c -include /copy/all.h a.cu");
  EXPECT_EQ(replaced({"-Xclang", "-include-pch", "-Xclang", "/src/all.h.pch", "-Xclang", "-include", "-Xclang", "/src/all.h", "-c"}),
            "-Xclang -include -Xclang /copy/all.h -c");
}

TEST(ForcedIncludes, OfOthersStayAndWhatIsNotFoundIsNamed) {
  Words words{"-include", "/src/config.h", "-include-pch", "/src/small.h.pch", "-DX=/src/all.h", "-includeother.h", "-include"};
  const std::vector<std::string> warnings = replaceForcedIncludes(words, Dialect::Clang, {{"/src/all.h", "/copy/all.h"}});
  EXPECT_EQ(llvm::join(words, " "), "-include /src/config.h -include-pch /src/small.h.pch -DX=/src/all.h -includeother.h -include");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(warnings[0]).starts_with("annotated header '/src/all.h' is included from the command line"));
}

} // namespace
} // namespace kperf
