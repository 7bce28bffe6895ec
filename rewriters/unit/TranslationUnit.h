// A parsed translation unit, read-only: AST, preprocessor's record, and the places in files that can be edited.
#ifndef KPERF_REWRITERS_TRANSLATIONUNIT_H
#define KPERF_REWRITERS_TRANSLATIONUNIT_H

#include "rewriters/analysis/Analyses.h"
#include "rewriters/parse/FrontEnd.h"
#include "rewriters/parse/Preprocessing.h"
#include "rewriters/pattern/Selection.h"
#include "rewriters/plan/Plan.h"
#include "rewriters/source/TokenLayout.h"
#include "rewriters/unit/FileVariants.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf {

/// A byte of a file.
struct Place {
  clang::FileID file;
  unsigned offset = 0;

  friend bool operator==(const Place &, const Place &) = default;
};

/// What was parsed does not change through it, and each of its answers follows from that alone: what takes time is computed once, by
/// `analyses`.
class TranslationUnit {
public:
  TranslationUnit(const ParsedFile &parsed, llvm::StringRef mainName, const Selection &selection, bool isStrict);

  const clang::ASTContext &context;
  const clang::SourceManager &sources;
  const PreprocessingRecord &preprocessing;
  Reporter &reporter;
  const Selection &selection;
  const Analyses analyses; ///< of its functions and files

  /// What stands at the top level, but for the prelude: reading that in full takes longer than everything else.
  std::vector<clang::Decl *> declarations() const;

  /// Where the token is spelled, if that is text which the compiler reads in this very order: plain file text or the
  /// argument of a macro. Nothing for text in a macro's definition.
  std::optional<Place> editablePlace(clang::SourceLocation location) const;

  /// Where the outermost macro that holds the location is used; a location outside of macros is its own place.
  Place expansionPlace(clang::SourceLocation location) const;
  /// The last token of that use, `)` of a function-like macro's call.
  Place expansionEnd(clang::SourceLocation location) const;

  /// The spelled token itself, even in a macro's definition; nothing for text that no file holds.
  std::optional<Place> spelledPlace(clang::SourceLocation location) const;

  /// The name of the annotation macro whose expansion holds a marker, or an invalid location.
  clang::SourceLocation annotationToken(clang::SourceLocation marker) const;

  /// Key of a file in the plan.
  const std::string &pathOf(clang::FileID file) const;
  /// The file of a key: of inclusions with the same one, the first.
  const SourceFile &fileAt(llvm::StringRef path) const;
  clang::FileID fileIdOf(llvm::StringRef path) const;
  const SourceFile &fileOf(clang::FileID file) const { return fileAt(pathOf(file)); }
  /// The text of a header that was included; empty where it can't be read. To ask for it by FileID would read all of a prelude's.
  llvm::StringRef textOf(clang::FileEntryRef header) const;
  /// Whether the selection names the file among the headers that are looked into.
  bool isLookedInto(clang::FileID file) const;
  /// Whether a place is in somebody else's code: in a system header that the selection does not name.
  bool isForeign(clang::SourceLocation location) const;
  const TokenLayout &layoutOf(clang::FileID file) const;
  unsigned lineOf(Place place) const;
  /// Behind the token there, which may be a digraph.
  Place behind(Place token) const {
    return {token.file, token.offset + static_cast<unsigned>(layoutOf(token.file).tokenText(token.offset).size())};
  }
  /// What is written there, on one line and without comments; empty where a macro's definition or a directive has a part of it.
  std::string textIn(clang::SourceRange range) const;
  /// Whether the place is in a directive, such as a macro's definition.
  bool isInDirective(Place place) const { return layoutOf(place.file).directiveAt(place.offset).has_value(); }

  /// A region at a place, its row filled in but for the name of the function.
  Region regionAt(Place place, format::RegionKind kind, llvm::StringRef name) const;

  /// A place that a rule chose and that is not timed.
  SkippedSite skippedAt(clang::SourceLocation location, llvm::StringRef name, llvm::StringRef function, llvm::StringRef reason,
                        bool isTooSmall) const;

  /// Says why an annotated region can't be timed where it stands: an error if the request is strict, else the source is built without it.
  void refuse(clang::SourceLocation location, llvm::StringRef region, const llvm::Twine &reason) const;
  bool isStrict() const { return strict; }

  /// As the compiler was given it.
  const std::string &mainFileName() const { return mainName; }

private:
  clang::SourceManager &buffers; ///< which reads a file when its text is asked for
  const OriginalTexts &originals;
  bool strict;
  std::string mainName;
  FileVariants variants;
};

} // namespace kperf

#endif
