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
};

/// "KPERF_SCOPE", "#pragma kperf region": what users call it.
llvm::StringRef spellingOf(AnnotationKind kind);

/// The kind by the macro's name.
std::optional<AnnotationKind> annotationNamed(llvm::StringRef macroName);

/// Reads the text that a macro of annotate_rewriting.h left behind, "kperf:mark:\"tile\", k". Nothing when the text is
/// not one of theirs. Fails with a sentence on a name that is no string literal or is empty, and on a wrong number of
/// arguments; `token` of the result is not set.
std::optional<llvm::Expected<Annotation>> readMarker(llvm::StringRef markerText);

/// The value of adjacent string literals, or nothing when the text is anything else.
std::optional<std::string> stringLiteralValue(llvm::StringRef literals);

} // namespace kperf

#endif
