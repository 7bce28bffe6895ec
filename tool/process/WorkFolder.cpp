// Makes, locks and removes the work folder.
#include "tool/process/WorkFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kperf::cc {
namespace {

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
void removeContents(llvm::StringRef path) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(path, error), end; entry != end && !error; entry.increment(error)) {
    if (entry->type() == llvm::sys::fs::file_type::directory_file)
      llvm::sys::fs::remove_directories(entry->path());
    else
      llvm::sys::fs::remove(entry->path());
  }
}

} // namespace

llvm::Expected<WorkFolder> WorkFolder::create(llvm::StringRef key) {
  llvm::SmallString<128> base;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, base);
  llvm::sys::fs::make_absolute(base);
  constexpr unsigned kMostAttempts = 1000;
  for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
    llvm::SmallString<160> path(base);
    std::string name = "kperf-cc-" + llvm::utostr(geteuid()) + "-" + llvm::utohexstr(llvm::xxh3_64bits(key), true, 16);
    llvm::sys::path::append(path, attempt == 0 ? name : name + "-" + llvm::utostr(attempt));
    if (const int lock = lockFolder(path.str().str()); lock >= 0) {
      removeContents(path);
      return WorkFolder(path.str().str(), lock);
    }
    if (access(base.c_str(), W_OK | X_OK) != 0)
      break;
  }
  return llvm::createStringError("cannot make a temporary folder in '%s'; set TMPDIR to a folder that can be written", base.c_str());
}

WorkFolder::WorkFolder(WorkFolder &&other) noexcept : folder(std::move(other.folder)), lock(other.lock), kept(other.kept) {
  other.lock = -1;
}

WorkFolder::~WorkFolder() {
  if (lock < 0)
    return;
  if (!kept)
    llvm::sys::fs::remove_directories(folder);
  close(lock);
}

} // namespace kperf::cc
