// What is kept of functions: made once for each, of each kind, and while another one is made.
#include "rewriters/analysis/Analyses.h"

#include <gtest/gtest.h>

namespace kperf {
namespace {

int made = 0;

struct Double {
  explicit Double(const int *number) : value(2 * *number) { ++made; }
  int value;
};

struct Quadruple {
  Quadruple(const int *number, const Analyses &analyses) : value(2 * analyses.get<Double>(number).value) {}
  int value;
};

struct OfObject {
  explicit OfObject(const int &number) : value(number) {}
  int value;
};

TEST(Analyses, AreMadeOnceForEachKey) {
  const Analyses analyses;
  const int one = 1, two = 2;
  made = 0;
  const Double &first = analyses.get<Double>(&one);
  EXPECT_EQ(first.value, 2);
  EXPECT_EQ(&analyses.get<Double>(&one), &first);
  EXPECT_EQ(analyses.get<Double>(&two).value, 4);
  EXPECT_EQ(made, 2);
}

TEST(Analyses, MayAskForOthers) {
  const Analyses analyses;
  const int number = 3;
  made = 0;
  EXPECT_EQ(analyses.get<Quadruple>(&number, analyses).value, 12);
  EXPECT_EQ(analyses.get<Double>(&number).value, 6);
  EXPECT_EQ(made, 1);
}

TEST(Analyses, AreOfObjectsByTheirAddressToo) {
  const Analyses analyses;
  const int number = 5;
  EXPECT_EQ(&analyses.get<OfObject>(number), &analyses.get<OfObject>(number));
}

struct OfPath {
  explicit OfPath(llvm::StringRef path) : length(path.size()) {}
  std::size_t length;
};

struct OfFile {
  explicit OfFile(clang::FileID file) : file(file) {}
  clang::FileID file;
};

TEST(Analyses, KnowPathsAndFilesByWhatTheyAre) {
  const Analyses analyses;
  const std::string path = "kernel.cu", same = path;
  EXPECT_EQ(&analyses.get<OfPath>(llvm::StringRef(path)), &analyses.get<OfPath>(llvm::StringRef(same)));
  EXPECT_EQ(analyses.get<OfPath>(llvm::StringRef("a.cu")).length, 4u);
  const clang::FileID file;
  EXPECT_EQ(&analyses.get<OfFile>(clang::FileID()), &analyses.get<OfFile>(file));
}

} // namespace
} // namespace kperf
