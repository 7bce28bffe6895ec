// Databases as CMake, Bear and Bazel's extractors write them, and what is wrong with others.
#include "tool/batch/CompilationDatabase.h"

#include <gtest/gtest.h>

namespace kperf::batch {
namespace {

using Words = std::vector<std::string>;

CompilationDatabase parse(llvm::StringRef text) {
  auto database = parseDatabase(text, "/build/compile_commands.json");
  if (!database) {
    ADD_FAILURE() << llvm::toString(database.takeError());
    return {};
  }
  return std::move(*database);
}

std::string failure(llvm::StringRef text) {
  auto database = parseDatabase(text, "/build/compile_commands.json");
  return database ? "no failure" : llvm::toString(database.takeError());
}

TEST(CompilationDatabase, TakesCommandsAsAShellWould) {
  const CompilationDatabase database = parse(R"([{"directory": "/d", "file": "a.cu", "output": "a.o",
                 "command": "nvcc -DX='a b' \"-DY=\\\"q\\\"\" -DZ=a\\ b --generate-code=arch=compute_90,code=[sm_90] -c a.cu"}])");
  ASSERT_EQ(database.entries.size(), 1u);
  EXPECT_EQ(database.entries[0].arguments,
            (Words{"nvcc", "-DX=a b", "-DY=\"q\"", "-DZ=a b", "--generate-code=arch=compute_90,code=[sm_90]", "-c", "a.cu"}));
  EXPECT_EQ(database.entries[0].output, "a.o");
}

TEST(CompilationDatabase, PrefersArguments) {
  EXPECT_EQ(parse(R"([{"directory": "/d", "file": "a.cu", "arguments": ["nvcc", "a b"], "command": "other"}])").entries[0].arguments,
            (Words{"nvcc", "a b"}));
}

TEST(CompilationDatabase, ResolvesDirectoriesAgainstItsOwn) {
  const CompilationDatabase database =
      parse(R"([{"directory": "sub/..", "file": "a.cu", "command": "nvcc"}, {"directory": "/x/./y", "file": "b.cu",
                 "command": "nvcc"}])");
  EXPECT_EQ(database.folder(), "/build");
  EXPECT_EQ(database.entries[0].directory, "/build");
  EXPECT_EQ(database.entries[1].directory, "/x/y");
}

TEST(CompilationDatabase, NamesTheEntryThatIsWrong) {
  EXPECT_TRUE(llvm::StringRef(failure("[{")).starts_with("'/build/compile_commands.json' is not JSON: "));
  EXPECT_EQ(failure("{}"), "'/build/compile_commands.json' is not a compilation database: expected an array of objects");
  EXPECT_EQ(failure(R"([{"directory": "/", "file": "a", "command": "c"}, {"file": "a", "command": "c"}])"),
            "'/build/compile_commands.json', entry 2: no \"directory\" in it");
  EXPECT_EQ(failure(R"([{"directory": "/", "file": "a"}])"),
            "'/build/compile_commands.json', entry 1: neither \"arguments\" nor \"command\" in it");
  EXPECT_EQ(failure(R"([{"directory": "/", "file": "a", "arguments": ["nvcc", 1]}])"),
            "'/build/compile_commands.json', entry 1: \"arguments\" holds something that is not a string");
  EXPECT_EQ(failure(R"([1])"), "'/build/compile_commands.json', entry 1: expected an object");
}

TEST(CompilationDatabase, IsNotReadWhereItNestsDeeply) {
  const auto nested = [](std::size_t depth, const char *open, const char *close) {
    std::string text, end;
    for (std::size_t i = 0; i < depth; ++i)
      text += open, end += close;
    return text + "1" + end;
  };
  for (const auto &[open, close] : {std::pair("[", "]"), std::pair("{\"a\\\"\": ", "}"), std::pair("[{\"[\": ", "}]")}) {
    EXPECT_EQ(failure(nested(40, open, close)).find("nest"), std::string::npos);
    EXPECT_NE(failure(nested(1000000, open, close)).find("deep, expected at most 100"), std::string::npos);
  }
  const std::string quoted(1000, '[');
  EXPECT_EQ(parse("[{\"directory\": \"/d\", \"file\": \"" + quoted + "\", \"command\": \"nvcc \\\"" + quoted + "\\\"\"}]")
                .entries[0]
                .arguments.back(),
            quoted);
}

} // namespace
} // namespace kperf::batch
