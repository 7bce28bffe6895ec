// The work folder: equal runs get equal names, runs at the same time do not, nothing stays behind.
#include "tool/process/WorkFolder.h"

#include "tool/process/WriteText.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace kperf::cc {
namespace {

TEST(WorkFolder, IsPrivateAndRemoved) {
  std::string path;
  {
    WorkFolder work = llvm::cantFail(WorkFolder::create("test: removed"));
    path = work.path();
    struct stat status;
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    llvm::cantFail(process::writeText(path + "/a/b", "x"));
  }
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST(WorkFolder, HasTheSameNameForTheSameKey) {
  const std::string first = llvm::cantFail(WorkFolder::create("test: same")).path();
  EXPECT_EQ(llvm::cantFail(WorkFolder::create("test: same")).path(), first);
  EXPECT_NE(llvm::cantFail(WorkFolder::create("test: other")).path(), first);
}

TEST(WorkFolder, IsNotSharedByRunsAtTheSameTime) {
  WorkFolder first = llvm::cantFail(WorkFolder::create("test: shared"));
  WorkFolder second = llvm::cantFail(WorkFolder::create("test: shared"));
  EXPECT_NE(first.path(), second.path());
}

TEST(WorkFolder, StartsEmptyAfterAKilledRun) {
  std::string path;
  {
    WorkFolder work = llvm::cantFail(WorkFolder::create("test: killed"));
    path = work.path();
    llvm::cantFail(process::writeText(path + "/left", "x"));
    work.keep();
  }
  ASSERT_TRUE(llvm::sys::fs::exists(path + "/left"));
  WorkFolder work = llvm::cantFail(WorkFolder::create("test: killed"));
  EXPECT_EQ(work.path(), path);
  EXPECT_FALSE(llvm::sys::fs::exists(path + "/left"));
}

TEST(WorkFolder, IsNotWhatSomebodyElseLeftThere) {
  const std::string path = llvm::cantFail(WorkFolder::create("test: link")).path();
  ASSERT_EQ(symlink("/", path.c_str()), 0);
  EXPECT_NE(llvm::cantFail(WorkFolder::create("test: link")).path(), path);
  unlink(path.c_str());
}

} // namespace
} // namespace kperf::cc
