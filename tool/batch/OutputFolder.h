// The folder that a batch writes: its content, the lock on it, and the files in it that are obsolete.
#ifndef KPERF_TOOL_BATCH_OUTPUTFOLDER_H
#define KPERF_TOOL_BATCH_OUTPUTFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>

namespace kperf::batch {

/// `path`/compile_commands.json, `path`/kperf-rewrite.log, `path`/overlay (rewritten sources and headers, each at its
/// original's absolute path), `path`/overlay-ID (those of one source that needs headers of its own), and what the batch
/// remembers in `path`/.kperf-rewrite.
class OutputFolder {
public:
  /// Makes the folder and locks it. Fails when it cannot be written, when another batch is writing there, and when it
  /// holds files but was not made by this: nobody's files are replaced.
  static llvm::Expected<OutputFolder> open(llvm::StringRef path);
  OutputFolder(OutputFolder &&other) noexcept;
  OutputFolder &operator=(OutputFolder &&) = delete;
  ~OutputFolder();

  const std::string &path() const { return folder; }
  std::string state() const { return folder + "/.kperf-rewrite"; }
  /// The tree that all sources share, and the one of a single job.
  std::string sharedTree() const { return folder + "/overlay"; }
  std::string ownTree(llvm::StringRef jobId) const { return folder + "/overlay-" + jobId.take_front(8).str(); }

  /// Puts a text at a path below the folder unless it is there already, by a rename.
  llvm::Error write(llvm::StringRef file, llvm::StringRef text);
  /// The same with a finished file, which is moved.
  llvm::Error moveHere(llvm::StringRef from, llvm::StringRef file);
  /// Declares a file that stays as it is.
  void keep(llvm::StringRef file) { written.insert(file.str()); }
  bool holds(const std::string &file) const { return written.contains(file); }
  llvm::Error makeFolder(llvm::StringRef path);

  /// Removes what an earlier batch wrote and this one did not write or keep.
  llvm::Error removeOutdated();

private:
  OutputFolder(std::string folder, int lock) : folder(std::move(folder)), lock(lock) {}
  std::string manifest() const { return state() + "/manifest"; }

  std::string folder;
  int lock = -1;
  std::set<std::string> written; ///< absolute paths
};

} // namespace kperf::batch

#endif
