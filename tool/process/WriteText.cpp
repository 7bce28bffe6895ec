// Creates the folders, then the file.
#include "tool/process/WriteText.h"

#include "posix/AtomicFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <system_error>

namespace kperf::process {

llvm::Error writeText(llvm::StringRef path, llvm::StringRef text) {
  const llvm::StringRef folder = llvm::sys::path::parent_path(path);
  std::error_code error = folder.empty() ? std::error_code() : llvm::sys::fs::create_directories(folder);
  if (!error)
    if (const auto written = posix::writeFile(path.str(), text); !written)
      error = std::error_code(written.error(), std::generic_category());
  if (error)
    return llvm::createStringError(error, "cannot write '%s': %s", path.str().c_str(), error.message().c_str());
  return llvm::Error::success();
}

} // namespace kperf::process
