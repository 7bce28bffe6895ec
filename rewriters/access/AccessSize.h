// Computes how many bytes an access moves, from its type or from an argument.
#ifndef KPERF_REWRITERS_ACCESSSIZE_H
#define KPERF_REWRITERS_ACCESSSIZE_H

#include "rewriters/access/Access.h"

namespace kperf {

/// 0 where template arguments decide, or where the type has no size.
unsigned bytesOf(clang::QualType type, const clang::ASTContext &context);

/// Of an access through the address `access.expression`: as many bytes as the argument `bytes` says, or without one the
/// type. A number that its probe cannot have becomes the access's reason.
void setBytes(Access &access, const clang::Expr *bytes, const clang::ASTContext &context);

/// Finds out `access.bytes` where `access.size` is a constant. What its probe would evaluate once more, where that
/// could be noticed, becomes the access's reason.
void checkOperands(Access &access, const clang::ASTContext &context);

} // namespace kperf

#endif
