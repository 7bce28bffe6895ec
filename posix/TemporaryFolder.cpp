// Makes, locks and removes a temporary folder.
#include "posix/TemporaryFolder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kperf::posix {
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

} // namespace

std::string TemporaryFolder::root() {
  const char *given = std::getenv("TMPDIR");
  const fs::path root = given && *given ? given : "/tmp";
  std::error_code code;
  const fs::path absolute = fs::absolute(root, code);
  return (code ? root : absolute).string();
}

std::expected<TemporaryFolder, int> TemporaryFolder::make(std::string_view key, std::string_view name) {
  constexpr unsigned kMaxAttempts = 1000;
  const std::string root = TemporaryFolder::root();
  char hash[17];
  std::snprintf(hash, sizeof(hash), "%016zx", std::hash<std::string_view>()(key));
  const std::string first = root + "/" + std::string(name) + "-" + std::to_string(geteuid()) + "-" + hash;
  for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string path = attempt == 0 ? first : first + "-" + std::to_string(attempt);
    if (const int lock = lockFolder(path); lock >= 0) {
      removeContents(path);
      return TemporaryFolder(std::move(path), lock);
    }
    if (access(root.c_str(), W_OK | X_OK) != 0)
      return std::unexpected(errno);
  }
  return std::unexpected(EEXIST);
}

TemporaryFolder::~TemporaryFolder() {
  if (lock < 0)
    return;
  std::error_code code;
  if (!isKept)
    fs::remove_all(folder, code);
  close(lock);
}

} // namespace kperf::posix
