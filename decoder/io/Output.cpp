// Writes a file under a temporary name and renames it when it is whole.
#include "decoder/io/Output.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kperf::decoder {

Expected<OutputFile> OutputFile::open(const std::string &path) {
  OutputFile out;
  out.path = path;
  if (path == "-") {
    out.descriptor = STDOUT_FILENO;
    return out;
  }
  struct stat status {};
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
  const mode_t mask = umask(0);
  umask(mask);
  if (!out.temporary.empty())
    fchmod(out.descriptor, 0666 & ~mask);
  return out;
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
  return failure({.message = fmt::format("cannot be written: {}", std::strerror(errorNumber)),
                  .file = path == "-" ? "standard output" : path});
}

} // namespace kperf::decoder
