// The host target's iteration rewriter: lanes of a warp that went different ways through a loop's body meet at its end.
#include "rewriters/unit/DeviceBodies.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kperf {
namespace {

/// Puts an object at the top of loops' bodies, whose end is where the host target's lanes meet: of every loop where memory accesses
/// are counted, else of those that hold a probe.
class IterationPlanner : public clang::DynamicRecursiveASTVisitor {
public:
  explicit IterationPlanner(TranslationUnit &unit) : unit(unit) {}

  bool VisitForStmt(clang::ForStmt *loop) override { return plan(loop->getBody()); }
  bool VisitWhileStmt(clang::WhileStmt *loop) override { return plan(loop->getBody()); }
  bool VisitDoStmt(clang::DoStmt *loop) override { return plan(loop->getBody()); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) override { return plan(loop->getBody()); }

private:
  bool plan(const clang::Stmt *body) {
    if (unit.plan.sites().empty() && !holdsProbe(body))
      return true;
    std::string lastLine = utostr(unit.lineOf(unit.expansionPlace(body->getEndLoc())));
    std::string object = " const ::kperf::Iteration kperf_iteration(" + lastLine + "); ";
    if (const auto *compound = dyn_cast<clang::CompoundStmt>(body)) {
      if (std::optional<Place> brace = unit.editablePlace(compound->getLBracLoc());
          brace && !unit.isInDirective(*brace))
        add(unit.behind(*brace), EditOrder::Kernel, object);
      return true;
    }
    Expected<StatementSpan> span = spanOf(unit, body);
    if (!span) {
      consumeError(span.takeError());
      return true;
    }
    add({span->file, span->open.offset}, EditOrder::Kernel, span->open.prefix + "{" + object + span->open.suffix);
    add({span->file, span->end}, EditOrder::Close, " }", span->open.offset);
    return true;
  }

  bool holdsProbe(const clang::Stmt *body) const {
    const Place begin = unit.expansionPlace(body->getBeginLoc()), end = unit.expansionEnd(body->getEndLoc());
    const auto file = unit.plan.files().find(unit.pathOf(begin.file));
    const auto &at = file->second.insertionsAt;
    return any_of(make_range(at.lower_bound(begin.offset), at.upper_bound(end.offset)),
                  [&](const auto &edit) { return file->second.edits[edit.second].region.has_value(); });
  }

  void add(Place place, EditOrder order, std::string text, std::optional<std::size_t> closes = std::nullopt) {
    Edit edit{unit.pathOf(place.file), place.offset, order, std::move(text), std::nullopt, {}};
    edit.closes = closes;
    unit.plan.addEdit(std::move(edit));
  }

  TranslationUnit &unit;
};

} // namespace

void planIterations(TranslationUnit &unit, const AnnotatedFunctions &) {
  if (unit.plan.sites().empty() && unit.plan.regions().empty())
    return;
  for (const PointerOrigins::Body &body : deviceBodies(unit))
    if (!mayRunAtCompileTime(body.function))
      IterationPlanner(unit).TraverseStmt(const_cast<clang::Stmt *>(body.body));
}

} // namespace kperf
