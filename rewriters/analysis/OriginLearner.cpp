// Learns which pointers may lead to automatic variables.
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

using namespace llvm;
using namespace clang;

namespace kperf {

/// Reads bodies for what flows where.
class OriginLearner : public clang::DynamicRecursiveASTVisitor {
public:
  explicit OriginLearner(PointerOrigins &origins) : origins(origins) {}
  bool hasLearned = false;

  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->getInit() && !isa<ParmVarDecl>(variable))
      flow(variable, variable->getInit());
    return true;
  }

  /// Its iterators are implicit, and so not visited.
  bool VisitCXXForRangeStmt(CXXForRangeStmt *loop) override {
    if (loop->getBeginStmt())
      if (auto *begin = dyn_cast<VarDecl>(loop->getBeginStmt()->getSingleDecl()))
        VisitVarDecl(begin);
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->isAssignmentOp())
      if (const auto *target = dyn_cast<DeclRefExpr>(operation->getLHS()->IgnoreParenImpCasts()))
        if (const auto *variable = dyn_cast<VarDecl>(target->getDecl()); variable && PointerOrigins::declaresPointer(variable))
          flow(variable, operation->getRHS());
    return true;
  }

  bool VisitCallExpr(CallExpr *call) override {
    if (const FunctionDecl *callee = call->getDirectCallee()) {
      passed(call, callee);
    } else if (const auto *lookup = dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts())) {
      for (const NamedDecl *candidate : lookup->decls())
        if (const FunctionDecl *function = candidate->getUnderlyingDecl()->getAsFunction())
          passed(call, function);
    }
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *construction) override {
    passed(ArrayRef(construction->getArgs(), construction->getNumArgs()), construction->getConstructor());
    return true;
  }

private:
  void passed(const CallExpr *call, const FunctionDecl *callee) {
    const unsigned skipped = isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee) ? 1 : 0;
    passed(ArrayRef(call->getArgs(), call->getNumArgs()).drop_front(std::min(skipped, call->getNumArgs())), callee);
  }

  void passed(ArrayRef<const Expr *> arguments, const FunctionDecl *callee) {
    if (const FunctionDecl *pattern = callee->getTemplateInstantiationPattern())
      callee = pattern;
    const FunctionDecl *definition = nullptr;
    if (!callee->isDefined(definition))
      return;
    for (unsigned index = 0; index < arguments.size() && index < definition->getNumParams(); ++index)
      if (const ParmVarDecl *parameter = definition->getParamDecl(index); PointerOrigins::declaresPointer(parameter))
        flow(parameter, arguments[index]);
  }

  void flow(const VarDecl *variable, const Expr *value) {
    QualType type = variable->getType();
    bool isTaken = type->isReferenceType() ? false : PointerOrigins::declaresPointer(variable) && !type->isArrayType();
    if (!isTaken || origins.tainted.contains(variable->getCanonicalDecl()))
      return;
    const Origin origin = origins.ofPointer(value);
    if (origin == Origin::Automatic || origin == Origin::Unknown) {
      origins.tainted.insert(variable->getCanonicalDecl());
      hasLearned = true;
    }
  }

  PointerOrigins &origins;
};

void PointerOrigins::learn(ArrayRef<FunctionBody> bodies) {
  OriginLearner learner(*this);
  do {
    learner.hasLearned = false;
    for (const FunctionBody &body : bodies) {
      if (const auto *constructor = dyn_cast<CXXConstructorDecl>(body.function))
        for (const CXXCtorInitializer *each : constructor->inits())
          learner.TraverseStmt(each->getInit());
      learner.TraverseStmt(const_cast<Stmt *>(body.body));
    }
  } while (learner.hasLearned);
}

} // namespace kperf
