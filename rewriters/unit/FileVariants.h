// Distinguishes what one file becomes under different macros: kernels and regions of each variant have ids of their own.
#ifndef KPERF_REWRITERS_FILE_VARIANTS_H
#define KPERF_REWRITERS_FILE_VARIANTS_H

#include "rewriters/analysis/Analyses.h"
#include "rewriters/parse/Preprocessing.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kperf {

/// A file that is included twice with other macros is two files, and a source that is compiled twice with other macros is two sources:
/// their kernels, regions and accesses are others. Two inclusions, of whichever sources, with the same variant are the same.
struct FileVariant {
  std::string macros; ///< "N=4 TYPE=float": those that it, or what it includes, uses, and that are defined elsewhere
  std::string rest;   ///< of a header that may be included more than once: the names and types of its functions

  bool isEmpty() const { return macros.empty() && rest.empty(); }
  friend auto operator<=>(const FileVariant &, const FileVariant &) = default;
};

class FileVariants {
public:
  /// `analyses` keeps what is worked out of a file.
  FileVariants(const clang::ASTContext &context, const PreprocessingRecord &record, const Analyses &analyses);

  /// Of one inclusion, or of the main file: macros of the command line alone, for the text says the others.
  const FileVariant &of(clang::FileID file) const;

  /// `path`, where that inclusion lies. With something before its extension where the same file came first with another variant.
  std::string pathOf(clang::FileID file, const std::string &path) const;

private:
  struct Inclusion {
    clang::FileID includer, entered; ///< entered: invalid where it was skipped
    clang::FileEntryRef target;
  };
  /// What an inclusion includes, and what that does, without system headers.
  struct Closure {
    std::set<clang::FileID> inclusions;
    std::set<const clang::FileEntry *> files;
  };

  void readIncludes();
  /// Whether an inclusion was made by the prelude (rewriters/parse/Prelude.h): read from its parsed form, it is not on record.
  bool isOfPrelude(clang::FileID file) const;
  void add(clang::FileID file, Closure &closure) const;
  bool isGuarded(clang::FileID file) const;
  const clang::FileEntry *entryOf(clang::FileID file) const;

  struct Found;     ///< of one inclusion
  struct Functions; ///< of all

  const Analyses &analyses;
  const clang::ASTContext &context;
  const clang::SourceManager &sources;
  const PreprocessingRecord &record;
  std::set<clang::FileID> preludeHeaders;                                      ///< which the command includes
  std::multimap<clang::FileID, Inclusion> included;                            ///< by includer
  std::map<const clang::FileEntry *, std::vector<clang::FileID>> inclusionsOf; ///< in their order
  std::multimap<clang::FileID, const MacroUse *> uses;
};

} // namespace kperf

#endif
