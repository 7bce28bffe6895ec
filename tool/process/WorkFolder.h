// The private temporary folder in which one run of kperf-cc compiles.
#ifndef KPERF_TOOL_CC_WORKFOLDER_H
#define KPERF_TOOL_CC_WORKFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kperf::cc {

/// A folder below the system's temporary folder, readable by its owner only, removed with its contents at the end. Its
/// name depends on `key` alone while no other run uses it, so that equal runs compile equal paths: compiler caches hit
/// and objects are reproducible.
class WorkFolder {
public:
  static llvm::Expected<WorkFolder> create(llvm::StringRef key);

  WorkFolder(WorkFolder &&other) noexcept;
  WorkFolder &operator=(WorkFolder &&) = delete;
  ~WorkFolder();

  /// Absolute, without symbolic links of our making.
  const std::string &path() const { return folder; }
  /// The folder outlives this object.
  void keep() { kept = true; }

private:
  WorkFolder(std::string path, int lock) : folder(std::move(path)), lock(lock) {}
  std::string folder;
  int lock = -1;
  bool kept = false;
};

} // namespace kperf::cc

#endif
