// Collects the function bodies of all declarations.
#include "rewriters/unit/FunctionBodies.h"

#include "rewriters/unit/AnnotatedFunction.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {
namespace {

class BodyCollector : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<FunctionBody> bodies;
  std::vector<const clang::StaticAssertDecl *> assertions;

  bool VisitFunctionDecl(clang::FunctionDecl *function) override {
    if (function->doesThisDeclarationHaveABody() && function->getBody() && !function->isTemplateInstantiation())
      add(function, function->getBody());
    return true;
  }

  bool VisitLambdaExpr(clang::LambdaExpr *lambda) override {
    if (lambda->getBody())
      add(lambda->getCallOperator(), lambda->getBody());
    return true;
  }

  bool VisitStaticAssertDecl(clang::StaticAssertDecl *assertion) override {
    assertions.push_back(assertion);
    return true;
  }

private:
  void add(const clang::FunctionDecl *function, const clang::Stmt *body) {
    if (seen.insert(function).second)
      bodies.push_back({function, body});
  }

  DenseSet<const clang::FunctionDecl *> seen;
};

DenseSet<clang::FileID> annotatedFiles(const TranslationUnit &unit) {
  DenseSet<clang::FileID> files;
  const auto add = [&](clang::SourceLocation annotation, bool isImported) {
    if (isImported || !unit.isForeign(annotation))
      files.insert(unit.sources.getFileID(unit.sources.getExpansionLoc(annotation)));
  };
  for (const AnnotationExpansion &annotation : unit.preprocessing.annotations)
    add(annotation.token, annotation.isImported);
  for (const PragmaUse &use : unit.preprocessing.pragmas)
    add(use.location, false);
  return files;
}

} // namespace

FunctionBodies::FunctionBodies(const TranslationUnit &unit) {
  const DenseSet<clang::FileID> annotated = annotatedFiles(unit);
  BodyCollector collector;
  for (clang::Decl *declaration : unit.declarations()) {
    const clang::SourceLocation begin = unit.sources.getExpansionLoc(declaration->getBeginLoc());
    const bool isOfSystem = unit.sources.isInSystemHeader(begin);
    const clang::FileID file = unit.sources.getFileID(begin);
    if (isOfSystem && !annotated.contains(file) && !unit.isLookedInto(file))
      continue;
    const std::size_t first = collector.bodies.size();
    collector.TraverseDecl(declaration);
    if (!isOfSystem)
      copy_if(drop_begin(collector.bodies, first), std::back_inserter(device),
              [](const FunctionBody &each) { return isDeviceFunction(each.function) && !each.function->isConsteval(); });
  }
  bodies = std::move(collector.bodies);
  assertions = std::move(collector.assertions);
}

bool mayRunAtCompileTime(const clang::FunctionDecl *function) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(function);
  return function->isConstexprSpecified() && !(method && method->getParent()->isLambda()); // Clang marks every lambda that could
}

namespace {

bool isDamaged(const clang::Stmt *statement, bool hasRefusedShared);

/// A __shared__ object with a constructor, which nvcc takes (DiagnosticLog.cpp), or a variable whose type comes from such a one:
/// `auto token = barrier.arrive()`.
bool isRefusedShared(const clang::Decl *declared) {
  if (!declared->isInvalidDecl())
    return false;
  const auto *variable = dyn_cast<clang::VarDecl>(declared);
  const clang::Expr *init = variable && variable->getType()->isUndeducedType() ? variable->getInit() : nullptr;
  return declared->hasAttr<clang::CUDASharedAttr>() || (init && init->containsErrors() && !isDamaged(init, /*hasRefusedShared=*/true));
}

bool mentionsRefusedShared(const clang::Stmt *statement) {
  if (!statement)
    return false;
  if (const auto *reference = dyn_cast<clang::DeclRefExpr>(statement); reference && isRefusedShared(reference->getDecl()))
    return true;
  const auto *declaration = dyn_cast<clang::DeclStmt>(statement);
  return (declaration && any_of(declaration->decls(), isRefusedShared)) || any_of(statement->children(), mentionsRefusedShared);
}

/// Where such an object is named, Clang leaves an expression that holds the name, or one of a single token that holds nothing.
bool isDamaged(const clang::Stmt *statement, bool hasRefusedShared) {
  if (!statement)
    return false;
  if (const auto *lost = dyn_cast<clang::RecoveryExpr>(statement)) {
    const bool isName = lost->subExpressions().empty() && lost->getBeginLoc() == lost->getEndLoc();
    if (!hasRefusedShared || !(isName || mentionsRefusedShared(lost)))
      return true;
  }
  if (const auto *declaration = dyn_cast<clang::DeclStmt>(statement))
    if (any_of(declaration->decls(), [](const clang::Decl *declared) { return declared->isInvalidDecl() && !isRefusedShared(declared); }))
      return true;
  return any_of(statement->children(), [&](const clang::Stmt *child) { return isDamaged(child, hasRefusedShared); });
}

} // namespace

namespace {

struct Damage {
  explicit Damage(const clang::Stmt *body) : isThere(isDamaged(body, mentionsRefusedShared(body))) {}
  const bool isThere;
};

} // namespace

bool isDamaged(const TranslationUnit &unit, const clang::Stmt *body) { return unit.analyses.get<Damage>(body).isThere; }

} // namespace kperf
