// The host target's call rewriter: says where a lane is while it is in a called function, and lets lanes meet where that returns.
#include "rewriters/rewriter/ProbedCalls.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

#include <vector>

using namespace llvm;

namespace kperf {
namespace {

/// Looks for what may part lanes: anything but a single way through.
class BranchFinder : public clang::DynamicRecursiveASTVisitor {
public:
  bool VisitIfStmt(clang::IfStmt *statement) override { return statement->isConstexpr(); }
  bool VisitSwitchStmt(clang::SwitchStmt *) override { return false; }
  bool VisitForStmt(clang::ForStmt *) override { return false; }
  bool VisitWhileStmt(clang::WhileStmt *) override { return false; }
  bool VisitDoStmt(clang::DoStmt *) override { return false; }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *) override { return false; }
  bool VisitGotoStmt(clang::GotoStmt *) override { return false; }
  bool VisitAbstractConditionalOperator(clang::AbstractConditionalOperator *) override { return false; }
  bool VisitBinaryOperator(clang::BinaryOperator *operation) override { return !operation->isLogicalOp(); }
  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }
};

/// Writes in front of each statement of a block that may come to a probe through a call which lines it has; of those that share a
/// line, and may come to a probe in any way, the columns, too.
class CallPlanner : public clang::DynamicRecursiveASTVisitor {
public:
  CallPlanner(const TranslationUnit &unit, const ProbedCalls &probed, PlanAdditions &additions)
      : unit(unit), probed(probed), additions(additions) {}

  /// Puts the object at the top of the function that its calls are seen by. False where none can stand.
  bool planFunction(const clang::CompoundStmt *body) {
    const std::optional<Place> brace = unit.editablePlace(body->getLBracLoc());
    if (!brace || unit.isInDirective(*brace))
      return false;
    const bool hasOneWay = BranchFinder().TraverseStmt(const_cast<clang::CompoundStmt *>(body));
    const unsigned lastLine = hasOneWay ? 0 : lastLineOf(body);
    add(unit.behind(*brace), " const ::kperf::FunctionBody kperf_body(" + utostr(lastLine) + ");");
    return true;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }

  bool VisitCompoundStmt(clang::CompoundStmt *block) override {
    std::vector<const clang::Stmt *> probing;
    for (const clang::Stmt *statement : block->body()) {
      while (const auto *label = dyn_cast<clang::LabelStmt>(statement))
        statement = label->getSubStmt();
      while (const auto *label = dyn_cast<clang::SwitchCase>(statement))
        statement = label->getSubStmt();
      if (probed.callsProbe(statement) || probed.holdsProbe(statement))
        probing.push_back(statement);
    }
    for (std::size_t i = 0; i < probing.size(); ++i) {
      const bool sharesLine = (i > 0 && lastLineOf(probing[i - 1]) == firstLineOf(probing[i])) ||
                              (i + 1 < probing.size() && firstLineOf(probing[i + 1]) == lastLineOf(probing[i]));
      if (sharesLine || (!isa<clang::CompoundStmt>(probing[i]) && probed.callsProbe(probing[i])))
        planStatement(probing[i], sharesLine);
    }
    return true;
  }

private:
  void planStatement(const clang::Stmt *statement, bool sharesLine) {
    Expected<StatementSpan> span = spanOf(unit, statement);
    if (!span) {
      consumeError(span.takeError());
      return;
    }
    std::string place = utostr(firstLineOf(statement)) + ", " + utostr(lastLineOf(statement));
    if (sharesLine)
      place += ", " + utostr(unit.sources.getExpansionColumnNumber(statement->getBeginLoc()));
    add({span->file, span->open.offset}, span->open.prefix + "::kperf::calling(" + place + "); " + span->open.suffix);
  }

  unsigned firstLineOf(const clang::Stmt *statement) const { return unit.lineOf(unit.expansionPlace(statement->getBeginLoc())); }
  unsigned lastLineOf(const clang::Stmt *statement) const { return unit.lineOf(unit.expansionPlace(statement->getEndLoc())); }

  void add(Place place, std::string text) {
    additions.addEdit({unit.pathOf(place.file), place.offset, EditOrder::Kernel, std::move(text), std::nullopt, {}});
  }

  const TranslationUnit &unit;
  const ProbedCalls &probed;
  PlanAdditions &additions;
};

} // namespace

RewriterResult planCalls(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  if (context.plan.sites().empty() && context.plan.regions().empty())
    return additions;
  const ProbedCalls probed(context.unit, context.plan);
  for (const FunctionBody &each : deviceBodies(context.unit)) {
    const auto *body = dyn_cast<clang::CompoundStmt>(each.body);
    const bool isLambda = isLambdaCallOperator(each.function);
    if (!body || each.function->isDefaulted() || mayRunAtCompileTime(each.function))
      continue;
    // A lambda without a probe may run at compile time, too.
    if (!probed.holdsProbe(body) && !(isLambda ? probed.callsKnownProbe(body) : probed.callsProbe(body)))
      continue;
    CallPlanner planner(context.unit, probed, additions);
    if (each.function->hasAttr<clang::CUDAGlobalAttr>() || planner.planFunction(body))
      planner.TraverseStmt(const_cast<clang::CompoundStmt *>(body));
  }
  return additions;
}

} // namespace kperf
