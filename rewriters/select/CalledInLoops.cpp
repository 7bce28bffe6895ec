// Reads each function's calls once, and follows those in loops.
#include "rewriters/select/CalledInLoops.h"

#include "rewriters/analysis/Callees.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

const FunctionDecl *identity(const FunctionDecl *function) {
  const FunctionDecl *pattern = function->getTemplateInstantiationPattern();
  return (pattern ? pattern : function)->getCanonicalDecl();
}

struct Calls {
  SmallVector<const FunctionDecl *, 8> inLoops, elsewhere;

  void collect(const Stmt *part, bool isInLoop) {
    auto add = [&](const FunctionDecl *function) { (isInLoop ? inLoops : elsewhere).push_back(identity(function)); };
    if (const auto *lambda = dyn_cast<LambdaExpr>(part))
      return add(lambda->getCallOperator()); // whose body is a function of its own
    if (const auto *call = dyn_cast<CallExpr>(part))
      for (const FunctionDecl *callee : callees(call))
        add(callee);
    if (const auto *name = dyn_cast<DeclRefExpr>(part))
      if (const LambdaExpr *lambda = lambdaIn(name->getDecl()))
        add(lambda->getCallOperator());
    for (const Stmt *child : part->children())
      if (child)
        collect(child, isInLoop || isLoop(part));
  }
};

} // namespace

CalledInLoops::CalledInLoops(const std::vector<RuleCandidate> &functions) {
  DenseMap<const FunctionDecl *, Calls> calls;
  SmallVector<const FunctionDecl *, 16> toFollow;
  for (const RuleCandidate &each : functions) {
    Calls &own = calls[identity(each.function->function)];
    own.collect(each.function->body, false);
    toFollow.append(own.inLoops);
  }
  while (!toFollow.empty()) {
    const FunctionDecl *function = toFollow.pop_back_val();
    if (!called.insert(function).second)
      continue;
    const auto known = calls.find(function);
    if (known != calls.end())
      toFollow.append(known->second.elsewhere);
  }
}

} // namespace kperf
