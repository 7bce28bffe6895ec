// Refuses to replace what would be lost, writes in large pieces, and gives a file its name when it is whole.
#include "decoder/io/Output.h"
#include "decoder/io/Utf8.h"

#include <kperf/format.h>

#include <algorithm>
#include <cerrno>
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

Status checkTakesBytes(const std::string &path) {
  if (path != "-" || isatty(STDOUT_FILENO) == 0)
    return {};
  return failure(
      {.message = "is a terminal, and the result is no text", .remedy = "name a file, or a program behind |", .file = "standard output"});
}

Expected<OutputFile> OutputFile::open(const std::string &path, Replaces replaces, std::span<const std::string> sources) {
  if (Status status = replaces == Replaces::AnyFile ? checkTakesBytes(path) : Status(); !status)
    return failure(status.error());
  if (Status status = checkReplaceable(path, replaces, sources); !status)
    return failure(status.error());
  if (path == "-")
    return OutputFile(path, {});
  auto file = posix::AtomicFile::open(path);
  if (!file)
    return failure({.message = fmt::format("cannot be written: {}", std::strerror(file.error())), .file = path});
  return OutputFile(path, std::move(*file));
}

void OutputFile::makeExecutable() {
  struct stat status{};
  if (!temporaryPath().empty() && fstat(file.descriptor(), &status) == 0)
    fchmod(file.descriptor(), status.st_mode | (status.st_mode & 0444) >> 2); // who may read it
}

void OutputFile::flush() {
  if (errorNumber == 0 && posix::writeAll(path == "-" ? STDOUT_FILENO : file.descriptor(), buffer.data(), buffer.size()) < buffer.size())
    errorNumber = errno;
  buffer.clear();
}

Status OutputFile::finish() {
  flush();
  if (errorNumber == 0 && !temporaryPath().empty() && !(file.close() && file.publish()))
    errorNumber = errno;
  if (errorNumber == 0)
    return {};
  return failure(
      {.message = fmt::format("cannot be written: {}", std::strerror(errorNumber)), .file = path == "-" ? "standard output" : path});
}

} // namespace kperf::decoder
