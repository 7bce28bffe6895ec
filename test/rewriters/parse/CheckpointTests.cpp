// What a checkpoint gets to read, and when there is none to ask.
#include "rewriters/parse/Checkpoint.h"

#include <gtest/gtest.h>

using namespace kperf;

namespace {

const std::string kOriginal = "#include <a>\n#include \"b\"\nkernel\n";

/// A parser that stands behind the first `begin` bytes and finds `wanted` without errors.
void addReader(Checkpoints &checkpoints, std::size_t begin, const std::string &wanted) {
  if (const std::optional<ReadBackRequest> request = checkpoints.add(begin))
    checkpoints.answer(request->source.path == "p" && request->source.text == wanted && request->headers.empty());
}

TEST(Checkpoint, readsWhatIsBehindIt) {
  Checkpoints checkpoints;
  addReader(checkpoints, 13, "open #line 2\n#include \"b\"\nKernel\n");
  EXPECT_TRUE(checkpoints.readBack(kOriginal, {"p", "#include <a>\n#include \"b\"\nKernel\n"}, {}, "open "));
}

TEST(Checkpoint, tellsOfAnError) {
  Checkpoints checkpoints;
  addReader(checkpoints, 13, "something else");
  EXPECT_FALSE(checkpoints.readBack(kOriginal, {"p", kOriginal}, {}, ""));
}

TEST(Checkpoint, asksTheLastBeforeTheFirstEdit) {
  Checkpoints checkpoints;
  addReader(checkpoints, 13, "#line 2\n#include \"b\"\nKernel\nx\n");
  addReader(checkpoints, 33, "");
  EXPECT_TRUE(checkpoints.readBack(kOriginal, {"p", "#include <a>\n#include \"b\"\nKernel\nx\n"}, {}, ""));
}

TEST(Checkpoint, takesAnotherWayToTheSameHeaderForNoEdit) {
  Checkpoints checkpoints;
  addReader(checkpoints, 26, "#line 3\nKernel\n");
  EXPECT_TRUE(checkpoints.readBack(kOriginal, {"p", "#include <a>\n#include \"src/b\"\nKernel\n"}, {}, ""));
}

TEST(Checkpoint, isNotAskedOfRewrittenHeadersBeforeIt) {
  Checkpoints checkpoints;
  if (checkpoints.add(26))
    checkpoints.answer(true); // whatever it reads
  EXPECT_FALSE(checkpoints.readBack(kOriginal, {"p", "#include <a>\n#include \"copy/b\"\nKernel\n"}, {{"h", ""}}, ""));
}

TEST(Checkpoint, takesAMacroThatSpeaksOfIncludesForAnEdit) {
  const std::string original = "#define F include_tile(); A\nkernel\n";
  Checkpoints checkpoints;
  if (checkpoints.add(28))
    checkpoints.answer(true);
  EXPECT_FALSE(checkpoints.readBack(original, {"p", "#define F include_tile(); B\nkernel\n"}, {}, ""));
}

TEST(Checkpoint, mayNotBeThere) {
  Checkpoints checkpoints;
  EXPECT_FALSE(checkpoints.readBack(kOriginal, {"p", kOriginal}, {}, ""));
}

TEST(Checkpoint, endsUnasked) {
  Checkpoints checkpoints;
  for (std::size_t count = 0; count < Checkpoints::kMax; ++count)
    addReader(checkpoints, 13, "");
  EXPECT_TRUE(checkpoints.isFull());
}

} // namespace
