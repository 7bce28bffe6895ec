// Writes a trace file section by section.
#include "runtime/file/TraceFile.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
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

bool TraceFile::open(format::Target target, std::uint64_t createdUnixNs, std::uint64_t buildId) {
  auto opened = posix::AtomicFile::open(path, posix::AtomicFile::InPlace::CharacterDevices); // a pipe's reader is not waited for
  if (!opened) {
    errorNumber = opened.error();
    return false;
  }
  file = std::move(*opened);
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
  if (!file.isOpen())
    return false;
  const SizeLimitAsError limit;
  const std::size_t written = posix::writeAll(file.descriptor(), data, bytes);
  counts.written += written;
  if (written < bytes)
    errorNumber = errno;
  return written == bytes;
}

bool TraceFile::beginTail() {
  struct stat status{};
  if (fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode))
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
  const bool isCut = ftruncate(file.descriptor(), end) == 0 && lseek(file.descriptor(), end, SEEK_SET) == end;
  errorNumber = isCut ? 0 : errno;
  return isCut;
}

bool TraceFile::publish() {
  const bool isPublished = file.publish();
  if (!isPublished)
    errorNumber = errno;
  return isPublished;
}

bool TraceFile::finish() {
  const format::EndRecord end{counts.sections, counts.parts};
  beforeEnd = counts;
  const bool isWhole = write(format::SectionKind::End, std::span(&end, 1)) && publish();
  if (!isWhole)
    return false;
  const bool isClosed = file.close();
  errorNumber = isClosed ? 0 : errno;
  return isClosed;
}

bool TraceFile::reopen() {
  struct stat status{};
  if (!beforeEnd || file.isOpen() || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) != counts.written)
    return false;
  beforeTail = std::exchange(beforeEnd, std::nullopt);
  return file.reopen() && dropTail();
}

std::string TraceFile::error() const { return std::strerror(errorNumber); }

const char *TraceFile::betterPlace() const {
  switch (errorNumber) {
  case ENOENT:
  case ENOTDIR:
    return "a file in a folder that exists";
  case EACCES:
  case EPERM:
  case EROFS:
    return "a place where this user may write";
  case ENAMETOOLONG:
  case ELOOP:
    return "another name";
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
    return "a place with room";
  default:
    return "another place";
  }
}

} // namespace kperf::runtime
