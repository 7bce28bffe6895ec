// Searches a kernel and what it calls for memory fences.
#include "rewriters/analysis/KernelFences.h"

#include "rewriters/analysis/CalledCode.h"
#include "rewriters/analysis/Callees.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

static bool isFence(const Stmt *statement) {
  constexpr StringRef kCalls[] = {"__threadfence", "__threadfence_block", "__threadfence_system", "atomic_thread_fence"};
  constexpr StringRef kInstructions[] = {"mbarrier.arrive", "membar", "fence.", ".release", ".acq_rel"};
  if (const auto *assembly = dyn_cast<GCCAsmStmt>(statement)) {
    const std::string text = assembly->getAsmString();
    return any_of(kInstructions, [&](StringRef part) { return StringRef(text).contains(part); });
  }
  const auto *call = dyn_cast<CallExpr>(statement);
  return call && is_contained(kCalls, calledName(call));
}

KernelFences::KernelFences(const FunctionDecl *kernel)
    : areThere(CalledCode(kernel->getASTContext(), isFence, /*isUnknownSought=*/false).reaches(kernel)) {}

} // namespace kperf
