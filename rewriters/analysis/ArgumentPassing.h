// Whether a call may change a variable that stands among its arguments.
#ifndef KPERF_REWRITERS_ARGUMENTPASSING_H
#define KPERF_REWRITERS_ARGUMENTPASSING_H

#include "clang/AST/Expr.h"

namespace kperf {

/// True when the callee may take the argument at `index` by a reference it could write through. In dependent code every
/// function that the name finds in the pattern counts; a name that finds none counts as one that may.
bool mayTakeByReference(const clang::CallExpr *call, unsigned index);

} // namespace kperf

#endif
