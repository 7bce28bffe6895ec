// The temporary folder: equal runs get equal names, runs at the same time do not, nothing stays behind.
#include "tool/process/TemporaryFolder.h"

#include "tool/process/WriteText.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace kperf::process {
namespace {

TemporaryFolder make(std::string_view key) { return *TemporaryFolder::make(key); }

TEST(TemporaryFolder, IsPrivateAndRemoved) {
  std::string path;
  {
    TemporaryFolder work = make("test: removed");
    path = work.path();
    struct stat status;
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    llvm::cantFail(writeText(path + "/a/b", "x"));
  }
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST(TemporaryFolder, HasTheSameNameForTheSameKey) {
  const std::string first = make("test: same").path();
  EXPECT_EQ(make("test: same").path(), first);
  EXPECT_NE(make("test: other").path(), first);
}

TEST(TemporaryFolder, IsNotSharedByRunsAtTheSameTime) {
  TemporaryFolder first = make("test: shared");
  TemporaryFolder second = make("test: shared");
  EXPECT_NE(first.path(), second.path());
}

TEST(TemporaryFolder, StartsEmptyAfterAKilledRun) {
  std::string path;
  {
    TemporaryFolder work = make("test: killed");
    path = work.path();
    llvm::cantFail(writeText(path + "/left", "x"));
    work.keep();
  }
  ASSERT_TRUE(llvm::sys::fs::exists(path + "/left"));
  TemporaryFolder work = make("test: killed");
  EXPECT_EQ(work.path(), path);
  EXPECT_FALSE(llvm::sys::fs::exists(path + "/left"));
}

TEST(TemporaryFolder, IsNotWhatSomebodyElseLeftThere) {
  const std::string path = make("test: link").path();
  ASSERT_EQ(symlink("/", path.c_str()), 0);
  EXPECT_NE(make("test: link").path(), path);
  unlink(path.c_str());
}

} // namespace
} // namespace kperf::process
