// One walk over a function's statements that lists what a rule can choose.
#include "rewriters/select/Selectable.h"

#include "rewriters/analysis/WorkEstimate.h"
#include "rewriters/construct/BarrierCopies.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

/// Children that are no statements of their own: conditions, initialisers, operands.
static SmallVector<const Stmt *, 4> headerParts(const Stmt *statement) {
  SmallVector<const Stmt *, 4> own = subStatements(statement), parts;
  if (const auto *loop = dyn_cast<clang::CXXForRangeStmt>(statement)) // the others repeat what this one says
    return {loop->getRangeInit()};
  for (const Stmt *child : statement->children())
    if (child && !is_contained(own, child))
      parts.push_back(child);
  return parts;
}

static std::string nameOfRegion(const clang::FunctionDecl *function) {
  if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(function))
    return constructor->getParent()->getNameAsString();
  const auto *method = dyn_cast<clang::CXXMethodDecl>(function);
  return method && method->getParent()->isLambda() ? "lambda" : ownName(function);
}

namespace {

class SelectableWalk {
public:
  SelectableWalk(const TranslationUnit &unit, const FunctionBody &function)
      : function(function), wrappers(unit.analyses.get<SyncWrappers>(unit)), copies(unit.analyses.get<BarrierCopies>(unit)),
        work(unit.analyses.get<WorkEstimate>(unit.context)),
        isWrapper(wrappers.isOne(function.function) || isNamedConstruct(function.function)) {}

  std::vector<Selectable> run() {
    const bool isKernel = function.function->hasAttr<clang::CUDAGlobalAttr>();
    Selectable body;
    body.kind = isKernel ? SelectionKind::Kernels : SelectionKind::Functions;
    body.function = function.function;
    body.statement = body.at = function.body;
    body.name = nameOfRegion(function.function);
    found.push_back(std::move(body));
    visit(function.body, {});
    return std::move(found);
  }

private:
  struct Surroundings {
    const Stmt *loopStatement = nullptr; ///< with its attributes
    const Stmt *loop = nullptr;
    unsigned depth = 0;
  };

  void visit(const Stmt *statement, Surroundings around) {
    const Stmt *inner = withoutAttributes(statement);
    if (isa<clang::CompoundStmt, clang::SwitchCase, clang::LabelStmt>(inner)) {
      for (const Stmt *child : subStatements(inner))
        visit(child, around);
      return;
    }
    const bool loops = isLoop(inner);
    if (loops)
      add(SelectionKind::Loops, statement, inner, loopKeyword(inner).str(), around, around.depth + 1);
    const bool isHeader = !subStatements(inner).empty();
    Surroundings inside = around;
    if (loops)
      inside = {statement, inner, around.depth + 1};
    if (auto assembly = syncConstruct(inner); assembly && isa<clang::GCCAsmStmt>(inner))
      addSync(*assembly, nullptr, statement, inner, around, isHeader);
    if (isa<clang::Expr>(inner))
      return visitExpression(inner, statement, around, false);
    for (const Stmt *part : headerParts(inner))
      visitExpression(part, statement, loops ? inside : around, isHeader);
    for (const Stmt *child : subStatements(inner))
      visit(child, inside);
  }

  void visitExpression(const Stmt *part, const Stmt *statement, const Surroundings &around, bool isHeader) {
    if (const auto *lambda = dyn_cast<clang::LambdaExpr>(part)) {
      for (const Stmt *capture : lambda->capture_inits())
        if (capture)
          visitExpression(capture, statement, around, isHeader);
      return;
    }
    if (isLoop(part) && !isa<clang::Expr>(part)) {
      Selectable &loop = add(SelectionKind::Loops, part, part, loopKeyword(part).str(), around, around.depth + 1);
      loop.obstacle = "it stands in a statement expression, whose value a region would hide";
    }
    if (const auto *call = dyn_cast<clang::CallExpr>(part))
      visitCall(call, statement, around, isHeader);
    for (const Stmt *child : part->children())
      if (child)
        visitExpression(child, statement, around, isHeader);
  }

  void visitCall(const clang::CallExpr *call, const Stmt *statement, const Surroundings &around, bool isHeader) {
    std::string name = writtenName(call);
    if (name.empty())
      return;
    const std::optional<SyncConstruct> construct = syncConstruct(call);
    const SyncWrapper *wrapper = wrappers.find(call);
    const bool isOfPipeline = construct && construct->operand == SyncOperand::Pipeline;
    if (std::optional<SyncConstruct> copy = copies.construct(call)) {
      addSync(*copy, nullptr, statement, call, around, isHeader);
    } else if (wrapper && !(isOfPipeline && wrapper->source == SyncWrapper::Source::Nothing)) { // the user's own `wait` is known better
      SyncConstruct called = wrapper->construct;
      called.name = name;
      called.isPoll = false;
      addSync(called, wrapper, statement, call, around, isHeader);
    } else if (construct) {
      addSync(*construct, nullptr, statement, call, around, isHeader);
    }
    Selectable &chosen = add(SelectionKind::Calls, statement, call, name, around, 0);
    chosen.qualifiedName = qualifiedCalledName(call);
    if (isHeader)
      chosen.obstacle = kInCondition;
  }

