// Bytes of a file by their position, up to its last one.
#include "decoder/io/ByteSource.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace kperf::decoder {
namespace {

/// What stands from `offset` on, or why it can't be read.
std::string readFrom(const ByteSource &source, std::uint64_t offset, std::size_t count) {
  std::vector<std::byte> out(count);
  if (const Status status = source.read(offset, out); !status)
    return status.error().text();
  return {reinterpret_cast<const char *>(out.data()), out.size()};
}

ByteSource memoryOf(const std::string &text) {
  const auto bytes = std::as_bytes(std::span(text));
  return ByteSource::memory({bytes.begin(), bytes.end()});
}

TEST(ByteSource, IsReadUpToItsLastByte) {
  const ByteSource source = memoryOf("abcd");
  EXPECT_EQ(source.size(), 4u);
  EXPECT_EQ(readFrom(source, 0, 4), "abcd");
  EXPECT_EQ(readFrom(source, 1, 2), "bc");
  EXPECT_EQ(readFrom(source, 4, 0), "");
  EXPECT_EQ(readFrom(source, 2, 3), "at byte 2: the file ends too early: found 4 bytes, expected at least 5");
  EXPECT_EQ(readFrom(source, 5, 0), "at byte 5: the file ends too early: found 4 bytes, expected at least 5");
  EXPECT_TRUE(readFrom(source, ~std::uint64_t{0}, 2).contains("ends too early"));
}

TEST(ByteSource, OfAFileIsAsLongAsItWasWhenItWasOpened) {
  const auto path = std::filesystem::temp_directory_path() / ("kperf-source-test-" + std::to_string(::getpid()));
  std::ofstream(path) << "abcde";
  auto source = ByteSource::open(path);
  ASSERT_TRUE(source);
  const std::uint64_t before = ByteSource::bytesRead();
  EXPECT_EQ(readFrom(*source, 1, 3), "bcd");
  EXPECT_EQ(readFrom(*source, 4, 1), "e");
  EXPECT_EQ(ByteSource::bytesRead() - before, 4u);
  EXPECT_EQ(source->name(), path);
  std::ofstream(path, std::ios::app) << "fg";
  EXPECT_TRUE(readFrom(*source, 4, 2).contains("at byte 4: the file ends too early: found 5 bytes, expected at least 6"));
  std::filesystem::resize_file(path, 3);
  EXPECT_TRUE(readFrom(*source, 1, 3).contains("at byte 3: the file became shorter while it was read"));
  ByteSource other = memoryOf("xy");
  other = std::move(*source);
  EXPECT_EQ(other.size(), 5u);
  EXPECT_EQ(readFrom(other, 0, 3), "abc");
  std::filesystem::remove(path);
}

} // namespace
} // namespace kperf::decoder
