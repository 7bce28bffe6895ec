// Judges the bodies of innermost loops, and puts lambdas around them.
#include "rewriters/kernel/SampledLoops.h"

#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/kernel/UntouchedCopy.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

bool isOneOf(StringRef text, ArrayRef<StringRef> parts) {
  return any_of(parts, [&](StringRef part) { return text.contains(part); });
}

/// Whether lanes of a warp may have to come together for it.
bool isCollective(const Stmt *statement) {
  if (syncConstruct(statement))
    return true;
  if (const auto *assembly = dyn_cast<GCCAsmStmt>(statement))
    return isOneOf(assembly->getAsmString(), {"sync", "align", "bar", "shfl", "vote", "mask", "elect"});
  const auto *call = dyn_cast<CallExpr>(statement);
  const std::string name = call ? writtenName(call) : std::string();
  return StringRef(name).starts_with("__") &&
         isOneOf(name, {"sync", "shfl", "ballot", "vote", "any", "all", "activemask", "match", "mma", "reduce", "bar", "cluster"});
}

/// What a lambda's body may not hold, or name of what is around it.
class LambdaObstacles : public DynamicRecursiveASTVisitor {
public:
  LambdaObstacles(const TranslationUnit &unit, const Stmt *body) : unit(unit), body(body) { TraverseStmt(const_cast<Stmt *>(body)); }
  bool isAny = false;

  bool VisitReturnStmt(ReturnStmt *) override { return obstacle(); }
  bool VisitGotoStmt(GotoStmt *) override { return obstacle(); }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *) override { return obstacle(); }
  bool VisitLabelStmt(LabelStmt *) override { return obstacle(); }
  bool VisitSizeOfPackExpr(SizeOfPackExpr *) override { return obstacle(); }
  bool VisitPackExpansionExpr(PackExpansionExpr *) override { return obstacle(); }
  bool VisitCXXFoldExpr(CXXFoldExpr *) override { return obstacle(); }
  /// C++17 lets no lambda capture structured bindings.
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    return !(isa<BindingDecl>(name->getDecl()) && isAround(name->getDecl())) || obstacle();
  }
  /// Nor does any C++ let one capture members of an anonymous union.
  bool VisitIndirectFieldDecl(IndirectFieldDecl *) override { return obstacle(); }
  bool VisitMemberExpr(MemberExpr *member) override {
    const auto *variable = dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return !(variable && variable->getDecl()->isImplicit()) || obstacle();
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; } // what it holds it may hold; what it names, the loop's lambda captures

private:
  bool isAround(const Decl *declaration) const {
    return unit.sources.isBeforeInTranslationUnit(declaration->getLocation(), body->getBeginLoc());
  }
  bool obstacle() {
    isAny = true;
    return false;
  }

  const TranslationUnit &unit;
  const Stmt *body;
};

const Stmt *bodyOf(const Stmt *loop) {
  const auto parts = isLoop(loop) ? subStatements(loop) : SmallVector<const Stmt *, 4>();
  return parts.empty() ? nullptr : parts.front();
}

/// Whether the compiler knows the expression's value, in templates that of an instance.
bool isConstant(const Expr *expression, const ASTContext &context) {
  if (!expression->isValueDependent())
    return expression->isEvaluatable(context);
  const Expr *plain = expression->IgnoreParenImpCasts();
  if (const auto *name = dyn_cast<DeclRefExpr>(plain)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    return isa<NonTypeTemplateParmDecl>(name->getDecl()) || (variable && variable->isConstexpr());
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(plain))
    return isConstant(operation->getLHS(), context) && isConstant(operation->getRHS(), context);
  const auto *member = dyn_cast<DependentScopeDeclRefExpr>(plain); // a class's constant, or it could not be called a bound
  return member != nullptr;
}

