// Recognises counting loops.
#include "rewriters/unit/LoopVariables.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace kperf {
namespace {

class LoopFinder : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<std::pair<const clang::ForStmt *, const clang::VarDecl *>> loops;
  StringMap<unsigned> declared; ///< how many declarations of the body have a name

  bool VisitForStmt(clang::ForStmt *loop) override {
    const auto *first = dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    if (!first)
      return true;
    for (const clang::Decl *each : first->decls())
      if (const auto *variable = dyn_cast<clang::VarDecl>(each); variable && counts(*variable)) {
        loops.emplace_back(loop, variable);
        break;
      }
    return true;
  }

  bool VisitNamedDecl(clang::NamedDecl *declaration) override {
    if (declaration->getIdentifier())
      ++declared[declaration->getName()];
    return true;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }

private:
  static bool counts(const clang::VarDecl &variable) {
    const clang::QualType type = variable.getType();
    return !type->isDependentType() && !type.isVolatileQualified() && type->isIntegerType() && !type->isBooleanType() &&
           variable.getIdentifier() && variable.hasInit();
  }
};

/// Whether the expression gives the variable another value.
bool changes(const clang::Stmt *expression, const clang::VarDecl *variable) {
  const auto isIt = [&](const clang::Expr *operand) {
    const auto *reference = dyn_cast<clang::DeclRefExpr>(operand->IgnoreParenImpCasts());
    return reference && reference->getDecl() == variable;
  };
  if (const auto *step = dyn_cast<clang::UnaryOperator>(expression);
      step && (step->isIncrementDecrementOp() || step->getOpcode() == clang::UO_AddrOf) && isIt(step->getSubExpr()))
    return true;
  if (const auto *assignment = dyn_cast<clang::BinaryOperator>(expression);
      assignment && assignment->isAssignmentOp() && isIt(assignment->getLHS()))
    return true;
  return any_of(expression->children(), [&](const clang::Stmt *child) { return child && changes(child, variable); });
}

} // namespace

LoopVariables::LoopVariables(const TranslationUnit &unit, const clang::Stmt *body) : unit(unit) {
  LoopFinder finder;
  finder.TraverseStmt(const_cast<clang::Stmt *>(body));
  for (const auto &[loop, variable] : finder.loops) {
    const clang::SourceLocation first = loop->getInit()->getEndLoc();
    if (first.isMacroID() || loop->getEndLoc().isMacroID() || variable->getLocation().isMacroID())
      continue;
    const Place begin = unit.expansionPlace(first), end = unit.expansionPlace(loop->getEndLoc());
    // Loops beside each other may use one name; a variable inside of a loop with the name of the loop's may not.
    const auto hides = [&](const auto &other) {
      return other.second != variable && other.second->getName() == variable->getName() &&
             loop->getBeginLoc() < other.first->getBeginLoc() && other.first->getBeginLoc() < loop->getEndLoc();
    };
    std::size_t ofLoops = 0;
    for (const auto &other : finder.loops)
      ofLoops += other.second->getName() == variable->getName();
    if (begin.file == end.file && finder.declared.lookup(variable->getName()) == ofLoops && none_of(finder.loops, hides))
      loops.push_back({begin.file, begin.offset, end.offset, variable});
  }
}

StringRef LoopVariables::at(Place place, const clang::Expr *access) const {
  const Loop *innermost = nullptr;
  for (const Loop &loop : loops)
    if (loop.file == place.file && loop.begin < place.offset && place.offset <= loop.end && (!innermost || innermost->begin < loop.begin))
      innermost = &loop;
  if (!innermost || !unit.layoutOf(place.file).inSameBranch(innermost->begin, place.offset) || changes(access, innermost->variable))
    return {};
  return innermost->variable->getName();
}

} // namespace kperf
