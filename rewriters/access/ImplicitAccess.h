// Finds accesses that have no expression of the object in the source: elements of a range-based for, captures of a lambda, what a
// new-expression initialises.
#ifndef KPERF_REWRITERS_IMPLICITACCESS_H
#define KPERF_REWRITERS_IMPLICITACCESS_H

#include "rewriters/access/Access.h"
#include "rewriters/access/Use.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <optional>

namespace kperf {

/// That a loop copies the elements of its range, unless they are automatic variables. Listed, not counted: the copy has
/// no text.
std::optional<Access> readOfElements(const PointerOrigins &origins, const clang::CXXForRangeStmt *loop);

/// That a lambda copies what a reference or a structured binding leads to. `value` is the capture's initialiser. Listed: a
/// capture is a name, and no expression.
std::optional<Access> readByCapture(const PointerOrigins &origins, const clang::LambdaCapture &capture, const clang::Expr *value);

/// Whether the expression is of a variable that the lambda whose operator the function is has copied: the closure holds
/// it, whatever the variable refers to.
bool isCapturedCopy(const clang::Expr *expression, const clang::FunctionDecl *function);

/// What a new-expression writes to the object that it makes: counted at the address of a placement new of a type that is
/// copied by plain stores, else listed.
std::optional<Access> storeByNew(const clang::ASTContext &context, const PointerOrigins &origins, const clang::CXXNewExpr *made);

/// Why no probe can watch what is subscripted of a member of an object in memory whose class is open in the function, a template. "" where
/// the member is an array or a pointer in all instances of the function that are known; nothing where it is no such expression.
std::optional<llvm::StringRef> whyNoElement(const PointerOrigins &origins, const clang::Expr *expression,
                                            const clang::FunctionDecl *function);

/// Why no probe can watch an access to a member of an object whose class is open in the function, a template: it may be a bit-field there,
/// or a constant of the class. "" where it is a field in all instances of the function that are known, or no such member; what is written
/// is taken for one where none is known.
llvm::StringRef whyMayLackAddress(const clang::Expr *expression, Use use, const clang::FunctionDecl *function);

/// Why an element is no access: what is subscripted or dereferenced is a parameter of the function, a template, and an object of a class in
/// all instances that are known. "" where it may be a pointer.
llvm::StringRef whyNoPointer(const clang::Expr *expression, const clang::FunctionDecl *function);

/// Why no probe can watch an access to a part of what an expression names; "" where one can.
llvm::StringRef whyNoAddress(const clang::Expr *expression);

} // namespace kperf

#endif
