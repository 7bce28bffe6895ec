// A function and its code.
#ifndef KPERF_REWRITERS_FUNCTIONBODY_H
#define KPERF_REWRITERS_FUNCTIONBODY_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kperf {

struct FunctionBody {
  const clang::FunctionDecl *function = nullptr; ///< of a lambda: its call operator; of a template: the pattern
  const clang::Stmt *body = nullptr;
};

} // namespace kperf

#endif
