// Finds the memory accesses in a function's body: loads, stores and atomics through pointers, references, elements,
// members and variables that live in memory.
#ifndef KPERF_REWRITERS_ACCESSFINDER_H
#define KPERF_REWRITERS_ACCESSFINDER_H

#include "rewriters/access/Access.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/ASTContext.h"

#include <vector>

namespace kperf {

/// Accesses in the order in which the text opens them: what encloses another comes first. Lambdas are functions of
/// their own.
std::vector<Access> findAccesses(const clang::ASTContext &context, const PointerOrigins &origins, const clang::FunctionDecl *function,
                                 const clang::Stmt *body);

} // namespace kperf

#endif
