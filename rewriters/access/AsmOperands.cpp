// Maps operand numbers to the statement's expressions.
#include "rewriters/access/AsmOperands.h"

#include "rewriters/access/AsmAccess.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {

std::vector<Access> asmAccesses(const clang::GCCAsmStmt *assembly, const PointerOrigins &origins) {
  const unsigned outputs = assembly->getNumOutputs();
  auto inputOf = [&](unsigned operand) {
    return operand < outputs || operand - outputs >= assembly->getNumInputs() ? nullptr : assembly->getInputExpr(operand - outputs);
  };
  std::vector<Access> accesses;
  for (const AsmAccess &each : findAsmAccesses(assembly)) {
    const clang::Expr *address = inputOf(each.operand);
    if (!address)
      continue;
    Access access;
    access.expression = address->IgnoreImpCasts();
    access.kind = each.kind;
    access.isOperand = true;
    access.isShared = each.isShared;
    access.bytes = each.bytes;
    access.reason = each.reason;
    access.isBulk = each.isBulk;
    access.size = each.bytesOperand ? inputOf(*each.bytesOperand) : nullptr;
    access.condition = each.condition ? inputOf(*each.condition) : nullptr;
    access.isNegated = each.isNegated;
    if (access.reason.empty() && ((each.bytesOperand && !access.size) || (each.condition && !access.condition)))
      access.reason = "the assembly changes an operand that it depends on";
    const bool isOneOfSeveral = any_of(accesses, [&](const Access &other) {
      return other.expression == access.expression && (access.condition || access.isBulk || other.condition || other.isBulk);
    });
    if (isOneOfSeveral && access.reason.empty())
      access.reason = "another access by the same operand has a probe, and one of them is not always made";
    if (access.reason.empty() && !each.isShared && PointerOrigins::isPointer(access.expression) &&
        origins.ofPointer(access.expression) != Origin::Memory)
      access.reason = "it may be the address of an automatic variable";
    accesses.push_back(std::move(access));
  }
  return accesses;
}

} // namespace kperf
