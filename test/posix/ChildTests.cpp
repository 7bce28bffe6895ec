// What a program starts with, and how its end is told.
#include "posix/Child.h"
#include "posix/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace kperf::posix {
namespace {

/// The exit code of a script.
int run(const std::string &script, const ChildSetup &setup = {}) {
  const auto child = startChild("/bin/sh", {"sh", "-c", script}, setup);
  const int status = child ? waitForChild(*child) : -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Child, RunsInTheFolderThatItIsGiven) {
  const auto folder = TemporaryFolder::make("test: child").value();
  EXPECT_EQ(run("echo x > made; exit 3", {.folder = folder.path().c_str()}), 3);
  EXPECT_TRUE(std::ifstream(folder.path() + "/made"));
}

TEST(Child, HasTheEnvironmentThatItIsGiven) {
  const std::vector<std::string> environment{"WORD=given"};
  EXPECT_EQ(run("test \"$WORD\" = given && test -z \"$HOME\"", {.environment = &environment}), 0);
}

TEST(Child, ReadsAndWritesNothingWhereItHasNoStreams) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  EXPECT_EQ(run("read line && exit 1; echo unseen; echo error >&2", {.input = kNoStream, .output = kNoStream, .error = ends[1]}), 0);
  close(ends[1]);
  char text[16] = {};
  EXPECT_EQ(read(ends[0], text, sizeof(text)), 6);
  EXPECT_STREQ(text, "error\n");
  close(ends[0]);
}

TEST(Child, SendsErrorsWhereItsOutputGoes) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  EXPECT_EQ(run("echo error >&2", {.output = ends[1], .error = STDOUT_FILENO}), 0);
  close(ends[1]);
  char text[16] = {};
  EXPECT_EQ(read(ends[0], text, sizeof(text)), 6);
  close(ends[0]);
}

TEST(Child, SaysWhyThereIsNone) {
  const auto child = startChild("/nonexistent", {"nonexistent"}, {});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error(), ENOENT);
}

TEST(Child, EndsWellWhereSomebodyElseWaitedForIt) {
  const auto child = startChild("/bin/sh", {"sh", "-c", "exit 5"}, {});
  ASSERT_TRUE(child);
  ASSERT_EQ(waitpid(*child, nullptr, 0), *child);
  EXPECT_EQ(waitForChild(*child), 0);
}

} // namespace
} // namespace kperf::posix
