// A record of a rewritten source, by which an unchanged one is not rewritten again.
#ifndef KPERF_TOOL_BATCH_BATCHRECORD_H
#define KPERF_TOOL_BATCH_BATCHRECORD_H

#include "tool/batch/ContentHashes.h"
#include "tool/cc/SourceCopy.h"

#include "rewriters/Rewrite.h"
#include "rewriters/command/ForcedIncludes.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::batch {

/// A file below the root of a tree; the root + the path is where it lies.
struct TreeFile {
  std::string path;
  std::string hash; ///< contentHash
};

struct RecordedDiagnostic {
  Severity severity = Severity::Error;
  std::string text; ///< without its place
  std::string rendered;
};

struct BatchRecord {
  std::string key;      ///< BatchJob::key
  bool failed = false;  ///< `diagnostics` say why; there are no files
  bool changed = false; ///< false: nothing to instrument, so no files
  unsigned regions = 0;
  std::vector<FileRead> inputs;
  std::vector<TreeFile> files; ///< the rewritten source, then headers
  HeaderCopies forced;         ///< copies below the root
  std::vector<cc::Stub> stubs;
  std::vector<std::string> directories; ///< that must exist below the root
  std::vector<RecordedDiagnostic> diagnostics;

  std::string toJson() const;
  /// Nothing when the text is not a record, for example one that another version wrote.
  static std::optional<BatchRecord> fromJson(llvm::StringRef text);

  /// Whether the same job would give the same files, and they are in the tree at `root`.
  bool isCurrent(llvm::StringRef wantedKey, llvm::StringRef root, ContentHashes &hashes) const;
  /// The copies in the tree at `root` of headers that the command includes before the source.
  HeaderCopies forcedIncludes(llvm::StringRef root) const;
};

} // namespace kperf::batch

#endif
