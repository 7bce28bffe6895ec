// A file gets its name in one step, and a name of another kind is not replaced.
#include "posix/AtomicFile.h"
#include "posix/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace kperf::posix {
namespace {

namespace fs = std::filesystem;

struct AtomicFileTest : testing::Test {
  TemporaryFolder folder = TemporaryFolder::make("test: atomic file").value();
  std::string path = folder.path() + "/file";

  std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  auto files() const { return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()); }
};

TEST_F(AtomicFileTest, ReplacesItsNameInOneStep) {
  std::ofstream(path) << "before";
  auto file = AtomicFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(writeAll(file->descriptor(), "after", 5), 5u);
  EXPECT_EQ(text(), "before");
  EXPECT_TRUE(file->publish());
  EXPECT_EQ(text(), "after");
  EXPECT_EQ(file->temporaryPath(), "");
  EXPECT_EQ(writeAll(file->descriptor(), " all", 4), 4u); // as the runtime does, which publishes what it has so far
  EXPECT_TRUE(file->close());
  EXPECT_EQ(text(), "after all");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, HasThePermissionsThatTheProcessGives) {
  const mode_t mask = umask(027);
  auto file = AtomicFile::open(path);
  umask(mask);
  ASSERT_TRUE(file && file->publish());
  struct stat status{};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(AtomicFileTest, LeavesNothingWhereItIsNotPublished) {
  {
    auto file = AtomicFile::open(path);
  }
  EXPECT_EQ(files(), 0);
  auto file = AtomicFile::open(path);
  ASSERT_TRUE(file);
  AtomicFile moved = std::move(*file);
  EXPECT_FALSE(file->isOpen());
  EXPECT_EQ(files(), 1);
  moved = AtomicFile();
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, IsLeftToTheOtherProcessWhereItIsAbandoned) {
  auto file = AtomicFile::open(path);
  ASSERT_TRUE(file);
  file->abandon();
  EXPECT_FALSE(file->isOpen());
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, KeepsTheReasonWhereItCantBeRenamed) {
  auto file = AtomicFile::open(path);
  ASSERT_TRUE(file);
  fs::create_directory(path);
  EXPECT_FALSE(file->publish());
  EXPECT_EQ(errno, EISDIR);
}

TEST_F(AtomicFileTest, IsOpenedAgain) {
  auto file = AtomicFile::open(path);
  ASSERT_TRUE(file && file->publish() && file->close());
  EXPECT_TRUE(file->reopen());
  EXPECT_EQ(writeAll(file->descriptor(), "more", 4), 4u);
  file->discard();
  EXPECT_EQ(text(), "more");
}

TEST_F(AtomicFileTest, AppearsWhenItIsWritten) {
  std::ofstream(path) << "before";
  EXPECT_TRUE(writeFile(path, "after"));
  EXPECT_EQ(text(), "after");
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(writeFile(folder.path() + "/none/file", "").error(), ENOENT);
}

TEST_F(AtomicFileTest, IsCopiedWhole) {
  const std::string source = folder.path() + "/source", bytes(200'000, 'x');
  std::ofstream(source) << bytes;
  std::ofstream(path) << "before";
  EXPECT_EQ(copyFile(folder.path() + "/none", path).error(), ENOENT);
  EXPECT_EQ(copyFile(folder.path(), path).error(), EISDIR);
  EXPECT_EQ(text(), "before");
  EXPECT_TRUE(copyFile(source, path));
  EXPECT_EQ(text(), bytes);
  EXPECT_EQ(files(), 2);
}

TEST_F(AtomicFileTest, WritesToDevicesInPlace) {
  auto file = AtomicFile::open("/dev/full", AtomicFile::InPlace::CharacterDevices);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->temporaryPath(), "");
  EXPECT_EQ(writeAll(file->descriptor(), "text", 4), 0u);
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_TRUE(file->publish());
}

TEST_F(AtomicFileTest, WaitsForNoReaderOfAPipeWhereThatIsNotWanted) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto file = AtomicFile::open(path, AtomicFile::InPlace::CharacterDevices);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error(), EINVAL);
}

TEST_F(AtomicFileTest, SaysWhyThereIsNone) {
  const auto file = AtomicFile::open(folder.path() + "/none/file");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error(), ENOENT);
}

} // namespace
} // namespace kperf::posix
