// Whether a call may change a variable that stands among its arguments.
#ifndef KPERF_REWRITERS_ARGUMENTPASSING_H
#define KPERF_REWRITERS_ARGUMENTPASSING_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

namespace kperf {

/// True when the callee may take the argument at `index` by a reference it could write through. In dependent code every
/// function that the name finds in the pattern counts; a name that finds none counts as one that may.
bool mayTakeByReference(const clang::CallExpr *call, unsigned index);

/// True when the constructor may take the argument at `index` by a reference through which it may be changed, then or later.
bool mayKeep(const clang::CXXConstructorDecl *constructor, unsigned index);

/// The same of any constructor of the class; of a template's class the pattern is read, and a class that only an instance knows may.
bool mayKeep(clang::QualType type, unsigned index);

} // namespace kperf

#endif
