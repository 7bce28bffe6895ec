// Variables and members that are pointers in some instances of a template and objects of a class in others.
#ifndef KPERF_REWRITERS_OPENPOINTER_H
#define KPERF_REWRITERS_OPENPOINTER_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <string>

namespace kperf {

/// Whether template arguments alone say what the variable is: `It first`, `auto next = first + 1`. References are none.
bool declaresOpenType(const clang::ValueDecl *variable);

/// An expression for decltype(), made of names, that is a pointer where `expression`, such a variable or what is added to one, is one:
/// "first", "this->first", "first + distance". "" where it is no such expression.
std::string openPointerName(const clang::Expr *expression);

/// Whether it is a pointer by syntax, or in some instances of the template.
bool mayBePointer(const clang::Expr *expression);

/// openPointerName() of what is subscripted or dereferenced, be it for a member of that element.
std::string openPointerNameOf(const clang::Expr *lvalue);

} // namespace kperf

#endif