  void addSync(const SyncConstruct &construct, const SyncWrapper *wrapper, const Stmt *statement, const Stmt *at,
               const Surroundings &around, bool isHeader) {
    if (isWrapper || copies.isRecordedByCallers(function.function, construct)) // its callers are timed instead
      return;
    std::optional<SelectionKind> kind;
    if (construct.isWait())
      kind = SelectionKind::Barriers;
    else if (construct.operation == format::SyncOperation::Issue)
      kind = SelectionKind::Async;
    Selectable &chosen = add(kind, statement, at, construct.name, around, 0);
    chosen.construct = construct;
    chosen.wrapper = wrapper;
    const bool waitsInHeader = kind && isHeader && around.loop && around.loop == withoutAttributes(statement);
    const bool isPoll = construct.isPoll || (wrapper && wrapper->isPoll);
    const bool isTriedAgain = around.loop && (isHeader ? isPoll && leavesOn(at, statement, around.loop)
                                                       : construct.isPoll || (isPoll && loopsUntil(at, statement, around.loop)));
    if (isTriedAgain || waitsInHeader) {
      if (work.of(subStatements(around.loop).front()) < kLongestPoll) {
        chosen.statement = around.loopStatement; // all tries together are the wait
        chosen.enclosingLoop = nullptr;
        return;
      }
    }
    if (isHeader)
      chosen.obstacle = kInCondition;
  }

  Selectable &add(std::optional<SelectionKind> kind, const Stmt *statement, const Stmt *at, std::string name, const Surroundings &around,
                  unsigned depth) {
    Selectable selectable;
    selectable.kind = kind;
    selectable.function = function.function;
    selectable.statement = statement;
    selectable.at = at;
    selectable.name = std::move(name);
    selectable.enclosingLoop = around.loopStatement;
    selectable.depth = depth;
    found.push_back(std::move(selectable));
    return found.back();
  }

  static const clang::Expr *conditionOf(const Stmt *loop) {
    if (const auto *each = dyn_cast<clang::ForStmt>(loop))
      return each->getCond();
    if (const auto *each = dyn_cast<clang::WhileStmt>(loop))
      return each->getCond();
    const auto *each = dyn_cast<clang::DoStmt>(loop);
    return each ? each->getCond() : nullptr;
  }

  /// Whether `statement`, in an endless loop's own block, leaves the loop where the call says so.
  static bool leavesOn(const Stmt *call, const Stmt *statement, const Stmt *loop) {
    const auto *branch = dyn_cast<clang::IfStmt>(statement);
    const auto isNumber = [](const clang::Expr *condition) {
      return isa<clang::CXXBoolLiteralExpr, clang::IntegerLiteral>(condition->IgnoreImplicit());
    };
    const clang::Expr *condition = conditionOf(loop);
    if (!branch || branch->getElse() || (condition ? !isNumber(condition) : !isa<clang::ForStmt>(loop)))
      return false;
    const Stmt *body = subStatements(loop).front();
    const auto *block = dyn_cast<clang::CompoundStmt>(body);
    const auto *taken = dyn_cast<clang::CompoundStmt>(branch->getThen());
    return (block ? is_contained(block->body(), statement) : body == statement) &&
           branch->getCond()->IgnoreImplicit()->IgnoreParens() == call &&
           isa<clang::BreakStmt>(taken && taken->size() == 1 ? taken->body_front() : branch->getThen());
  }

  /// Whether the loop goes on by a variable that the statement gives the call's result.
  static bool loopsUntil(const Stmt *call, const Stmt *statement, const Stmt *loop) {
    const auto *assignment = dyn_cast<clang::BinaryOperator>(statement);
    const clang::Expr *condition = conditionOf(loop);
    if (!condition || !assignment || assignment->getOpcode() != clang::BO_Assign || assignment->getRHS()->IgnoreParenCasts() != call)
      return false;
    condition = condition->IgnoreParenCasts();
    if (const auto *negation = dyn_cast<clang::UnaryOperator>(condition); negation && negation->getOpcode() == clang::UO_LNot)
      condition = negation->getSubExpr()->IgnoreParenCasts();
    const auto *given = dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens()),
               *asked = dyn_cast<clang::DeclRefExpr>(condition);
    return given && asked && given->getDecl() == asked->getDecl();
  }

  static constexpr const char *kInCondition = "it is part of the head of a branch or loop, which has no statement of its "
                                              "own there";
  static constexpr unsigned kLongestPoll = 32; ///< operations of a loop that does nothing but wait

  const FunctionBody &function;
  const SyncWrappers &wrappers;
  const BarrierCopies &copies;
  const WorkEstimate &work;
  bool isWrapper;
  std::vector<Selectable> found;
};

const Stmt *findOwn(const Stmt *statement, const Stmt *part);

bool holds(const Stmt *tree, const Stmt *part) {
  if (tree == part)
    return true;
  if (isa<clang::LambdaExpr, clang::StmtExpr>(tree))
    return false;
  return any_of(tree->children(), [&](const Stmt *child) { return child && holds(child, part); });
}

const Stmt *findOwn(const Stmt *statement, const Stmt *part) {
  const Stmt *inner = withoutAttributes(statement);
  if (statement == part || inner == part)
    return statement;
  SmallVector<const Stmt *, 4> own = subStatements(inner);
  for (const Stmt *child : own)
    if (const Stmt *found = findOwn(child, part))
      return found;
  const bool hasHead = !own.empty() || isa<clang::CompoundStmt>(inner);
  return !hasHead && holds(inner, part) ? statement : nullptr;
}

} // namespace

namespace {

struct Selectables {
  Selectables(const clang::FunctionDecl *function, const TranslationUnit &unit, const Stmt *body)
      : all(SelectableWalk(unit, {function, body}).run()) {}
  const std::vector<Selectable> all;
};

} // namespace

const std::vector<Selectable> &selectablesOf(const TranslationUnit &unit, const FunctionBody &function) {
  return unit.analyses.get<Selectables>(function.function, unit, function.body).all;
}

const Stmt *ownStatementOf(const Stmt *body, const Stmt *part) { return findOwn(body, part); }

} // namespace kperf
