// The functions that a call may end in, and the classes behind types, also where template arguments leave them open.
#ifndef KPERF_REWRITERS_CALLEES_H
#define KPERF_REWRITERS_CALLEES_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace kperf {

/// The name a call is made by, qualified or not, resolved or not; empty when there is none.
llvm::StringRef calledName(const clang::CallExpr *call);

/// The functions a call may end in; none where that can't be told. Members of a class template are found in its pattern.
llvm::SmallVector<const clang::FunctionDecl *, 4> callees(const clang::CallExpr *call);

/// The lambda that a variable is made of; in a template its type does not say. Null for what is none.
const clang::LambdaExpr *lambdaIn(const clang::ValueDecl *declaration);

/// The class behind a type, of a template the pattern; null when the type depends on what only an instance knows.
const clang::CXXRecordDecl *classOf(clang::QualType type);
/// The same of a class that is known.
const clang::CXXRecordDecl *patternOf(const clang::CXXRecordDecl *record);

/// The functions by which an object of the type is called, of a class template in its pattern; none where that can't be told.
llvm::SmallVector<const clang::FunctionDecl *, 4> callOperatorsOf(clang::QualType type);

} // namespace kperf

#endif
