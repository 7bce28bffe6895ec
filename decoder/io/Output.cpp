// Writes a file under a temporary name and renames it when it is whole.
#include "decoder/io/Output.h"
#include "decoder/io/Utf8.h"

#include <kperf/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kperf::decoder {

namespace {

bool isSameFile(const struct stat &status, const std::string &other) {
  struct stat otherStatus{};
  return stat(other.c_str(), &otherStatus) == 0 && otherStatus.st_dev == status.st_dev && otherStatus.st_ino == status.st_ino;
}

bool isTrace(const std::string &path) {
  unsigned char start[sizeof(format::kMagic)] = {};
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return false;
  const bool isRead = ::read(descriptor, start, sizeof(start)) == static_cast<ssize_t>(sizeof(start));
  close(descriptor);
  return isRead && std::memcmp(start, format::kMagic, sizeof(start)) == 0;
}

} // namespace

void Output::write(std::string_view text) { writeBytes(printable(text, "\n\t")); }

void Output::writeStyle(std::string_view parameters) { writeBytes(fmt::format("\x1b[{}m", parameters)); }

void Output::writeBytes(std::string_view bytes) {
  buffer += bytes;
  if (buffer.size() >= kPieceBytes)
    flush();
}

Status checkReplaceable(const std::string &path, Replaces replaces, std::span<const std::string> sources) {
  struct stat status{};
  if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return {};
  if (std::ranges::any_of(sources, [&](const std::string &source) { return isSameFile(status, source); }))
    return failure(
        {.message = "is what the result is made from, and would be lost", .remedy = "give the result another name", .file = path});
  if (replaces == Replaces::NoTrace && isTrace(path))
    return failure(
        {.message = "is a trace, and would be lost", .remedy = "give the result another name, or remove the trace first", .file = path});
  return {};
}

Expected<OutputFile> OutputFile::open(const std::string &path, Replaces replaces, std::span<const std::string> sources) {
  if (Status status = checkReplaceable(path, replaces, sources); !status)
    return failure(status.error());
  OutputFile out;
  out.path = path;
  if (path == "-") {
    out.descriptor = STDOUT_FILENO;
    return out;
  }
  struct stat status{};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) { // a device such as /dev/null keeps its place
    out.descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    out.temporary = path + ".XXXXXX";
    out.descriptor = mkostemp(out.temporary.data(), O_CLOEXEC);
    if (out.descriptor < 0)
      out.temporary.clear();
  }
  if (out.descriptor < 0)
    return failure({.message = fmt::format("cannot be written: {}", std::strerror(errno)), .file = path});
  out.setMode(0666);
  return out;
}

void OutputFile::makeExecutable() { setMode(0777); }

/// Less the user's mask, and not of a device.
void OutputFile::setMode(unsigned mode) {
  const mode_t mask = umask(0);
  umask(mask);
  if (!temporary.empty())
    fchmod(descriptor, mode & ~mask);
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : Output(std::move(other)), path(std::move(other.path)), temporary(std::exchange(other.temporary, {})),
      descriptor(std::exchange(other.descriptor, -1)), errorNumber(other.errorNumber) {}

OutputFile::~OutputFile() {
  if (!temporary.empty())
    unlink(temporary.c_str());
  if (descriptor > STDERR_FILENO)
    close(descriptor);
}

void OutputFile::flush() {
  std::string_view left = buffer;
  while (!left.empty() && errorNumber == 0) {
    const ssize_t count = ::write(descriptor, left.data(), left.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      errorNumber = count < 0 ? errno : EIO;
    else
      left.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer.clear();
}

Status OutputFile::finish() {
  flush();
  if (errorNumber == 0 && !temporary.empty()) {
    if (close(std::exchange(descriptor, -1)) != 0 || std::rename(temporary.c_str(), path.c_str()) != 0)
      errorNumber = errno;
    else
      temporary.clear();
  }
  if (errorNumber == 0)
    return {};
  return failure(
      {.message = fmt::format("cannot be written: {}", std::strerror(errorNumber)), .file = path == "-" ? "standard output" : path});
}

} // namespace kperf::decoder
