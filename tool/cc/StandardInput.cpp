// Replaces standard input by an anonymous file.
#include "tool/cc/StandardInput.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace kperf::cc {
namespace {

bool isKept = false;

llvm::Error cannotKeep(std::error_code error) {
  return llvm::createStringError(error, "cannot read source from standard input: %s", error.message().c_str());
}

} // namespace

llvm::Expected<std::string> keepStandardInput() {
  auto read = llvm::MemoryBuffer::getSTDIN();
  if (!read)
    return cannotKeep(read.getError());
  std::string text = (*read)->getBuffer().str();
  const int file = memfd_create("standard input", MFD_CLOEXEC);
  if (file < 0)
    return cannotKeep(std::error_code(errno, std::generic_category()));
  llvm::raw_fd_ostream out(file, /*shouldClose=*/true);
  out << text;
  out.flush();
  if (out.has_error() || dup2(file, STDIN_FILENO) < 0) {
    const std::error_code error = out.has_error() ? out.error() : std::error_code(errno, std::generic_category());
    out.clear_error();
    return cannotKeep(error);
  }
  isKept = true;
  rewindStandardInput();
  return text;
}

void rewindStandardInput() {
  if (isKept)
    lseek(STDIN_FILENO, 0, SEEK_SET);
}

} // namespace kperf::cc
