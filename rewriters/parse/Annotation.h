// An annotation as the user wrote it: its kind, its words and its place.
#ifndef KPERF_REWRITERS_ANNOTATION_H
#define KPERF_REWRITERS_ANNOTATION_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace kperf {

enum class AnnotationKind { Scope, Begin, End, Mark, Pragma };

struct Annotation {
  AnnotationKind kind = AnnotationKind::Scope;
  std::string name;
  bool hasPayload = false;     ///< KPERF_MARK with a second argument
  clang::SourceLocation token; ///< the macro's name, possibly inside another macro; of a pragma, the '#'
  std::string importedAs;      ///< "IKET_RANGE_START": the macro, where it is another tool's
  /// Begins a range that an end of the same kind, which has no name, ends; the innermost.
  bool isStacked = false;
};

/// The macro behind all annotations of other tools.
constexpr llvm::StringLiteral kImportedMacro = "KPERF_IMPORTED";

/// "KPERF_SCOPE", "#pragma kperf region": what users call it.
llvm::StringRef spellingOf(AnnotationKind kind);

/// The same with its name: "KPERF_END("load")", "IKET_RANGE_END(Load)".
std::string textOf(const Annotation &annotation);

/// The kind by the macro's name.
std::optional<AnnotationKind> annotationNamed(llvm::StringRef macroName);

/// Whether it is the macro of annotate_rewriting.h, kperf's own or that of all others.
inline bool isAnnotationMacro(llvm::StringRef name) { return annotationNamed(name) || name == kImportedMacro; }

/// Reads the text that a macro of annotate_rewriting.h left behind, "kperf:mark:\"tile\", k". Nothing when the text is
/// not one of theirs. Fails with a sentence on a name that is no string literal or is empty, and on a wrong number of
/// arguments; `token` of the result is not set. Names of other tools' events may be any tokens: of a qualified name it is the last part. An
/// end that says "the innermost" is called as its macro.
std::optional<llvm::Expected<Annotation>> readMarker(llvm::StringRef markerText);

/// The value of adjacent string literals, or nothing when the text is anything else.
std::optional<std::string> stringLiteralValue(llvm::StringRef literals);

} // namespace kperf

#endif
