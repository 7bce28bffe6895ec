// Finds the memory accesses of an inline assembly statement, with the operand expressions that hold their addresses.
#ifndef KPERF_REWRITERS_ASMOPERANDS_H
#define KPERF_REWRITERS_ASMOPERANDS_H

#include "rewriters/access/Access.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/Stmt.h"

#include <vector>

namespace kperf {

/// Those whose address is an operand that the statement only reads.
std::vector<Access> asmAccesses(const clang::GCCAsmStmt *assembly, const PointerOrigins &origins);

} // namespace kperf

#endif
