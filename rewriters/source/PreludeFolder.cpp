// Finds the folder, and keeps it to its size.
#include "rewriters/source/PreludeFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace kperf {

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30; ///< of all preludes, some 80 commands'; the longest unused go first

/// The user's own, and nobody else may write there: what lies in it is read as parsed code.
bool isPrivate(const Twine &folder) {
  sys::fs::file_status status;
  return !sys::fs::status(folder, status) && sys::fs::is_directory(status) && status.getUser() == geteuid() &&
         (status.permissions() & (sys::fs::group_write | sys::fs::others_write)) == 0;
}

} // namespace

std::string preludeFolder() {
  const char *given = std::getenv("KPERF_CACHE");
  SmallString<256> folder(given ? given : "");
  if (given) {
    if (folder.empty())
      return {};
    sys::fs::make_absolute(folder);
  } else if (sys::path::cache_directory(folder)) {
    sys::path::append(folder, "kperf");
  } else {
    return {};
  }
  const auto onlyUser = sys::fs::owner_all;
  if (sys::fs::create_directories(folder, /*IgnoreExisting=*/true, onlyUser) || !isPrivate(folder))
    return {};
  return folder.str().str();
}

void notePreludeUse(const std::string &path) {
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_NOW}, {.tv_sec = 0, .tv_nsec = UTIME_OMIT}};
  utimensat(AT_FDCWD, path.c_str(), times, 0); // where it fails, another goes first
}

void removeOldestPreludes(StringRef folder, StringRef unfinished) {
  std::vector<std::tuple<sys::TimePoint<>, std::uint64_t, std::string>> headers;
  std::error_code error;
  const auto yesterday = std::chrono::system_clock::now() - std::chrono::hours(24);
  for (sys::fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    ErrorOr<sys::fs::basic_file_status> status = file->status();
    const StringRef name = sys::path::filename(file->path());
    const bool isUnfinished = name.contains(".pch.") || name.ends_with(kNoteSuffix);
    if (status && name.ends_with(".pch"))
      headers.emplace_back(status->getLastAccessedTime(), status->getSize(), file->path());
    else if (name.contains(unfinished) ||
             (status && (status->getSize() == 0 || isUnfinished) && status->getLastModificationTime() < yesterday))
      sys::fs::remove(file->path());
  }
  llvm::sort(headers, std::greater<>());
  std::uint64_t total = 0;
  for (const auto &[used, bytes, path] : headers)
    if ((total += bytes) > kMaxBytes) {
      for (const char *suffix : {".pch", ".files", ".h"}) // the last is that of a plain compiler's
        sys::fs::remove(StringRef(path).drop_back(4) + suffix);
    }
}

} // namespace kperf
