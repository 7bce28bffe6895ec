// Lists the names that a text passes to #include or __has_include, also in branches that the preprocessor skips.
#ifndef KPERF_REWRITERS_QUOTEDNAMES_H
#define KPERF_REWRITERS_QUOTEDNAMES_H

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace kperf {

struct QuotedName {
  unsigned offset = 0; ///< of the quote, or angle bracket, in the text
  llvm::StringRef name;
  bool isAngled = false;
  bool isIncluded = false; ///< by `#include` itself
};

/// The names in `#include "…"`, `#include_next "…"`, `__has_include("…")` and `#include <…>`, in order; none from comments and strings.
std::vector<QuotedName> quotedNames(llvm::StringRef text, const clang::LangOptions &options);

} // namespace kperf

#endif
