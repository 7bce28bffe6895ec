// What the preprocessor saw: annotations as tokens, pragmas, skipped ranges and includes.
#ifndef KPERF_REWRITERS_PREPROCESSING_H
#define KPERF_REWRITERS_PREPROCESSING_H

#include "rewriters/parse/Annotation.h"
#include "rewriters/parse/DiagnosticLog.h"
#include "rewriters/parse/MacroUses.h"

#include "clang/Basic/FileEntry.h"
#include "clang/Lex/Preprocessor.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kperf {

/// One use of KPERF_SCOPE and its siblings.
struct AnnotationExpansion {
  clang::SourceLocation token;     ///< the macro's name, possibly inside another macro
  std::string payload;             ///< of KPERF_MARK: the second argument as spelled, on one line
  bool usesMacroParameter = false; ///< an argument comes from a parameter of the macro that holds the annotation
  bool isImported = false;         ///< another tool's
};

/// One `#pragma kperf region("name")`.
struct PragmaUse {
  clang::SourceLocation location; ///< the '#', or the place of the outermost macro that holds a _Pragma
  std::string name;
  bool isDirective = true; ///< false: written with _Pragma
};

struct IncludeUse {
  clang::SourceLocation hash;
  clang::CharSourceRange filename; ///< with its quotes or angle brackets
  clang::OptionalFileEntryRef target;
  std::string searchPath; ///< folder in which it was found
  std::string spelling;
  bool isAngled = false;
  clang::FileID entered = {}; ///< the inclusion; invalid: skipped, for it was included before
};

/// Where headers are looked for.
struct SearchFolder {
  std::string path; ///< as the command gives it
  bool isSystem = false;
  bool isForQuotes = false; ///< not for names in angle brackets
};

struct PreprocessingRecord {
  std::vector<AnnotationExpansion> annotations;
  std::vector<PragmaUse> pragmas;
  std::vector<IncludeUse> includes;
  std::vector<SearchFolder> searchFolders; ///< in their order
  std::vector<clang::SourceRange> skipped;
  std::vector<MacroUse> macros;
  /// Macros that files which the command includes have left defined where the main file begins, each with its file; none of system headers.
  std::map<std::string, std::string> commandMacros;
  std::set<const clang::FileEntry *> guarded; ///< headers that say that once is enough
  std::string lastOfPrelude;                  ///< Prelude::lastInclude

  const AnnotationExpansion *annotationAt(clang::SourceLocation token) const;
};

/// Makes the preprocessor fill the record and understand `#pragma kperf`. The record outlives the preprocessor.
void observePreprocessor(clang::Preprocessor &preprocessor, PreprocessingRecord &record, Reporter &reporter);

} // namespace kperf

#endif
