// Looks for fences through a kernel's calls.
#include "KernelFences.h"

#include "LaneFreeFunction.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

constexpr StringRef kFenceCalls[] = {"__threadfence", "__threadfence_block", "__threadfence_system", "atomic_thread_fence"};
constexpr StringRef kFenceInstructions[] = {"mbarrier.arrive", "membar", "fence.", ".release", ".acq_rel"};

class FenceSearch {
public:
  bool visit(const FunctionDecl *function) {
    if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
      function = pattern;
    const FunctionDecl *definition = nullptr;
    return function->isDefined(definition) && definition->getBody() && seen.size() < kMostFunctions &&
           seen.insert(definition->getCanonicalDecl()).second && visit(definition->getBody());
  }

private:
  static constexpr std::size_t kMostFunctions = 256;

  bool visit(const Stmt *statement) {
    if (!statement)
      return false;
    if (const auto *assembly = dyn_cast<GCCAsmStmt>(statement)) {
      const std::string text = assembly->getAsmString();
      return any_of(kFenceInstructions, [&](StringRef part) { return StringRef(text).contains(part); });
    }
    if (const auto *call = dyn_cast<CallExpr>(statement))
      if (is_contained(kFenceCalls, calledName(call)) ||
          any_of(callees(call), [&](const FunctionDecl *callee) { return visit(callee); }))
        return true;
    return any_of(statement->children(), [&](const Stmt *child) { return visit(child); });
  }

  SmallPtrSet<const FunctionDecl *, 32> seen;
};

} // namespace

bool hasFences(const FunctionDecl *kernel) { return FenceSearch().visit(kernel); }

} // namespace kperf
