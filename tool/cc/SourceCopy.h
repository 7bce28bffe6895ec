// The instrumented copy of one source file, with the copies of the headers that had to change with it.
#ifndef KPERF_TOOL_CC_SOURCECOPY_H
#define KPERF_TOOL_CC_SOURCECOPY_H

#include "tool/cc/CompilerMessages.h"

#include "rewriters/Rewrite.h"
#include "rewriters/command/ForcedIncludes.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kperf::cc {

/// A tree below `root` that mirrors the file system: a file of folder D lies in root + D. It holds the copies, and for
/// each `#include "…"` in them that leads beside its includer a stub that forwards to the original.
class SourceCopy {
public:
  /// `original` as the compiler was given it; `root` absolute and private. Nothing is written yet.
  SourceCopy(std::string original, std::string root);

  const std::string &path() const { return copy; }
  /// Whether something in it, or in its headers, is recorded.
  bool records() const { return isRecorded; }
  /// Whether launches from it are listed, at least.
  bool registers() const { return isRegistered; }
  /// What is recorded in them: rows of the region table.
  const std::vector<Region> &regions() const { return recorded; }
  /// The folder of the copy.
  std::string folder() const;

  /// All that were written, headers too; not that of standard input.
  const std::vector<CopiedFile> &files() const { return copied; }
  /// Of the headers that the command line includes; known once the copies are written.
  const HeaderCopies &forcedIncludes() const { return forced; }

  /// Writes the copies; `prologue` goes before the first line of the main file, and of what comes before it. Fails when a file cannot be
  /// written.
  llvm::Error write(const RewriteResult &result, llvm::StringRef prologue);

  /// What a path that the compiler read stands for: itself, an original, or nothing for a stub.
  std::optional<std::string> originalOf(llvm::StringRef path) const;

private:
  llvm::Error writeStubs(llvm::StringRef text, llvm::StringRef originalFolder);

  std::string original;       ///< as given
  std::string absoluteFolder; ///< of the original
  std::string root;
  std::string copy;
  bool isRecorded = false, isRegistered = false;
  std::vector<Region> recorded;
  std::vector<CopiedFile> copied;
  HeaderCopies forced;
  llvm::StringSet<> stubs;                     ///< absolute, without dots
  std::map<std::string, std::string> variants; ///< to the original of a copy that has another name
};

/// A file in a mirror of the file system that forwards to its original.
struct Stub {
  std::string path;   ///< absolute, of the original; the stub lies at root + path
  std::string target; ///< what it includes
  std::string folder; ///< must exist below the root, for a name with .. passes through it
};

/// The stubs that a copied text needs, one for each of its quotedIncludes that leads to a file beside the original.
std::vector<Stub> stubsFor(llvm::StringRef text, llvm::StringRef originalFolder);

/// What a stub holds.
std::string stubText(const Stub &stub);

/// The names in `#include "…"` and `__has_include("…")` of a text, active or not.
std::vector<std::string> quotedIncludes(llvm::StringRef text);

} // namespace kperf::cc

#endif