/// Whether all lanes go round the loop as often: it counts from one constant to another.
bool isSteady(const Stmt *statement, const ASTContext &context) {
  const auto *loop = dyn_cast<ForStmt>(statement);
  const auto *first = loop ? dyn_cast_or_null<DeclStmt>(loop->getInit()) : nullptr;
  const auto *variable = first && first->isSingleDecl() ? dyn_cast<VarDecl>(first->getSingleDecl()) : nullptr;
  const auto *condition = loop ? dyn_cast_or_null<BinaryOperator>(loop->getCond()) : nullptr;
  const auto *step = loop ? dyn_cast_or_null<UnaryOperator>(loop->getInc()) : nullptr;
  if (!variable || !variable->hasInit() || !isConstant(variable->getInit(), context) || !condition || !condition->isRelationalOp() || !step)
    return false;
  const auto isVariable = [&](const Expr *expression) {
    const auto *name = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    return name && name->getDecl() == variable;
  };
  return isVariable(step->getSubExpr()) && isVariable(condition->getLHS()) && isConstant(condition->getRHS(), context);
}

class Statements : public DynamicRecursiveASTVisitor {
public:
  std::vector<const Stmt *> found;

  bool VisitStmt(Stmt *statement) override {
    found.push_back(statement);
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
};

} // namespace

SampledLoops::SampledLoops(const TranslationUnit &unit, const Plan &soFar, const Stmt *body, const DenseSet<const Stmt *> &accesses)
    : unit(unit), planned(soFar), function(body), collective(unit.context, isCollective, /*isUnknownSought=*/true) {
  if (findLoops(body, accesses) != Holds::Nothing)
    walk(body, nullptr, nullptr);
}

SampledLoops::Holds SampledLoops::findLoops(const Stmt *statement, const DenseSet<const Stmt *> &accesses) {
  if (!statement || isa<LambdaExpr>(statement))
    return Holds::Nothing;
  Holds holds = accesses.contains(statement) ? Holds::Access : Holds::Nothing;
  for (const Stmt *child : statement->children())
    holds = std::max(holds, findLoops(child, accesses));
  const Stmt *body = bodyOf(statement);
  if (!body || holds == Holds::Nothing)
    return holds;
  if (holds == Holds::Access)
    innermost.insert(statement);
  else
    outer.insert(statement);
  return Holds::Loop;
}

/// Whether lanes that begin the statement together may leave out a part of it that is not an innermost loop's.
bool SampledLoops::leavesPartOut(const Stmt *statement) const {
  if (!statement || isa<LambdaExpr>(statement) || (bodyOf(statement) && !outer.contains(statement)))
    return false;
  return isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt>(statement) ||
         any_of(statement->children(), [&](const Stmt *child) { return leavesPartOut(child); });
}

/// `around`: a loop of which an iteration brings all lanes that make it here as often; null where there is none. Lanes that are together
/// must have gone round the loops of one object as often, else they would count different iterations. `attributed`: the statement with
/// its attributes, where it has some.
void SampledLoops::walk(const Stmt *statement, const Stmt *attributed, const Stmt *around) {
  if (!statement || isa<Expr>(statement))
    return;
  if (const auto *attributes = dyn_cast<AttributedStmt>(statement))
    return walk(attributes->getSubStmt(), attributed ? attributed : statement, around);
  if (const Stmt *body = bodyOf(statement)) {
    const Stmt *whole = attributed ? attributed : statement;
    const Stmt *outermost = around && isSteady(statement, unit.context) ? around : whole;
    if (innermost.contains(statement))
      return add(statement, body, outermost);
    if (outer.contains(statement))
      walk(body, nullptr, leavesPartOut(body) ? nullptr : outermost);
    return;
  }
  for (const Stmt *child : statement->children())
    walk(child, nullptr, isa<CompoundStmt>(statement) ? around : nullptr);
}

void SampledLoops::add(const Stmt *loop, const Stmt *body, const Stmt *around) {
  const std::optional<Around> place = insideOf(body);
  if (!place || !isSampled(loop, body, *place))
    return;
  const std::optional<std::size_t> object = countedAt(around);
  if (!object)
    return;
  Statements inside;
  inside.TraverseStmt(const_cast<Stmt *>(body));
  for (const Stmt *each : inside.found)
    loopOf[each] = loops.size();
  loops.push_back({*place, *object});
}

