// Checks what a file is before it is opened, because opening a pipe blocks.
#include "rewriters/source/StoredFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace kperf {

bool isEndless(StringRef path) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status))
    return false;
  return status.type() != sys::fs::file_type::regular_file && status.type() != sys::fs::file_type::directory_file;
}

Expected<std::unique_ptr<MemoryBuffer>> readStoredFile(StringRef path, std::uint64_t maxBytes) {
  if (isEndless(path))
    return createStringError("it is a pipe or a device, expected a file: store its text in one");
  std::uint64_t bytes = 0;
  if (!sys::fs::file_size(path, bytes) && bytes > maxBytes)
    return createStringError("it has " + utostr(bytes) + " bytes, expected at most " + utostr(maxBytes));
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return createStringError(buffer.getError().message());
  return std::move(*buffer);
}

} // namespace kperf
