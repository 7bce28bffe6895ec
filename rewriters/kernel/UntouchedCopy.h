// Tells whether a kernel's body can be compiled twice: with probes, and without for the blocks that are not recorded.
#ifndef KPERF_REWRITERS_UNTOUCHEDCOPY_H
#define KPERF_REWRITERS_UNTOUCHEDCOPY_H

#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/Decl.h"

#include <string>

namespace kperf {

struct UntouchedCopy {
  UntouchedCopy(const clang::FunctionDecl *kernel, const TranslationUnit &unit);

  /// Why the body can't become a lambda that is called at two places (kperf/gpu/record/SampledKernel.h) without changing what the
  /// program is; empty: it can.
  const std::string obstacle;
};

/// Why code of a function can't become a lambda that is inlined at two places, as far as what it says and calls tells; empty: it can.
std::string obstacleToRunTwice(const TranslationUnit &unit, const clang::Stmt *code);

/// Whether inline assembly names something, a label or a variable, outside of braces of its own: then it can't be in
/// one function twice. %= makes names unique.
bool namesUnscoped(llvm::StringRef assembly);

} // namespace kperf

#endif
