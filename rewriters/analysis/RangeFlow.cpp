// An abstract interpretation of structured control flow with goto.
#include "rewriters/analysis/RangeFlow.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

/// Nothing: the point is not reached.
using State = std::optional<OpenCounts>;

bool widen(OpenCount &into, const OpenCount &from) {
  OpenCount before = into;
  into.least = std::min(into.least, from.least);
  into.most = std::max(into.most, from.most);
  return before.least != into.least || before.most != into.most;
}

/// Adds the paths of `from`; true when that changes anything.
bool join(State &into, const State &from) {
  if (!from)
    return false;
  if (!into) {
    into = from;
    return true;
  }
  bool changed = false;
  for (std::size_t range = 0; range < from->size(); ++range)
    changed |= widen((*into)[range], (*from)[range]);
  return changed;
}

class Walker {
public:
  Walker(const DenseMap<const Stmt *, RangeStep> &steps, unsigned rangeCount) : steps(steps), rangeCount(rangeCount) {}

  RangeFlow run(const Stmt *body) { return follow(body, OpenCounts(rangeCount)); }

  RangeFlow runFrom(const Stmt *where, unsigned range, const Stmt *body) {
    start = where;
    atStart = OpenCounts(rangeCount);
    (*atStart)[range] = {1, 1};
    return follow(body, std::nullopt);
  }

private:
  RangeFlow follow(const Stmt *body, const State &entry) {
    do {
      labelsChanged = false;
      flow = RangeFlow();
      flow.atEnd = walk(body, entry);
    } while (labelsChanged);
    return std::move(flow);
  }

  /// Where break and continue lead, and what reaches the cases of a switch.
  struct Target {
    State breaks, continues;
    const State *entry = nullptr;
    bool isLoop = true, hasDefault = false;
  };

  State walk(const Stmt *statement, State state) {
    if (!statement)
      return state;
    if (auto step = steps.find(statement); step != steps.end()) {
      state = apply(statement, step->second, std::move(state));
      if (statement == start)
        join(state, atStart);
      return state;
    }
    switch (statement->getStmtClass()) {
    case Stmt::CompoundStmtClass:
      for (const Stmt *child : cast<clang::CompoundStmt>(statement)->body())
        state = walk(child, std::move(state));
      return state;
    case Stmt::IfStmtClass:
      return walkIf(cast<clang::IfStmt>(statement), std::move(state));
    case Stmt::ForStmtClass:
    case Stmt::WhileStmtClass:
    case Stmt::DoStmtClass:
    case Stmt::CXXForRangeStmtClass:
      return walkAnyLoop(statement, std::move(state));
    case Stmt::SwitchStmtClass:
      return walkSwitch(cast<clang::SwitchStmt>(statement), std::move(state));
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass:
      enterCase(statement, state);
      return walk(cast<clang::SwitchCase>(statement)->getSubStmt(), std::move(state));
    case Stmt::LabelStmtClass: {
      const auto *label = cast<clang::LabelStmt>(statement);
      join(state, labels[label->getDecl()]);
      return walk(label->getSubStmt(), std::move(state));
    }
    case Stmt::GotoStmtClass:
    case Stmt::BreakStmtClass:
    case Stmt::ContinueStmtClass:
    case Stmt::ReturnStmtClass:
      leave(statement, std::move(state));
      return std::nullopt;
    case Stmt::AttributedStmtClass:
      return walk(cast<clang::AttributedStmt>(statement)->getSubStmt(), std::move(state));
    default:
      flow.hasWork |= state && !isa<clang::NullStmt>(statement);
      return walkExpressions(statement, std::move(state));
    }
  }

  /// What a jump takes with it; nothing comes behind it.
  void leave(const Stmt *jump, State state) {
    if (state && !isa<clang::ReturnStmt>(jump))
      flow.atJump[jump] = *state;
    if (jump == start)
      join(state, atStart);
    if (const auto *away = dyn_cast<clang::GotoStmt>(jump)) {
      flow.hasGoto = true;
      labelsChanged |= join(labels[away->getLabel()], state);
    } else if (const auto *back = dyn_cast<clang::ReturnStmt>(jump)) {
      state = walkExpressions(jump, std::move(state));
      if (state)
        recordReturn(back, *state);
    } else if (isa<clang::BreakStmt>(jump)) {
      if (!targets.empty())
        join(targets.back()->breaks, state);
    } else {
      const auto loop = find_if(reverse(targets), [](const Target *target) { return target->isLoop; });
      if (loop != targets.rend())
        join((*loop)->continues, state);
    }
  }

  State apply(const Stmt *statement, RangeStep step, State state) {
    if (!state)
      return state;
    flow.hasWork |= step.opens;
    OpenCount &count = (*state)[step.range];
    auto [known, isNew] = flow.beforeStep.try_emplace(statement, count);
    if (!isNew)
      widen(known->second, count);
    auto move = [&](unsigned value) { return step.opens ? std::min(value + 1, kManyOpen) : value - (value > 0); };
    count.least = move(count.least);
    count.most = count.most == kManyOpen ? kManyOpen : move(count.most);
    return state;
  }

