// Writes under a temporary name, and renames.
#include "tool/output/AtomicFile.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace llvm;

namespace kperf {

Expected<AtomicFile> AtomicFile::open(StringRef path) {
  if (sys::fs::is_directory(path))
    return createStringError("'" + path + "' is a folder");
  if (sys::fs::exists(path) && !sys::fs::is_regular_file(path)) {
    int descriptor = -1;
    if (std::error_code error = sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_OpenExisting))
      return createStringError("can't write '" + path + "': " + error.message());
    return AtomicFile(path.str(), descriptor);
  }
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file)
    return createStringError("can't write '" + path + "': " + toString(file.takeError()));
  return AtomicFile(path.str(), std::move(*file));
}

AtomicFile::AtomicFile(AtomicFile &&other)
    : path(std::move(other.path)), file(std::move(other.file)), device(std::exchange(other.device, -1)) {
  other.file.reset();
}

AtomicFile::~AtomicFile() {
  if (file)
    consumeError(file->discard());
  if (device >= 0)
    sys::Process::SafelyCloseFileDescriptor(device);
}

Error AtomicFile::commit(StringRef text) {
  raw_fd_ostream stream(file ? file->FD : device, /*shouldClose=*/false);
  stream << text;
  stream.flush();
  if (stream.has_error()) {
    std::string reason = stream.error().message();
    stream.clear_error();
    return createStringError("can't write '" + path + "': " + reason);
  }
  if (!file)
    return Error::success();
  Error error = file->keep(path);
  file.reset();
  return error;
}

} // namespace kperf