bool SampledLoops::isSampled(const Stmt *loop, const Stmt *body, const Around &place) {
  return !loop->getBeginLoc().isMacroID() && !holdsEdit(place) && !isDamaged(unit, body) && !LambdaObstacles(unit, body).isAny &&
         !jumpTargetWithin(unit, function, loop->getBeginLoc(), body->getEndLoc()) && obstacleToRunTwice(unit, body).empty() &&
         !collective.reaches(body);
}

std::optional<std::size_t> SampledLoops::countedAt(const Stmt *statement) {
  if (const auto known = countedOf.find(statement); known != countedOf.end())
    return known->second;
  std::optional<Around> place = aroundOf(statement);
  if (!place || jumpTargetWithin(unit, function, statement->getBeginLoc(), statement->getEndLoc()))
    return std::nullopt;
  countedOf[statement] = counted.size();
  counted.push_back({std::move(*place), "kperf_loop_" + utostr(counted.size())});
  return counted.size() - 1;
}

std::optional<SampledLoops::Around> SampledLoops::insideOf(const Stmt *body) const {
  const auto *block = dyn_cast<CompoundStmt>(body);
  if (!block)
    return aroundOf(body);
  const std::optional<Place> open = unit.editablePlace(block->getLBracLoc()), close = unit.editablePlace(block->getRBracLoc());
  if (!open || !close || open->file != close->file || unit.isInDirective(*open) || unit.isInDirective(*close) ||
      !unit.layoutOf(open->file).inSameBranch(open->offset, close->offset))
    return std::nullopt;
  return Around{unit.pathOf(open->file), unit.behind(*open).offset, close->offset, {}, {}, true};
}

std::optional<SampledLoops::Around> SampledLoops::aroundOf(const Stmt *statement) const {
  Expected<StatementSpan> span = spanOf(unit, statement);
  if (!span) {
    consumeError(span.takeError());
    return std::nullopt;
  }
  return Around{unit.pathOf(span->file), span->open.offset, span->end, span->open.prefix, span->open.suffix};
}

bool SampledLoops::holdsEdit(const Around &place) const {
  const auto file = planned.files().find(place.path);
  if (file == planned.files().end())
    return false;
  const auto &at = file->second.insertionsAt;
  return at.lower_bound(place.begin) != at.upper_bound(place.end);
}

bool SampledLoops::use(const Stmt *access) {
  const auto found = loopOf.find(access);
  return found != loopOf.end() && (loops[found->second].isUsed = true);
}

void SampledLoops::plan(PlanAdditions &additions, bool isCopied) const {
  const auto around = [&](const Around &place, const std::string &before, const std::string &behind) {
    const EditOrder close = place.isBlock ? EditOrder::End : EditOrder::Close;
    const std::string open = place.prefix + (place.isBlock ? "" : "{") + before + place.suffix;
    additions.addEdit({place.path, place.begin, EditOrder::Copies, open, std::nullopt, {}});
    additions.addEdit({place.path, place.end, close, behind + (place.isBlock ? "" : "}"), std::nullopt, {}});
  };
  // A loop of its own, so that `continue` and `break` of the body are what they were: either ends this loop, and the flag tells which.
  constexpr char kOpen[] = " const auto kperf_iteration = [&](const ::kperf::IterationSample kperf_sample) "
                           "__attribute__((always_inline)) { bool kperf_isLeft = true; for (; kperf_isLeft; kperf_isLeft = false) {";
  std::vector<bool> isUsed(counted.size());
  for (const Loop &loop : loops) {
    if (!loop.isUsed)
      continue;
    isUsed[loop.counted] = true;
    around(loop.body, kOpen,
           (loop.body.isBlock ? "} " : " } ") + std::string("return kperf_isLeft; }; if (") + counted[loop.counted].name + ".run(" +
               (isCopied ? "kperf_isRecorded, " : "") + "kperf_iteration)) break; ");
  }
  for (std::size_t index = 0; index < counted.size(); ++index)
    if (isUsed[index])
      around(counted[index].place, " ::kperf::SampledLoop " + counted[index].name + "; ", " ");
}

} // namespace kperf
