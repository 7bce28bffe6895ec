// The temporary folder: equal runs get equal names, runs at the same time do not, nothing stays behind.
#include "posix/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace kperf::posix {
namespace {

namespace fs = std::filesystem;

TemporaryFolder make(std::string_view key) { return *TemporaryFolder::make(key); }

TEST(TemporaryFolder, IsPrivateAndRemoved) {
  std::string path;
  {
    TemporaryFolder work = make("test: removed");
    path = work.path();
    struct stat status;
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    ASSERT_TRUE(fs::create_directory(path + "/a"));
    std::ofstream(path + "/a/b") << "x";
  }
  EXPECT_FALSE(fs::exists(path));
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
    std::ofstream(path + "/left") << "x";
    work.keep();
  }
  ASSERT_TRUE(fs::exists(path + "/left"));
  TemporaryFolder work = make("test: killed");
  EXPECT_EQ(work.path(), path);
  EXPECT_FALSE(fs::exists(path + "/left"));
}

TEST(TemporaryFolder, IsNotWhatSomebodyElseLeftThere) {
  const std::string path = make("test: link").path();
  ASSERT_EQ(symlink("/", path.c_str()), 0);
  EXPECT_NE(make("test: link").path(), path);
  unlink(path.c_str());
}

TEST(TemporaryFolder, BeginsWithTheNameThatItIsGiven) {
  const auto folder = TemporaryFolder::make("test: named", "kperf-named");
  ASSERT_TRUE(folder);
  EXPECT_EQ(fs::path(folder->path()).filename().string().find("kperf-named-" + std::to_string(geteuid()) + "-"), 0u);
}

TEST(TemporaryFolder, SaysWhyThereIsNone) {
  setenv("TMPDIR", "/nonexistent", 1);
  const auto folder = TemporaryFolder::make("test: nowhere");
  unsetenv("TMPDIR");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error(), ENOENT);
}

} // namespace
} // namespace kperf::posix
