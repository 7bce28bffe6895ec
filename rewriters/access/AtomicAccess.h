// Finds accesses by libcu++'s atomics: member functions of cuda::atomic<T>, cuda::atomic_ref<T>, and those of cuda::std.
#ifndef KPERF_REWRITERS_ATOMICACCESS_H
#define KPERF_REWRITERS_ATOMICACCESS_H

#include "rewriters/access/Access.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/DeclarationName.h"

#include <optional>

namespace kperf {

/// What a member function or operator does to the value that the object holds or refers to; `object` may be a pointer
/// to it. Nothing for other objects, for automatic variables, and for members that do not touch the value, or as often
/// as it takes.
std::optional<Access> atomicAccess(const clang::ASTContext &context, const PointerOrigins &origins, const clang::Expr *object,
                                   clang::DeclarationName member);

/// Whether an expression names one.
bool isAtomic(const clang::Expr *object);
/// Whether the type is one that refers to its value: what it is made from is not read.
bool isAtomicReference(clang::QualType type);

} // namespace kperf

#endif
