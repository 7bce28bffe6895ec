// Creates the file beside its name, and renames it.
#include "posix/AtomicFile.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kperf::posix {

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::exchange(other.temporary, {})), file(std::exchange(other.file, -1)) {}

AtomicFile &AtomicFile::operator=(AtomicFile &&other) noexcept {
  if (this != &other) {
    discard();
    path = std::move(other.path);
    temporary = std::exchange(other.temporary, {});
    file = std::exchange(other.file, -1);
  }
  return *this;
}

bool AtomicFile::createTemporary() {
  constexpr int kMaxAttempts = 100;
  for (int attempt = 0; attempt < kMaxAttempts && file < 0; ++attempt) {
    std::uint32_t number = 0;
    if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
      number = static_cast<std::uint32_t>(getpid() + attempt);
    char suffix[16];
    std::snprintf(suffix, sizeof(suffix), ".%08x", number);
    temporary = path + suffix;
    file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST)
      break;
  }
  if (file < 0)
    temporary.clear();
  return file >= 0;
}

std::expected<AtomicFile, int> AtomicFile::open(const std::string &path, InPlace inPlace) {
  AtomicFile out;
  out.path = path;
  struct stat status{};
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) {
    if (!out.createTemporary())
      return std::unexpected(errno);
    return out;
  }
  if (inPlace == InPlace::CharacterDevices && !S_ISCHR(status.st_mode))
    return std::unexpected(EINVAL);
  out.file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (out.file < 0)
    return std::unexpected(errno);
  return out;
}

bool AtomicFile::publish() {
  if (temporary.empty())
    return true;
  if (std::rename(temporary.c_str(), path.c_str()) != 0)
    return false;
  temporary.clear();
  return true;
}

bool AtomicFile::close() { return ::close(std::exchange(file, -1)) == 0; }

bool AtomicFile::reopen() {
  file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return file >= 0;
}

void AtomicFile::discard() {
  if (!temporary.empty())
    unlink(temporary.c_str());
  abandon();
}

void AtomicFile::abandon() {
  if (file >= 0)
    close();
  temporary.clear();
}

std::size_t writeAll(int descriptor, const void *data, std::size_t bytes) {
  const char *at = static_cast<const char *>(data);
  std::size_t left = bytes;
  while (left > 0) {
    const ssize_t count = ::write(descriptor, at, left);
    if (count < 0 && errno == EINTR)
      continue;
    if (count == 0)
      errno = EIO;
    if (count <= 0)
      break;
    at += count;
    left -= static_cast<std::size_t>(count);
  }
  return bytes - left;
}

static std::expected<void, int> finish(AtomicFile &file) {
  if (!file.close() || !file.publish())
    return std::unexpected(errno);
  return {};
}

std::expected<void, int> writeFile(const std::string &path, std::string_view text) {
  auto file = AtomicFile::open(path);
  if (!file)
    return std::unexpected(file.error());
  if (writeAll(file->descriptor(), text.data(), text.size()) < text.size())
    return std::unexpected(errno);
  return finish(*file);
}

std::expected<void, int> copyFile(const std::string &from, const std::string &to) {
  std::unique_ptr<FILE, int (*)(FILE *)> source(std::fopen(from.c_str(), "rbe"), std::fclose);
  if (!source)
    return std::unexpected(errno);
  auto file = AtomicFile::open(to);
  if (!file)
    return std::unexpected(file.error());
  char piece[1 << 16];
  while (const std::size_t bytes = std::fread(piece, 1, sizeof(piece), source.get()))
    if (writeAll(file->descriptor(), piece, bytes) < bytes)
      return std::unexpected(errno);
  if (std::ferror(source.get()) != 0)
    return std::unexpected(errno);
  return finish(*file);
}

} // namespace kperf::posix
