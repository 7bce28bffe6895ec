// Whether an expression may have different values in the lanes of one warp.
#include "LaneDependence.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

/// An integer constant's value as far as the syntax shows it; nothing in dependent code.
std::optional<uint64_t> constantOf(const Expr *expression) {
  if (const auto *literal = dyn_cast<IntegerLiteral>(expression->IgnoreParenImpCasts()))
    return literal->getValue().getLimitedValue();
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts()))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      if (variable->isConstexpr() && variable->getInit() && !variable->getInit()->isValueDependent())
        return constantOf(variable->getInit());
  return std::nullopt;
}

/// The name a call is made by, qualified or not, resolved or not.
StringRef calledName(const CallExpr *call) {
  if (const FunctionDecl *callee = call->getDirectCallee())
    return callee->getIdentifier() ? callee->getName() : StringRef();
  if (const auto *lookup = dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts()))
    if (const IdentifierInfo *name = lookup->getName().getAsIdentifierInfo())
      return name->getName();
  return {};
}

enum class CallResult { Alike, AsItsArguments, Unknown };

CallResult resultOf(StringRef name) {
  return StringSwitch<CallResult>(name)
      .Cases({"__syncthreads_count", "__syncthreads_and", "__syncthreads_or"}, CallResult::Alike)
      .Cases({"__any_sync", "__all_sync", "__ballot_sync", "__any", "__all", "__ballot"}, CallResult::Alike)
      .Cases({"min", "max", "abs", "ceil_div", "cdiv", "fminf", "fmaxf", "__syncthreads"}, CallResult::AsItsArguments)
      .Default(CallResult::Unknown);
}

} // namespace

bool LaneDependence::isThreadIndexX(const Expr *expression) const {
  expression = expression->IgnoreParenImpCasts();
  if (const auto *object = dyn_cast<PseudoObjectExpr>(expression))
    return isThreadIndexX(object->getSyntacticForm());
  if (const auto *property = dyn_cast<MSPropertyRefExpr>(expression)) {
    const auto *base = dyn_cast<DeclRefExpr>(property->getBaseExpr()->IgnoreParenImpCasts());
    return base && base->getDecl()->getName() == "threadIdx" && property->getPropertyDecl()->getName() == "x";
  }
  if (const auto *member = dyn_cast<MemberExpr>(expression)) {
    const auto *base = dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return base && base->getDecl()->getName() == "threadIdx" && member->getMemberDecl()->getName() == "x";
  }
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      return variable->isLocalVarDecl() && variable->getType().isConstQualified() && variable->getInit() &&
             isThreadIndexX(variable->getInit());
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression))
    return isThreadIndexX(cast->getSubExpr());
  return false;
}

bool LaneDependence::isWarpIndex(const BinaryOperator *operation) const {
  const std::optional<uint64_t> right = constantOf(operation->getRHS());
  if (!right || !isThreadIndexX(operation->getLHS()))
    return false;
  return (operation->getOpcode() == BO_Div && *right % 32 == 0) || (operation->getOpcode() == BO_Shr && *right >= 5);
}

bool LaneDependence::differsReference(const ValueDecl *declaration) const {
  if (isa<EnumConstantDecl, NonTypeTemplateParmDecl, FunctionDecl>(declaration))
    return false;
  const auto *variable = dyn_cast<VarDecl>(declaration);
  if (!variable || variable->getType()->isReferenceType())
    return true;
  if (isa<ParmVarDecl>(variable) || variable->isLocalVarDecl())
    return marked.contains(variable->getCanonicalDecl());
  const StringRef name = variable->getName();
  if (name == "blockIdx" || name == "blockDim" || name == "gridDim" || name == "warpSize")
    return false;
  return !variable->isConstexpr() && !variable->hasAttr<CUDAConstantAttr>();
}

bool LaneDependence::differsCall(const CallExpr *call) const {
  const auto argumentDiffers = [&](const Expr *argument) { return differs(argument); };
  if (isa<CXXOperatorCallExpr>(call) && call->isTypeDependent())
    return any_of(call->arguments(), argumentDiffers);
  const StringRef name = calledName(call);
  if ((name == "__shfl_sync" || name == "__shfl") && call->getNumArgs() >= 2)
    return differs(call->getArg(name == "__shfl" ? 1 : 2)); // every lane reads the same lane's value
  switch (resultOf(name)) {
  case CallResult::Alike:
    return false;
  case CallResult::AsItsArguments:
    return any_of(call->arguments(), argumentDiffers);
  case CallResult::Unknown:
    break;
  }
  const FunctionDecl *callee = call->getDirectCallee();
  return !callee || isa<CXXMethodDecl>(callee) || !callee->isConstexprSpecified() ||
         any_of(call->arguments(), argumentDiffers);
}

bool LaneDependence::differs(const Expr *expression) const {
  if (!expression)
    return false;
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
    return differsReference(reference->getDecl());
  if (const auto *call = dyn_cast<CallExpr>(expression))
    return differsCall(call);
  if (const auto *operation = dyn_cast<BinaryOperator>(expression); operation && isWarpIndex(operation))
    return false;
  if (const auto *operation = dyn_cast<UnaryOperator>(expression); operation && operation->getOpcode() == UO_Deref)
    return true;
  if (const auto *member = dyn_cast<MemberExpr>(expression); member && member->isArrow())
    return true;
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression); member && member->isArrow())
    return true;
  if (const auto *object = dyn_cast<PseudoObjectExpr>(expression))
    return differs(object->getSyntacticForm());
  if (const auto *property = dyn_cast<MSPropertyRefExpr>(expression))
    return differs(property->getBaseExpr());
  if (isa<UnaryExprOrTypeTraitExpr, DependentScopeDeclRefExpr, TypeTraitExpr>(expression))
    return false;
  if (isa<ArraySubscriptExpr, LambdaExpr, StmtExpr, CXXThisExpr, OverloadExpr, RecoveryExpr>(expression))
    return true;
  return any_of(expression->children(), [&](const Stmt *child) {
    const auto *part = dyn_cast_or_null<Expr>(child);
    return child && (!part || differs(part));
  });
}

} // namespace kperf
