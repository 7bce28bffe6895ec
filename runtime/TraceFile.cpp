// Writes a trace file section by section.
#include "TraceFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kperf::runtime {

TraceFile::~TraceFile() {
  if (descriptor < 0)
    return;
  close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

bool TraceFile::open(format::Target target, std::uint64_t createdUnixNs, std::uint64_t buildId) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) { // a device such as /dev/null keeps its place
    errno = EINVAL;
    descriptor = S_ISCHR(status.st_mode) ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : -1;
  } else {
    temporary = path + ".XXXXXX";
    descriptor = mkostemp(temporary.data(), O_CLOEXEC);
  }
  if (descriptor < 0) {
    errorNumber = errno;
    temporary.clear();
    return false;
  }
  const mode_t mask = umask(0);
  umask(mask);
  if (!temporary.empty())
    fchmod(descriptor, 0666 & ~mask);
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
  return writeSection(format::SectionKind::Strings, std::as_bytes(std::span(text)));
}

bool TraceFile::writeWarps(std::span<const std::byte> payload, std::uint64_t count) {
  warps += count;
  return writeSection(format::SectionKind::Warps, payload);
}

bool TraceFile::writeSection(format::SectionKind kind, std::span<const std::byte> payload) {
  static constexpr char padding[8] = {};
  const format::SectionHeader header{kind, 0, payload.size(), XXH3_64bits(payload.data(), payload.size())};
  ++sections;
  return writeBytes(&header, sizeof(header)) && writeBytes(payload.data(), payload.size()) &&
         writeBytes(padding, -payload.size() % 8);
}

bool TraceFile::writeBytes(const void *data, std::size_t bytes) {
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
    written += static_cast<std::uint64_t>(count);
  }
  return descriptor >= 0;
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
  const format::EndRecord end{sections, warps};
  const bool isWhole = write(format::SectionKind::End, std::span(&end, 1)) && publish();
  if (!isWhole)
    return false;
  const bool isClosed = close(descriptor) == 0;
  errorNumber = isClosed ? 0 : errno;
  descriptor = -1;
  return isClosed;
}

void TraceFile::abandon() {
  if (descriptor >= 0)
    close(descriptor);
  descriptor = -1;
  temporary.clear();
}

std::string TraceFile::error() const { return std::strerror(errorNumber); }

} // namespace kperf::runtime
