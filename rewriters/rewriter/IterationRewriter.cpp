// The host target's iteration rewriter: lanes of a warp that went different ways through a loop's body meet at its end.
#include "rewriters/rewriter/ProbedCalls.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kperf {
namespace {

/// Puts an object at the top of loops' bodies, whose end is where the host target's lanes meet: of every loop where memory accesses
/// are counted, else of those that come to a probe. Where a jump leads into a body, past what is declared at its top, the object has a
/// block of its own at the end.
class IterationPlanner : public clang::DynamicRecursiveASTVisitor {
public:
  IterationPlanner(const RewriteContext &context, const ProbedCalls &probed, PlanAdditions &additions, const clang::Stmt *function)
      : unit(context.unit), planned(context.plan), probed(probed), additions(additions), function(function) {}

  bool VisitForStmt(clang::ForStmt *loop) override { return plan(loop, loop->getBody()); }
  bool VisitWhileStmt(clang::WhileStmt *loop) override { return plan(loop, loop->getBody()); }
  bool VisitDoStmt(clang::DoStmt *loop) override { return plan(loop, loop->getBody()); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) override { return plan(loop, loop->getBody()); }
  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; } // a function of its own

private:
  bool plan(const clang::Stmt *loop, const clang::Stmt *body) {
    if (planned.sites().empty() && !probed.holdsProbe(body) && !probed.callsProbe(body))
      return true;
    const bool isJumpedInto = jumpTargetWithin(unit, function, loop->getBeginLoc(), body->getEndLoc());
    std::string lastLine = utostr(unit.lineOf(unit.expansionPlace(body->getEndLoc())));
    std::string object = " const ::kperf::Iteration kperf_iteration(" + lastLine + "); ";
    if (const auto *compound = dyn_cast<clang::CompoundStmt>(body)) {
      const std::optional<Place> brace = unit.editablePlace(isJumpedInto ? compound->getRBracLoc() : compound->getLBracLoc());
      if (!brace || unit.isInDirective(*brace))
        return true;
      if (isJumpedInto)
        add(*brace, EditOrder::End, "{" + object + "} ");
      else
        add(unit.behind(*brace), EditOrder::Kernel, object);
      return true;
    }
    Expected<StatementSpan> span = spanOf(unit, body);
    if (!span) {
      consumeError(span.takeError());
      return true;
    }
    add({span->file, span->open.offset}, EditOrder::Kernel, span->open.prefix + "{" + (isJumpedInto ? " " : object) + span->open.suffix);
    add({span->file, span->end}, EditOrder::Close, isJumpedInto ? " {" + object + "} }" : " }", span->open.offset);
    return true;
  }

  void add(Place place, EditOrder order, std::string text, std::optional<std::size_t> closes = std::nullopt) {
    Edit edit{unit.pathOf(place.file), place.offset, order, std::move(text), std::nullopt, {}};
    edit.closes = closes;
    additions.addEdit(std::move(edit));
  }

  const TranslationUnit &unit;
  const Plan &planned;
  const ProbedCalls &probed;
  PlanAdditions &additions;
  const clang::Stmt *function; ///< the body that is traversed
};

} // namespace

RewriterResult planIterations(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  if (context.plan.sites().empty() && context.plan.regions().empty())
    return additions;
  const ProbedCalls probed(context.unit, context.plan);
  for (const FunctionBody &body : deviceBodies(context.unit))
    if (!mayRunAtCompileTime(body.function))
      IterationPlanner(context, probed, additions, body.body).TraverseStmt(const_cast<clang::Stmt *>(body.body));
  return additions;
}

} // namespace kperf
