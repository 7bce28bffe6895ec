// Writes a trace file section by section.
#include "runtime/file/TraceFile.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kperf::runtime {

namespace {

/// While it lives, a write beyond the process's limit of file sizes fails, and does not end the program by SIGXFSZ.
class SizeLimitAsError {
public:
  SizeLimitAsError() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~SizeLimitAsError() {
    constexpr timespec kNow{};
    if (sigismember(&before, SIGXFSZ) == 0)
      sigtimedwait(&signals, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  SizeLimitAsError(const SizeLimitAsError &) = delete;
  SizeLimitAsError &operator=(const SizeLimitAsError &) = delete;

private:
  sigset_t signals, before;
};

} // namespace

TraceFile::~TraceFile() { discard(); }

/// A new file beside the final one, with the permissions that the process gives its files; whatever has the name already, a
/// link included, is not followed.
bool TraceFile::createTemporary() {
  constexpr int kMaxAttempts = 100;
  for (int attempt = 0; attempt < kMaxAttempts && descriptor < 0; ++attempt) {
    std::uint32_t number = 0;
    if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
      number = static_cast<std::uint32_t>(getpid() + attempt);
    char suffix[16];
    std::snprintf(suffix, sizeof(suffix), ".%08x", number);
    temporary = path + suffix;
    descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      break;
  }
  return descriptor >= 0;
}

bool TraceFile::open(format::Target target, std::uint64_t createdUnixNs, std::uint64_t buildId) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) { // a device such as /dev/null keeps its place
    errno = EINVAL;
    descriptor = S_ISCHR(status.st_mode) ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : -1;
  } else {
    createTemporary();
  }
  if (descriptor < 0) {
    errorNumber = errno;
    temporary.clear();
    return false;
  }
  format::FileHeader header{};
  std::memcpy(header.magic, format::kMagic, sizeof(header.magic));
  header.versionMajor = format::kVersionMajor;
  header.versionMinor = format::kVersionMinor;
  header.endianMarker = format::kEndianMarker;
  header.headerBytes = sizeof(header);
  header.target = target;
  header.createdUnixNs = createdUnixNs;
  header.buildId = buildId;
  intern("");
  return writeBytes(&header, sizeof(header));
}

std::uint32_t TraceFile::intern(std::string_view text) {
  const auto [entry, isNew] = offsets.try_emplace(std::string(text), nextOffset);
  if (isNew) {
    pendingStrings.append(text).push_back('\0');
    nextOffset += static_cast<std::uint32_t>(text.size() + 1);
  }
  return entry->second;
}

bool TraceFile::writeStrings() {
  if (pendingStrings.empty())
    return true;
  const std::string text = std::exchange(pendingStrings, {});
  if (beforeTail)
    tailStrings += text;
  return writeSection(format::SectionKind::Strings, std::as_bytes(std::span(text)));
}

bool TraceFile::writeWarps(std::span<const std::byte> payload, std::uint64_t parts, std::uint64_t warps) {
  counts.parts += parts;
  counts.warps += warps;
  return writeSection(format::SectionKind::Warps, payload);
}

bool TraceFile::writeSection(format::SectionKind kind, std::span<const std::byte> payload) {
  static constexpr char padding[8] = {};
  const format::SectionHeader header{kind, 0, payload.size(), XXH3_64bits(payload.data(), payload.size())};
  ++counts.sections;
  return writeBytes(&header, sizeof(header)) && writeBytes(payload.data(), payload.size()) && writeBytes(padding, -payload.size() % 8);
}

bool TraceFile::writeBytes(const void *data, std::size_t bytes) {
  const SizeLimitAsError limit;
  const char *at = static_cast<const char *>(data);
  while (bytes > 0 && descriptor >= 0) {
    const ssize_t count = ::write(descriptor, at, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      errorNumber = count < 0 ? errno : EIO;
      return false;
    }
    at += count;
    bytes -= static_cast<std::size_t>(count);
    counts.written += static_cast<std::uint64_t>(count);
  }
  return descriptor >= 0;
}

bool TraceFile::beginTail() {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  beforeTail = counts;
  return true;
}

bool TraceFile::dropTail() {
  if (!beforeTail)
    return true;
  counts = *std::exchange(beforeTail, std::nullopt);
  pendingStrings.insert(0, std::exchange(tailStrings, {}));
  const auto end = static_cast<off_t>(counts.written);
  const bool isCut = ftruncate(descriptor, end) == 0 && lseek(descriptor, end, SEEK_SET) == end;
  errorNumber = isCut ? 0 : errno;
  return isCut;
}

bool TraceFile::publish() {
  if (temporary.empty())
    return true;
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    errorNumber = errno;
    return false;
  }
  temporary.clear();
  return true;
}

bool TraceFile::finish() {
  const format::EndRecord end{counts.sections, counts.parts};
  beforeEnd = counts;
  const bool isWhole = write(format::SectionKind::End, std::span(&end, 1)) && publish();
  if (!isWhole)
    return false;
  const bool isClosed = close(descriptor) == 0;
  errorNumber = isClosed ? 0 : errno;
  descriptor = -1;
  return isClosed;
}

bool TraceFile::reopen() {
  struct stat status{};
  if (!beforeEnd || descriptor >= 0 || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) != counts.written)
    return false;
  descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  beforeTail = std::exchange(beforeEnd, std::nullopt);
  return descriptor >= 0 && dropTail();
}

void TraceFile::discard() {
  if (descriptor >= 0 && !temporary.empty())
    unlink(temporary.c_str());
  abandon();
}

void TraceFile::abandon() {
  if (descriptor >= 0)
    close(descriptor);
  descriptor = -1;
  temporary.clear();
}

std::string TraceFile::error() const { return std::strerror(errorNumber); }

} // namespace kperf::runtime
