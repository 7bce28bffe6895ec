// Finds the functions that come to a probe, directly or through what they call.
#include "rewriters/rewriter/ProbedCalls.h"

#include "rewriters/unit/FunctionBodies.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace llvm;

namespace kperf {
namespace {

const clang::FunctionDecl *writtenFunction(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern(/*ForDefinition=*/false);
  return (pattern ? pattern : function)->getCanonicalDecl();
}

/// What a statement calls: functions, and the names of those that only an instantiation knows.
class CallCollector : public clang::DynamicRecursiveASTVisitor {
public:
  explicit CallCollector(const clang::ASTContext &context) : operatorNames(context.DeclarationNames) {}

  SmallVector<const clang::FunctionDecl *> functions;
  SmallVector<clang::DeclarationName> names;

  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    if (const clang::FunctionDecl *function = call->getDirectCallee())
      functions.push_back(writtenFunction(function));
    else if (const auto *overloads = dyn_cast<clang::OverloadExpr>(callee))
      names.push_back(overloads->getName());
    else if (const auto *member = dyn_cast<clang::CXXDependentScopeMemberExpr>(callee))
      names.push_back(member->getMember());
    else if (const auto *qualified = dyn_cast<clang::DependentScopeDeclRefExpr>(callee))
      names.push_back(qualified->getDeclName());
    else
      addOperator(clang::OO_Call);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construction) override {
    functions.push_back(writtenFunction(construction->getConstructor()));
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *operation) override {
    if (operation->isTypeDependent() && operation->getOpcode() != clang::BO_Comma)
      addOperator(clang::BinaryOperator::getOverloadedOperator(operation->getOpcode()));
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *operation) override {
    if (operation->isTypeDependent())
      addOperator(clang::UnaryOperator::getOverloadedOperator(operation->getOpcode()));
    return true;
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *element) override {
    if (element->isTypeDependent())
      addOperator(clang::OO_Subscript);
    return true;
  }

private:
  void addOperator(clang::OverloadedOperatorKind kind) {
    if (kind != clang::OO_None)
      names.push_back(operatorNames.getCXXOperatorName(kind));
  }

  clang::DeclarationNameTable &operatorNames;
};

CallCollector callsIn(const TranslationUnit &unit, const clang::Stmt *statement) {
  CallCollector calls(unit.context);
  calls.TraverseStmt(const_cast<clang::Stmt *>(statement));
  return calls;
}

} // namespace

ProbedCalls::ProbedCalls(const TranslationUnit &unit, const Plan &plan) : unit(unit), plan(plan) {
  std::vector<std::pair<const clang::FunctionDecl *, CallCollector>> others;
  const auto add = [&](const clang::FunctionDecl *function) {
    probed.insert(function);
    names.insert(function->getDeclName());
  };
  for (const FunctionBody &body : deviceBodies(unit)) {
    const clang::FunctionDecl *function = writtenFunction(body.function);
    if (holdsProbe(body.body))
      add(function);
    else
      others.emplace_back(function, callsIn(unit, body.body));
  }
  for (std::size_t known = 0; known != probed.size();) {
    known = probed.size();
    for (const auto &[function, calls] : others)
      if (any_of(calls.functions, [&](const auto *callee) { return probed.contains(callee); }) ||
          any_of(calls.names, [&](clang::DeclarationName name) { return names.contains(name); }))
        add(function);
  }
}

bool ProbedCalls::holdsProbe(const clang::Stmt *statement) const {
  const Place begin = unit.expansionPlace(statement->getBeginLoc()), end = unit.expansionEnd(statement->getEndLoc());
  const auto file = plan.files().find(unit.pathOf(begin.file));
  if (file == plan.files().end())
    return false;
  const auto &at = file->second.insertionsAt;
  return any_of(make_range(at.lower_bound(begin.offset), at.upper_bound(end.offset)), [&](const auto &insertion) {
    const Edit &edit = file->second.edits[insertion.second];
    return edit.region.has_value() || edit.site.has_value();
  });
}

bool ProbedCalls::callsKnownProbe(const clang::Stmt *statement) const {
  return any_of(callsIn(unit, statement).functions, [&](const auto *callee) { return probed.contains(callee); });
}

bool ProbedCalls::callsProbe(const clang::Stmt *statement) const {
  const CallCollector calls = callsIn(unit, statement);
  return any_of(calls.functions, [&](const auto *callee) { return probed.contains(callee); }) ||
         any_of(calls.names, [&](clang::DeclarationName name) { return names.contains(name); });
}

} // namespace kperf
