// Which word of a recorded command is the compiler.
#include "tool/batch/EntryCommand.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

namespace kperf::batch {
namespace {

using Words = std::vector<std::string>;

EntryCommand read(const Words &words) { return readEntryCommand({"/d", "a.cu", words, ""}); }

TEST(EntryCommand, IsTheCompilersOwn) {
  const EntryCommand command = read({"/opt/bin/nvcc", "-c", "a.cu"});
  EXPECT_TRUE(command.launcher.empty());
  EXPECT_EQ(command.compiler, "/opt/bin/nvcc");
  EXPECT_EQ(command.arguments, (Words{"-c", "a.cu"}));
  EXPECT_EQ(command.dialect, Dialect::Nvcc);
  EXPECT_TRUE(command.isKnown);
}

TEST(EntryCommand, KeepsLaunchersButNotKperfCc) {
  const EntryCommand command =
      read({"env", "A=b", "/usr/bin/ccache", "/opt/kperf-cc", "--probes=region", "--strict", "nvcc", "-c", "a.cu"});
  EXPECT_EQ(command.launcher, (Words{"env", "A=b", "/usr/bin/ccache"}));
  EXPECT_EQ(command.compiler, "nvcc");
  EXPECT_EQ(command.arguments, (Words{"-c", "a.cu"}));
}

TEST(EntryCommand, GuessesTheDialectOfAWrapper) {
  EXPECT_EQ(read({"crosstool_wrapper", "-x", "cuda", "a.cc"}).dialect, Dialect::Clang);
  EXPECT_EQ(read({"crosstool_wrapper", "--offload-arch=gfx90a", "a.cc"}).dialect, Dialect::Clang);
  EXPECT_EQ(read({"my_nvcc", "-x", "cu", "a.cc"}).dialect, Dialect::Nvcc);
  EXPECT_FALSE(read({"my_nvcc", "-x", "cu", "a.cc"}).isKnown);
  EXPECT_EQ(read({"hipcc", "a.cc"}).dialect, Dialect::Hipcc);
}

} // namespace
} // namespace kperf::batch
