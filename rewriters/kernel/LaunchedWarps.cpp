// Evaluates the launch configurations between <<< and >>>.
#include "rewriters/kernel/LaunchedWarps.h"

#include "rewriters/unit/FunctionBodies.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <cstdint>
#include <optional>

using namespace llvm;
using namespace clang;

namespace kperf {

namespace {

constexpr unsigned kWarpLanes = 32;

const FunctionDecl *patternOf(const FunctionDecl *kernel) {
  const FunctionDecl *pattern = kernel->getTemplateInstantiationPattern();
  return (pattern ? pattern : kernel)->getCanonicalDecl();
}

/// Threads of a block, from a number or a dim3, which a variable may be that is made of constants.
std::optional<std::uint64_t> threadsOf(const Expr *block, const ASTContext &context) {
  block = block->IgnoreUnlessSpelledInSource();
  if (block->isValueDependent())
    return std::nullopt;
  if (Expr::EvalResult value; block->EvaluateAsInt(value, context))
    return value.Val.getInt().getLimitedValue();
  if (const auto *reference = dyn_cast<DeclRefExpr>(block)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable && variable->getInit() && !isa<DeclRefExpr>(variable->getInit()->IgnoreUnlessSpelledInSource())
               ? threadsOf(variable->getInit(), context)
               : std::nullopt;
  }
  const auto *construction = dyn_cast<CXXConstructExpr>(block);
  if (!construction || construction->getNumArgs() == 0)
    return std::nullopt;
  std::uint64_t threads = 1;
  for (const Expr *extent : construction->arguments()) {
    Expr::EvalResult value;
    if (extent->isValueDependent() || !extent->EvaluateAsInt(value, context))
      return std::nullopt;
    threads *= value.Val.getInt().getLimitedValue();
  }
  return threads;
}

class LaunchVisitor : public DynamicRecursiveASTVisitor {
public:
  LaunchVisitor(const ASTContext &context, DenseMap<const FunctionDecl *, unsigned> &lanes) : context(context), lanes(lanes) {}

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) override {
    const CallExpr *config = launch->getConfig();
    const FunctionDecl *kernel = launch->getDirectCallee();
    if (!config || !kernel || config->getNumArgs() < 2)
      return true;
    const std::optional<std::uint64_t> threads = threadsOf(config->getArg(1), context);
    if (!threads || *threads == 0)
      return true;
    const unsigned last = static_cast<unsigned>(*threads % kWarpLanes);
    unsigned &fewest = lanes.try_emplace(patternOf(kernel), kWarpLanes).first->second;
    fewest = std::min(fewest, last ? last : kWarpLanes);
    return true;
  }

private:
  const ASTContext &context;
  DenseMap<const FunctionDecl *, unsigned> &lanes;
};

} // namespace

LaunchedWarps::LaunchedWarps(const TranslationUnit &unit) {
  for (const FunctionBody &each : unit.analyses.get<FunctionBodies>(unit).all())
    LaunchVisitor(each.function->getASTContext(), lanes).TraverseStmt(const_cast<Stmt *>(each.body));
}

unsigned LaunchedWarps::fewestLanes(const FunctionDecl *kernel) const {
  const auto known = lanes.find(patternOf(kernel));
  return known == lanes.end() ? kWarpLanes : known->second;
}

} // namespace kperf
