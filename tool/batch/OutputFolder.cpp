// Locks, writes and tidies the output folder.
#include "tool/batch/OutputFolder.h"

#include "rewriters/source/WholeFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace kperf::batch {
namespace {

llvm::Error cannotWrite(llvm::StringRef path, const std::error_code &error) {
  return llvm::createStringError("cannot write '" + path + "': " + error.message());
}

bool isEmptyFolder(llvm::StringRef path) {
  std::error_code error;
  return llvm::sys::fs::directory_iterator(path, error) == llvm::sys::fs::directory_iterator() && !error;
}

bool holdsText(llvm::StringRef path, llvm::StringRef text) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer && (*buffer)->getBuffer() == text;
}

} // namespace

llvm::Expected<OutputFolder> OutputFolder::open(llvm::StringRef path) {
  llvm::SmallString<256> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  OutputFolder output(absolute.str().str(), -1);
  if (llvm::sys::fs::exists(absolute) && !llvm::sys::fs::is_directory(absolute))
    return llvm::createStringError("'" + path + "' is not a folder; choose another -o");
  if (llvm::sys::fs::is_directory(absolute) && !llvm::sys::fs::is_directory(output.state()) && !isEmptyFolder(absolute))
    return llvm::createStringError("folder '" + path +
                                   "' holds files that kperf-rewrite did not write; give -o a new "
                                   "or empty folder");
  if (std::error_code error = llvm::sys::fs::create_directories(output.state()))
    return cannotWrite(path, error);
  output.lock = ::open(output.state().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (output.lock < 0 || access(output.folder.c_str(), W_OK) != 0)
    return cannotWrite(path, std::error_code(errno, std::generic_category()));
  if (flock(output.lock, LOCK_EX | LOCK_NB) != 0)
    return llvm::createStringError("another kperf-rewrite is writing to '" + path +
                                   "'; wait for it, or choose another "
                                   "-o");
  return output;
}

OutputFolder::OutputFolder(OutputFolder &&other) noexcept
    : folder(std::move(other.folder)), lock(other.lock), written(std::move(other.written)) {
  other.lock = -1;
}

OutputFolder::~OutputFolder() {
  if (lock >= 0)
    close(lock);
}

llvm::Error OutputFolder::makeFolder(llvm::StringRef path) {
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    return cannotWrite(path, error);
  return llvm::Error::success();
}

llvm::Error OutputFolder::write(llvm::StringRef file, llvm::StringRef text) {
  written.insert(file.str());
  if (holdsText(file, text)) // its time stays, and so nothing is built again
    return llvm::Error::success();
  if (auto error = makeFolder(llvm::sys::path::parent_path(file)))
    return error;
  return writeWholeFile(file, text);
}

llvm::Error OutputFolder::moveHere(llvm::StringRef from, llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(from, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + from + "': " + buffer.getError().message());
  if (auto error = write(file, (*buffer)->getBuffer()))
    return error;
  llvm::sys::fs::remove(from);
  return llvm::Error::success();
}

llvm::Error OutputFolder::removeOutdated() {
  const std::string prefix = folder + "/";
  if (auto buffer = llvm::MemoryBuffer::getFile(manifest(), /*IsText=*/true)) {
    llvm::SmallVector<llvm::StringRef, 0> lines;
    (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : lines)
      // a manifest that was tampered with leads nowhere else
      if (!line.contains("..") && !written.contains(prefix + line.str()))
        llvm::sys::fs::remove(prefix + line);
  }
  std::string text;
  for (const std::string &file : written)
    text += llvm::StringRef(file).drop_front(prefix.size()).str() + "\n";
  return writeWholeFile(manifest(), text);
}

} // namespace kperf::batch
