// Writes beside the name, then renames.
#include "rewriters/source/WholeFile.h"

#include "posix/AtomicFile.h"

#include "llvm/Support/Signals.h"

#include <cerrno>
#include <system_error>

namespace kperf {

llvm::Error writeWholeFile(llvm::StringRef path, llvm::StringRef text) {
  const auto failed = [&](int number) { return llvm::createFileError(path, std::error_code(number, std::generic_category())); };
  auto file = posix::AtomicFile::open(path.str());
  if (!file)
    return failed(file.error());
  const std::string temporary = file->temporaryPath();
  if (!temporary.empty())
    llvm::sys::RemoveFileOnSignal(temporary);
  const bool isWritten = posix::writeAll(file->descriptor(), text.data(), text.size()) == text.size() && file->close() && file->publish();
  const int number = errno;
  file->discard();
  if (!temporary.empty())
    llvm::sys::DontRemoveFileOnSignal(temporary);
  return isWritten ? llvm::Error::success() : failed(number);
}

} // namespace kperf
