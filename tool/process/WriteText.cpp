// Creates the folders, then the file.
#include "tool/process/WriteText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace kperf::process {

llvm::Error writeText(llvm::StringRef path, llvm::StringRef text) {
  const llvm::StringRef folder = llvm::sys::path::parent_path(path);
  std::error_code error = folder.empty() ? std::error_code() : llvm::sys::fs::create_directories(folder);
  if (!error) {
    llvm::raw_fd_ostream out(path, error);
    if (!error) {
      out << text;
      out.close();
      error = out.error();
      out.clear_error();
    }
  }
  if (error)
    return llvm::createStringError(error, "cannot write '%s': %s", path.str().c_str(), error.message().c_str());
  return llvm::Error::success();
}

} // namespace kperf::process
