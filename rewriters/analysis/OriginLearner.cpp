// Learns which pointers may lead to automatic variables.
#include "rewriters/analysis/Callees.h"
#include "rewriters/analysis/OpenPointer.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace clang;

namespace kperf {

/// Reads bodies for what flows where.
class OriginLearner : public clang::DynamicRecursiveASTVisitor {
public:
  explicit OriginLearner(PointerOrigins &origins) : origins(origins) {}
  bool hasLearned = false;
  /// Of the first reading, which finds out what is bound and called at all: before, everything would come from what nobody binds.
  bool isFirst = true;

  void read(ArrayRef<FunctionBody> bodies) {
    for (const FunctionBody &body : bodies) {
      names = &body.function->getASTContext().DeclarationNames;
      for (const ParmVarDecl *parameter : body.function->parameters())
        if (!parameter->getType()->isReferenceType())
          automatic(classOf(parameter->getType()));
      if (const auto *constructor = dyn_cast<CXXConstructorDecl>(body.function))
        for (const CXXCtorInitializer *each : constructor->inits())
          TraverseStmt(each->getInit());
      TraverseStmt(const_cast<Stmt *>(body.body));
    }
  }

  bool VisitVarDecl(VarDecl *variable) override {
    if (!variable->getType()->isReferenceType() && origins.ofVariable(variable) == Origin::Automatic)
      automatic(classOf(variable->getType()));
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
        if (const auto *variable = dyn_cast<VarDecl>(target->getDecl()); variable && mayBePointer(variable))
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
    if (const std::optional<Object> object = objectOf(call))
      calledOn(*object, call);
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *construction) override {
    passed(ArrayRef(construction->getArgs(), construction->getNumArgs()), construction->getConstructor());
    return true;
  }
  /// What captures a copy of its object has an object of its own.
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    for (const auto &[capture, value] : zip(lambda->captures(), lambda->capture_inits()))
      if (capture.getCaptureKind() == LCK_StarThis && value)
        automatic(classOf(value->getType()));
    return true;
  }
  /// What is made without a name is a temporary.
  bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr *made) override {
    automatic(classOf(made->getType()));
    return true;
  }

private:
  static bool mayBePointer(const VarDecl *variable) { return PointerOrigins::declaresPointer(variable) || declaresOpenType(variable); }

  void automatic(const CXXRecordDecl *record) { hasLearned |= record && origins.automatic.insert(record).second; }

  struct Object {
    const Expr *base = nullptr; ///< null where it is that of the caller, in a template that may have another base class
    bool isArrow = false;
    DeclarationName function;
  };

  /// What a member function, or an operator, is called on. Nothing of other calls.
  std::optional<Object> objectOf(const CallExpr *call) const {
    const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<MemberExpr>(callee))
      return Object{member->getBase(), member->isArrow(), member->getMemberDecl()->getDeclName()};
    if (const auto *open = dyn_cast<CXXDependentScopeMemberExpr>(callee))
      return Object{open->isImplicitAccess() ? nullptr : open->getBase(), open->isArrow(), open->getMember()};
    if (const auto *overloads = dyn_cast<UnresolvedMemberExpr>(callee))
      return Object{overloads->isImplicitAccess() ? nullptr : overloads->getBase(), overloads->isArrow(), overloads->getMemberName()};
    if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(call)) {
      const FunctionDecl *known = operation->getDirectCallee();
      return known && !isa<CXXMethodDecl>(known)
                 ? std::nullopt
                 : std::optional(Object{operation->getArg(0), false, names->getCXXOperatorName(operation->getOperator())});
    }
    return call->getDirectCallee() || isa<OverloadExpr, DependentScopeDeclRefExpr>(callee)
               ? std::nullopt
               : std::optional(Object{callee, false, names->getCXXOperatorName(OO_Call)});
  }

  void calledOn(const Object &object, const CallExpr *call) {
    const Origin origin = !object.base ? Origin::Unknown : object.isArrow ? origins.ofPointer(object.base) : origins.ofLvalue(object.base);
    bool isKnown = false;
    for (const FunctionDecl *function : callees(call))
      if (const auto *method = dyn_cast<CXXMethodDecl>(function)) {
        called(patternOf(method->getParent()), origin);
        isKnown = true;
      }
    if (!isKnown && origin != Origin::Memory && !isFirst)
      hasLearned |= origins.calledOnUnknown.insert(object.function).second;
  }

  void called(const CXXRecordDecl *record, Origin origin) {
    if (!record || record->isLambda())
      return;
    if (isFirst)
      origins.called.insert(record);
    else if (origin != Origin::Memory)
      automatic(record);
  }

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
    for (unsigned index = 0; index < arguments.size() && index < definition->getNumParams(); ++index) {
      const ParmVarDecl *parameter = definition->getParamDecl(index);
      if (parameter->getType()->isLValueReferenceType() || mayBePointer(parameter))
        flow(parameter, arguments[index]);
      // An object that is called may be called by a library, too, with anything.
      if (isFirst && definition->getOverloadedOperator() != OO_Call && !isa<CXXConstructorDecl>(definition))
        origins.bound.insert(parameter->getCanonicalDecl());
    }
  }

  void flow(const VarDecl *variable, const Expr *value) {
    const QualType type = variable->getType();
    const bool isReference = type->isReferenceType() && isa<ParmVarDecl>(variable);
    const bool isTaken = isReference || (!type->isReferenceType() && mayBePointer(variable) && !type->isArrayType());
    if (isFirst || !isTaken || origins.tainted.contains(variable->getCanonicalDecl()))
      return;
    const Origin origin = isReference ? origins.ofLvalue(value) : origins.ofPointer(value);
    if (origin == Origin::Automatic || origin == Origin::Unknown) {
      origins.tainted.insert(variable->getCanonicalDecl());
      hasLearned = true;
    }
  }

  PointerOrigins &origins;
  DeclarationNameTable *names = nullptr;
};

void PointerOrigins::learn(ArrayRef<FunctionBody> bodies) {
  OriginLearner learner(*this);
  learner.read(bodies);
  learner.isFirst = false;
  do {
    learner.hasLearned = false;
    learner.read(bodies);
  } while (learner.hasLearned);
}

} // namespace kperf
