// Copies of sources: every include finds what it found from the original's place, every path leads back to an original.
#include "tool/cc/SourceCopy.h"

#include "tool/process/WriteText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace kperf::cc {
namespace {

class SourceCopies : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> made;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kperf-copy", made));
    llvm::SmallString<128> real;
    ASSERT_FALSE(llvm::sys::fs::real_path(made, real));
    folder = real.str().str();
    root = folder + "/root";
    for (const char *name : {"/src/a.cu", "/src/plain.h", "/src/sub/deep.h", "/inc/up.h", "/src/changed.h"})
      llvm::cantFail(process::writeText(folder + name, "// original\n"));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  static std::string read(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "missing";
  }

  std::string folder, root;
};

TEST_F(SourceCopies, MirrorTheFileSystem) {
  SourceCopy copy(folder + "/src/a.cu", root);
  EXPECT_EQ(copy.path(), root + folder + "/src/a.cu");
  RewriteResult result;
  result.text = "int a;\n";
  result.overlay.push_back({folder + "/src/changed.h", "int changed;\n"});
  llvm::cantFail(copy.write(result, "prologue\n"));
  EXPECT_EQ(read(copy.path()), "prologue\nint a;\n");
  EXPECT_EQ(read(root + folder + "/src/changed.h"), "int changed;\n");
}

TEST_F(SourceCopies, ForwardToNeighbours) {
  SourceCopy copy(folder + "/src/a.cu", root);
  RewriteResult result;
  result.text = "#include \"plain.h\"\n  #  include \"sub/deep.h\"\n#include \"../inc/up.h\"\n#include \"changed.h\"\n"
                "#include <plain2.h>\n#include \"nowhere.h\"\n#if __has_include(\"plain.h\")\n#endif\n";
  result.overlay.push_back({folder + "/src/changed.h", "#include \"plain.h\"\n"});
  llvm::cantFail(copy.write(result, ""));
  EXPECT_EQ(read(root + folder + "/src/plain.h"), "#include \"" + folder + "/src/plain.h\"\n");
  EXPECT_EQ(read(root + folder + "/src/sub/deep.h"), "#include \"" + folder + "/src/sub/deep.h\"\n");
  EXPECT_EQ(read(root + folder + "/inc/up.h"), "#include \"" + folder + "/src/../inc/up.h\"\n");
  EXPECT_EQ(read(root + folder + "/src/changed.h"), "#include \"plain.h\"\n") << "a stub replaced a copy";
  EXPECT_EQ(read(root + folder + "/src/nowhere.h"), "missing");
}

TEST_F(SourceCopies, KnowTheirOriginals) {
  SourceCopy copy(folder + "/src/a.cu", root);
  RewriteResult result;
  result.text = "#include \"plain.h\"\n";
  llvm::cantFail(copy.write(result, ""));
  EXPECT_EQ(copy.originalOf(copy.path()), folder + "/src/a.cu");
  EXPECT_EQ(copy.originalOf(root + folder + "/src/plain.h"), std::nullopt);
  EXPECT_EQ(copy.originalOf(root + folder + "/src/changed.h"), folder + "/src/changed.h");
  EXPECT_EQ(copy.originalOf("/usr/include/stdio.h"), "/usr/include/stdio.h");
}

TEST_F(SourceCopies, OfRelativeSourcesNameNeighboursRelatively) {
  llvm::SmallString<128> before;
  llvm::sys::fs::current_path(before);
  ASSERT_FALSE(llvm::sys::fs::set_current_path(folder));
  SourceCopy copy("src/a.cu", root);
  EXPECT_EQ(copy.originalOf(copy.path()), "src/a.cu");
  EXPECT_EQ(copy.originalOf(folder + "/src/plain.h"), "src/plain.h");
  EXPECT_EQ(copy.originalOf(folder + "/inc/up.h"), folder + "/inc/up.h");
  llvm::sys::fs::set_current_path(before);
}

TEST_F(SourceCopies, NeverLeaveTheirRoot) {
  SourceCopy copy(folder + "/src/a.cu", root);
  RewriteResult result;
  std::string up;
  for (int i = 0; i < 40; ++i)
    up += "../";
  result.text = "#include \"" + up + folder.substr(1) + "/inc/up.h\"\n";
  llvm::cantFail(copy.write(result, ""));
  EXPECT_EQ(read(folder + "/inc/up.h"), "// original\n");
}

TEST(QuotedIncludes, AreFoundInAnySpelling) {
  EXPECT_EQ(quotedIncludes("#include \"a.h\"\n\t# include\t\"b.h\" // c\n#include <d.h>\n// #include \"e.h\"\n"
                           "#include_next \"f.h\"\n#if __has_include(\"g.h\") && __has_include( \"h.h\" )\n"),
            (std::vector<std::string>{"a.h", "b.h", "g.h", "h.h"}));
}

TEST(WriteText, NamesWhatItCannotWrite) {
  const std::string message = llvm::toString(process::writeText("/proc/nothing/here", "x"));
  EXPECT_TRUE(llvm::StringRef(message).starts_with("cannot write '/proc/nothing/here': ")) << message;
}

} // namespace
} // namespace kperf::cc
