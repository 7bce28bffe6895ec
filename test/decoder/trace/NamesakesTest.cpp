// What tells functions of one name apart: the least that does.
#include "decoder/trace/Namesakes.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {
namespace {

using Labels = std::vector<std::string>;

TEST(Namesakes, AreToldApartByTheLeastThatDoes) {
  EXPECT_EQ(labelsOf({}), Labels{});
  EXPECT_EQ(labelsOf({{"a.cu", 1, "k"}}), Labels{""});
  EXPECT_EQ(labelsOf({{"x/a.cu", 1, "k"}, {"x/b.cu", 1, "k"}}), (Labels{" (a.cu)", " (b.cu)"}));
  EXPECT_EQ(labelsOf({{"x/a.cu", 1, "k"}, {"y/a.cu", 1, "k"}}), (Labels{" (x/a.cu)", " (y/a.cu)"}));
  EXPECT_EQ(labelsOf({{"x/a.cu", 1, "k"}, {"x/a.cu", 7, "k"}}), (Labels{" (a.cu:1)", " (a.cu:7)"}));
  EXPECT_EQ(labelsOf({{"a.cu", 1, "k [N=4 T=float]"}, {"a.cu", 1, "k [N=8 T=float]"}}), (Labels{" (N=4)", " (N=8)"}));
  EXPECT_EQ(labelsOf({{"a.cu", 0, "k [N=4]"}, {"a.cu", 0, "k [N=8]"}, {"b.cu", 0, "k [N=4]"}}),
            (Labels{" (a.cu, N=4)", " (a.cu, N=8)", " (b.cu, N=4)"}));
  EXPECT_EQ(labelsOf({{"a.cu", 0, "k"}, {"b.cu", 0, "k [N=8]"}, {"b.cu", 0, "k"}}), (Labels{" (a.cu)", " (b.cu, N=8)", " (b.cu)"}));
  EXPECT_EQ(labelsOf({{"a.cu", 0, "k"}, {"a.cu", 1, "k"}}), (Labels{" #1", " #2"})); // of 0 no line is known
  EXPECT_EQ(labelsOf({{"a.cu", 1, "k"}, {"a.cu", 1, "k"}, {"a.cu", 2, "k"}}), (Labels{" #1", " #2", " #3"}));
}

TEST(Namesakes, AreTakenFromTheirLabels) {
  const auto split = [](std::string_view labelled) {
    const LabelledName out = splitLabel(labelled);
    return std::pair(out.name, out.label);
  };
  using Pair = std::pair<std::string_view, std::string_view>;
  EXPECT_EQ(split("k (a.cu)"), Pair("k", " (a.cu)"));
  EXPECT_EQ(split("(anonymous namespace)::k (a.cu, N=f(4))"), Pair("(anonymous namespace)::k", " (a.cu, N=f(4))"));
  EXPECT_EQ(split("k<4> #12"), Pair("k<4>", " #12"));
  for (const std::string_view name : {"k", "void k(int*)", "void (anonymous namespace)::k(int*)", "void k(void (*)(int))", "(k)", ")", "",
                                      "void k(const float*) [with int M = 128]", "k #x"})
    EXPECT_EQ(split(name), Pair(name, ""));
}

} // namespace
} // namespace kperf::decoder
