#include "rewriters/command/ProbeStandard.h"

#include <gtest/gtest.h>

namespace kperf {
namespace {

using Words = std::vector<std::string>;

TEST(ProbeStandard, IsRaisedInEverySpelling) {
  EXPECT_EQ(withProbeStandard({"-std=c++14", "a.cu"}), (Words{"-std=c++17", "a.cu"}));
  EXPECT_EQ(withProbeStandard({"--std=gnu++11"}), (Words{"--std=gnu++17"}));
  EXPECT_EQ(withProbeStandard({"-std", "c++03", "--std", "gnu++1y"}), (Words{"-std", "c++17", "--std", "gnu++17"}));
  EXPECT_EQ(withProbeStandard({"-Xcompiler", "-std=c++0x"}), (Words{"-Xcompiler", "-std=c++17"}));
}

TEST(ProbeStandard, LeavesTheRestAlone) {
  for (const Words &words : {Words{"-std=c++17"}, Words{"-std=c++20", "-O2"}, Words{"-std=gnu++2b"}, Words{"-std"}, Words{"-stdlib=libc++"},
                             Words{"-std=c11"}, Words{"c++14"}, Words{"-Dstd=c++14"}, Words{}}) {
    EXPECT_EQ(withProbeStandard(words), words);
    EXPECT_EQ(olderStandard(words), "");
  }
}

TEST(ProbeStandard, NamesTheOlderOne) {
  EXPECT_EQ(olderStandard(Words{"-O2", "-std=c++14"}), "c++14");
  EXPECT_EQ(olderStandard(Words{"--std", "gnu++98"}), "gnu++98");
  EXPECT_TRUE(namesStandard(Words{"-std=c++20"}));
  EXPECT_FALSE(namesStandard(Words{"-O2", "-stdlib=libc++"}));
}

} // namespace
} // namespace kperf
