// Makes, locks and removes a temporary folder.
#include "tool/process/TemporaryFolder.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kperf::process {
namespace {

namespace fs = std::filesystem;

/// Opens and locks `path` when it is a folder of ours that nobody else uses; -1 otherwise. The lock is the folder
/// itself, so nothing stays behind when a run is killed.
int lockFolder(const std::string &path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return -1;
  const int file = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0)
    return -1;
  struct stat opened, named;
  const bool ours = fstat(file, &opened) == 0 && opened.st_uid == geteuid() && (opened.st_mode & 077) == 0;
  // another run may have removed it between mkdir and flock: then the name is gone or means another folder
  if (ours && flock(file, LOCK_EX | LOCK_NB) == 0 && lstat(path.c_str(), &named) == 0 && named.st_ino == opened.st_ino &&
      named.st_dev == opened.st_dev)
    return file;
  close(file);
  return -1;
}

/// Removes what a killed run left.
void removeContents(const std::string &path) {
  std::error_code code, ignored;
  for (fs::directory_iterator entry(path, code), end; !code && entry != end; entry.increment(code))
    fs::remove_all(entry->path(), ignored);
}

std::string temporaryRoot() {
  const char *given = std::getenv("TMPDIR");
  const fs::path root = given && *given ? given : "/tmp";
  std::error_code code;
  const fs::path absolute = fs::absolute(root, code);
  return (code ? root : absolute).string();
}

} // namespace

decoder::Expected<TemporaryFolder> TemporaryFolder::make(std::string_view key) {
  constexpr unsigned kMaxAttempts = 1000;
  const std::string root = temporaryRoot();
  const std::string name = fmt::format("{}/kperf-{}-{:016x}", root, geteuid(), std::hash<std::string_view>()(key));
  for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string path = attempt == 0 ? name : fmt::format("{}-{}", name, attempt);
    if (const int lock = lockFolder(path); lock >= 0) {
      removeContents(path);
      return TemporaryFolder(std::move(path), lock);
    }
    if (access(root.c_str(), W_OK | X_OK) != 0)
      break;
  }
  return decoder::failure(
      {.message = fmt::format("cannot make a temporary folder in '{}'", root), .remedy = "set TMPDIR to a folder that can be written"});
}

TemporaryFolder::~TemporaryFolder() {
  if (lock < 0)
    return;
  std::error_code code;
  if (!isKept)
    fs::remove_all(folder, code);
  close(lock);
}

} // namespace kperf::process
