// Finds the statements on some lines of a file, where those are consecutive statements of one block.
#ifndef KPERF_REWRITERS_LINERUN_H
#define KPERF_REWRITERS_LINERUN_H

#include "rewriters/pattern/Selection.h"
#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace kperf {

/// One statement or more, siblings, below their labels.
using LineRun = llvm::SmallVector<const clang::Stmt *, 1>;

/// Fails with a sentence that names the statement which the lines cut, or says that there is none on them. `body` lies in
/// one file and holds the first line at least.
llvm::Expected<LineRun> statementsOnLines(const TranslationUnit &unit, const clang::Stmt *body, NumberRange lines);

} // namespace kperf

#endif
