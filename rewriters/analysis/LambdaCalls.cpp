// Follows the variables that lambdas are stored in.
#include "rewriters/analysis/LambdaCalls.h"

#include "rewriters/analysis/Callees.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::FunctionDecl;
using clang::LambdaExpr;
using clang::Stmt;

namespace kperf {

namespace {

using Variables = DenseMap<const clang::VarDecl *, const LambdaExpr *>;

class Collector : public clang::DynamicRecursiveASTVisitor {
public:
  explicit Collector(Variables &variables) : variables(variables) { ShouldVisitTemplateInstantiations = false; }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    if (const LambdaExpr *lambda = lambdaIn(variable))
      variables[variable] = lambda;
    return true;
  }

private:
  Variables &variables;
};

class Search {
public:
  Search(const Variables &variables, const DenseSet<const FunctionDecl *> &wanted) : variables(variables), wanted(wanted) {}

  bool finds(const Stmt *statement) {
    return names(statement) || any_of(statement->children(), [&](const Stmt *child) { return child && finds(child); });
  }

private:
  bool names(const Stmt *part) {
    const auto *lambda = dyn_cast<LambdaExpr>(part);
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(part))
      lambda = variables.lookup(dyn_cast<clang::VarDecl>(name->getDecl()));
    const FunctionDecl *function = lambda ? lambda->getCallOperator() : nullptr;
    return function && (wanted.contains(function) || (seen.insert(function).second && finds(lambda->getBody())));
  }

  const Variables &variables;
  const DenseSet<const FunctionDecl *> &wanted;
  DenseSet<const FunctionDecl *> seen;
};

} // namespace

LambdaCalls::LambdaCalls(const FunctionDecl *function) { Collector(variables).TraverseStmt(function->getBody()); }

bool LambdaCalls::mayCall(const Stmt *statement, const DenseSet<const FunctionDecl *> &lambdas) const {
  return Search(variables, lambdas).finds(statement);
}

} // namespace kperf
