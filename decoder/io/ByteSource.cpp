// Reads a file by position, so that no state is shared between passes.
#include "decoder/io/ByteSource.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kperf::decoder {
namespace {

std::atomic<std::uint64_t> readSoFar;

} // namespace

std::uint64_t ByteSource::bytesRead() { return readSoFar.load(std::memory_order_relaxed); }

Expected<ByteSource> ByteSource::open(const std::string &path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe without a writer is not waited for
  if (descriptor < 0)
    return failure({.message = fmt::format("cannot be opened: {}", std::strerror(errno)), .file = path});
  ByteSource source;
  source.path = path;
  source.descriptor = descriptor;
  struct stat status{};
  if (fstat(descriptor, &status) != 0)
    return failure({.message = fmt::format("cannot be examined: {}", std::strerror(errno)), .file = path});
  if (!S_ISREG(status.st_mode))
    return failure({.message = "is not a regular file",
                    .found = S_ISDIR(status.st_mode) ? "a directory" : "a pipe or device",
                    .remedy = "a trace is read in several passes: store it in a file first",
                    .file = path});
  source.bytes = static_cast<std::uint64_t>(status.st_size);
  return source;
}

ByteSource ByteSource::memory(std::vector<std::byte> bytes) {
  ByteSource source;
  source.bytes = bytes.size();
  source.content = std::move(bytes);
  return source;
}

ByteSource::ByteSource(ByteSource &&other) noexcept
    : path(std::move(other.path)), bytes(other.bytes), descriptor(std::exchange(other.descriptor, -1)), content(std::move(other.content)) {}

ByteSource &ByteSource::operator=(ByteSource &&other) noexcept {
  std::swap(path, other.path);
  std::swap(bytes, other.bytes);
  std::swap(descriptor, other.descriptor);
  std::swap(content, other.content);
  return *this;
}

ByteSource::~ByteSource() {
  if (descriptor >= 0)
    close(descriptor);
}

Status ByteSource::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > bytes || out.size() > bytes - offset)
    return failure({.message = "the file ends too early",
                    .found = fmt::format("{} bytes", bytes),
                    .expected = fmt::format("at least {}", offset + out.size()),
                    .offset = offset,
                    .file = path});
  if (descriptor < 0) {
    if (!out.empty())
      std::memcpy(out.data(), content.data() + offset, out.size());
    return {};
  }
  while (!out.empty()) {
    const ssize_t count = pread(descriptor, out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return failure({.message = count < 0 ? fmt::format("cannot be read: {}", std::strerror(errno))
                                           : std::string("the file became shorter while it was read"),
                      .offset = offset,
                      .file = path});
    readSoFar.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
    offset += static_cast<std::uint64_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

} // namespace kperf::decoder