  /// The innermost switch's entry reaches the label too, also when the label stands inside a loop of that switch.
  void enterCase(const Stmt *label, State &state) {
    for (auto target = targets.rbegin(); target != targets.rend(); ++target)
      if ((*target)->entry) {
        join(state, *(*target)->entry);
        (*target)->hasDefault |= isa<clang::DefaultStmt>(label);
        return;
      }
  }

  void recordReturn(const clang::ReturnStmt *statement, const OpenCounts &counts) {
    State known;
    if (auto entry = flow.atReturn.find(statement); entry != flow.atReturn.end())
      known = entry->second;
    join(known, counts);
    flow.atReturn[statement] = *known;
  }

  State walkIf(const clang::IfStmt *branch, State state) {
    state = walkExpressions(branch->getInit(), std::move(state));
    State other = walk(branch->getElse(), state);
    state = walk(branch->getThen(), std::move(state));
    join(state, other);
    return state;
  }

  static bool alwaysHolds(const Stmt *condition) {
    if (!condition)
      return true;
    if (const auto *expression = dyn_cast<clang::Expr>(condition))
      condition = expression->IgnoreParenImpCasts();
    if (const auto *boolean = dyn_cast<clang::CXXBoolLiteralExpr>(condition))
      return boolean->getValue();
    if (const auto *integer = dyn_cast<clang::IntegerLiteral>(condition))
      return integer->getValue().getBoolValue();
    return false;
  }

  State walkAnyLoop(const Stmt *statement, State state) {
    if (const auto *loop = dyn_cast<clang::ForStmt>(statement)) {
      state = walkExpressions(loop->getInit(), std::move(state));
      return walkLoop(loop->getCond(), loop->getBody(), std::move(state), false);
    }
    if (const auto *loop = dyn_cast<clang::WhileStmt>(statement))
      return walkLoop(loop->getCond(), loop->getBody(), std::move(state), false);
    if (const auto *loop = dyn_cast<clang::DoStmt>(statement))
      return walkLoop(loop->getCond(), loop->getBody(), std::move(state), true);
    return walkLoop(statement, cast<clang::CXXForRangeStmt>(statement)->getBody(), std::move(state), false);
  }

  State walkLoop(const Stmt *condition, const Stmt *body, State entry, bool bodyFirst) {
    Target target;
    targets.push_back(&target);
    State head = std::move(entry), afterBody;
    bool changed;
    do {
      afterBody = walk(body, head);
      join(afterBody, target.continues);
      changed = join(head, afterBody);
    } while (changed);
    targets.pop_back();
    State exit = target.breaks;
    if (!alwaysHolds(condition))
      join(exit, bodyFirst ? afterBody : head);
    return exit;
  }

  State walkSwitch(const clang::SwitchStmt *choice, State state) {
    state = walkExpressions(choice->getInit(), std::move(state));
    Target target;
    target.entry = &state;
    target.isLoop = false;
    targets.push_back(&target);
    State exit = walk(choice->getBody(), std::nullopt);
    targets.pop_back();
    join(exit, target.breaks);
    if (!target.hasDefault)
      join(exit, state);
    return exit;
  }

  /// Statement expressions inside of expressions, and calls that do not return.
  State walkExpressions(const Stmt *statement, State state) {
    if (!statement || isa<clang::LambdaExpr>(statement))
      return state;
    if (const auto *block = dyn_cast<clang::StmtExpr>(statement))
      return walk(block->getSubStmt(), std::move(state));
    for (const Stmt *child : statement->children())
      state = walkExpressions(child, std::move(state));
    if (const auto *call = dyn_cast<clang::CallExpr>(statement))
      if (const clang::FunctionDecl *callee = call->getDirectCallee(); callee && callee->isNoReturn())
        return std::nullopt;
    return state;
  }

  const DenseMap<const Stmt *, RangeStep> &steps;
  unsigned rangeCount;
  const Stmt *start = nullptr; ///< of the paths that are followed, where they do not start with the body
  State atStart;
  RangeFlow flow;
  DenseMap<const clang::LabelDecl *, State> labels;
  bool labelsChanged = false;
  SmallVector<Target *> targets;
};

} // namespace

RangeFlow followRanges(const Stmt *body, const DenseMap<const Stmt *, RangeStep> &steps, unsigned rangeCount) {
  return Walker(steps, rangeCount).run(body);
}

RangeFlow followRangeFrom(const Stmt *start, unsigned range, const Stmt *body, const DenseMap<const Stmt *, RangeStep> &steps,
                          unsigned rangeCount) {
  return Walker(steps, rangeCount).runFrom(start, range, body);
}

} // namespace kperf
