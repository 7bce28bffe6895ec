// Tells whether a call may change a variable that is among its arguments, or the object whose member is called.
#ifndef KPERF_REWRITERS_ARGUMENTPASSING_H
#define KPERF_REWRITERS_ARGUMENTPASSING_H

#include "rewriters/analysis/Instantiator.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

namespace kperf {

/// True when the callee may take the argument at `index` by a reference, and do more through it than to read. In dependent code every
/// function that the name finds in the pattern counts; a name that finds none counts as one that may. `instantiator`: makes bodies of what
/// instances of templates call; null: of templates, what is known without a body.
bool mayChangeArgument(const clang::CallExpr *call, unsigned index, Instantiator *instantiator);

/// True when the constructor may take the argument at `index` by a reference through which it may be changed, then or later.
bool mayKeep(const clang::CXXConstructorDecl *constructor, unsigned index);

/// The same of any constructor of the class; of a template's class the pattern is read, and a class that only an instance knows may.
bool mayKeep(clang::QualType type, unsigned index);

/// True unless the function, if it is a member, surely leaves its object as it is: it is const, or its body does no more with the object
/// than to read members, and to call such functions.
bool mayChangeObject(const clang::FunctionDecl *function, Instantiator *instantiator);

} // namespace kperf

#endif
