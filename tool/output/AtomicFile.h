// A file that others see when it is whole, or not at all.
#ifndef KPERF_TOOL_ATOMICFILE_H
#define KPERF_TOOL_ATOMICFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <optional>
#include <string>

namespace kperf {

/// Replaces another file only once it is complete. What is no regular file, such as /dev/null, keeps its place and is written to.
class AtomicFile {
public:
  static llvm::Expected<AtomicFile> open(llvm::StringRef path);
  AtomicFile(AtomicFile &&other);
  ~AtomicFile();

  /// Writes the text and puts the file in its place. Once.
  llvm::Error commit(llvm::StringRef text);

private:
  AtomicFile(std::string path, llvm::sys::fs::TempFile file) : path(std::move(path)), file(std::move(file)) {}
  AtomicFile(std::string path, int device) : path(std::move(path)), device(device) {}

  std::string path;
  std::optional<llvm::sys::fs::TempFile> file;
  int device = -1; ///< open for writing, where `file` is nothing
};

} // namespace kperf

#endif
