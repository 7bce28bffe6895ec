// Looks for the other two members of threadIdx.
#include "rewriters/analysis/ThreadRows.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

namespace {

class RowReader {
public:
  bool reads(const Stmt *statement) {
    if (!statement)
      return false;
    if (const auto *object = dyn_cast<PseudoObjectExpr>(statement))
      return reads(object->getSyntacticForm());
    StringRef member;
    const Expr *base = nullptr;
    if (const auto *property = dyn_cast<MSPropertyRefExpr>(statement))
      base = property->getBaseExpr(), member = property->getPropertyDecl()->getName();
    else if (const auto *expression = dyn_cast<MemberExpr>(statement); expression && expression->getMemberDecl()->getIdentifier())
      base = expression->getBase(), member = expression->getMemberDecl()->getName();
    if (base && member == "x" && isIndex(base->IgnoreParenImpCasts()))
      return false;
    if (isIndex(statement))
      return true; // another member, or all of it
    const auto *call = dyn_cast<CallExpr>(statement);
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return (callee && reads(callee)) || any_of(statement->children(), [&](const Stmt *child) { return reads(child); });
  }

private:
  static bool isIndex(const Stmt *statement) {
    const auto *reference = dyn_cast<DeclRefExpr>(statement);
    return reference && reference->getDecl()->getIdentifier() && reference->getDecl()->getName() == "threadIdx";
  }

  /// Of the user's own functions: those of toolkits that read all of it say so by their names, or were read without their bodies.
  bool reads(const FunctionDecl *function) {
    if (function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation()))
      return false;
    const FunctionDecl *definition = nullptr;
    if (!function->isDefined(definition) && function->getTemplateInstantiationPattern())
      function->getTemplateInstantiationPattern()->isDefined(definition);
    return definition && seen.insert(definition).second && reads(definition->getBody());
  }

  DenseSet<const FunctionDecl *> seen;
};

} // namespace

bool readsRows(const Stmt *body) { return RowReader().reads(body); }

} // namespace kperf
