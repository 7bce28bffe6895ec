// Files that appear only when they are whole.
#include "decoder/io/Output.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using kperf::decoder::OutputFile;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("kperf-output-test-" + std::to_string(::getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator())); }
};

} // namespace

TEST(OutputFile, AppearsWhenItIsFinished) {
  Folder folder;
  auto out = OutputFile::open(folder.path / "result");
  ASSERT_TRUE(out);
  out->write("text");
  EXPECT_FALSE(fs::exists(folder.path / "result"));
  ASSERT_TRUE(out->finish());
  std::string text;
  std::getline(std::ifstream(folder.path / "result"), text);
  EXPECT_EQ(text, "text");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(OutputFile, LeavesNothingBehindWhenItIsAbandoned) {
  Folder folder;
  {
    auto out = OutputFile::open(folder.path / "result");
    ASSERT_TRUE(out);
    out->write(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(OutputFile, SaysWhyItCannotBeWritten) {
  const auto nowhere = OutputFile::open("/nonexistent/result");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().text(), "/nonexistent/result: cannot be written: No such file or directory");
  auto full = OutputFile::open("/dev/full");
  ASSERT_TRUE(full);
  full->write("text");
  ASSERT_FALSE(full->finish());
  EXPECT_EQ(full->finish().error().text(), "/dev/full: cannot be written: No space left on device");
}
