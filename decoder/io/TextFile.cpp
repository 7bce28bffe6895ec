// Reads texts that need not be files on a disk and may be endless.
#include "decoder/io/TextFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace kperf::decoder {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

class Descriptor {
public:
  explicit Descriptor(const std::string &path)
      : number(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number > STDIN_FILENO)
      close(number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  const int number;
};

Status cannotBeRead(const std::string &path) {
  return failure({.message = fmt::format("cannot be read: {}", std::strerror(errno)), .file = path});
}

/// Whether it may be a text, by its kind. From then on reading waits, as for a pipe whose writer is slow.
Status prepare(int descriptor, const std::string &path) {
  struct stat status{};
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    return cannotBeRead(path);
  const bool isDevice = (S_ISCHR(status.st_mode) && !isatty(descriptor)) || S_ISBLK(status.st_mode);
  if (isDevice || S_ISDIR(status.st_mode))
    return failure({.message = "cannot be read as a text",
                    .found = isDevice ? "a device" : "a directory",
                    .expected = "a file or a pipe",
                    .file = path});
  if (const int flags = fcntl(descriptor, F_GETFL); descriptor != STDIN_FILENO)
    fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
  return {};
}

} // namespace

Expected<std::string> readTextFile(const std::string &path, std::uint64_t maxBytes, const std::function<Status(std::string_view)> &check) {
  const Descriptor file(path);
  if (Status status = prepare(file.number, path); !status)
    return failure(status.error());
  std::string text;
  std::vector<char> piece(kPieceBytes);
  for (bool isChecked = !check;;) {
    const ssize_t count = ::read(file.number, piece.data(), piece.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failure(cannotBeRead(path).error());
    if (count == 0)
      break;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > maxBytes)
      return failure({.message = "is too long",
                      .found = fmt::format("more than {} MiB", maxBytes >> 20),
                      .remedy = "is it a text at all, and does it end?",
                      .file = path});
    if (isChecked || text.size() < kPieceBytes)
      continue;
    isChecked = true;
    if (Status status = check(text); !status)
      return failure(status.error());
  }
  struct stat status{};
  if (text.empty() && file.number != STDIN_FILENO && fstat(file.number, &status) == 0 && S_ISFIFO(status.st_mode))
    return failure({.message = "is a pipe that nothing writes to", .remedy = "start what writes to it first", .file = path});
  return text;
}

std::string startOfFile(const std::string &path, std::size_t count) {
  std::string start(count, '\0');
  struct stat status{};
  const Descriptor file(path);
  const bool isFile = file.number >= 0 && fstat(file.number, &status) == 0 && S_ISREG(status.st_mode);
  const ssize_t length = isFile ? ::read(file.number, start.data(), count) : 0;
  start.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return start;
}

} // namespace kperf::decoder
