// Counts operations of statements.
#include "rewriters/analysis/WorkEstimate.h"

#include "rewriters/analysis/Callees.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace llvm;
using namespace clang;

namespace kperf {

static unsigned add(unsigned left, unsigned right) { return std::min(left + right, WorkEstimate::kMany); }

static unsigned multiply(std::uint64_t left, std::uint64_t right) {
  return static_cast<unsigned>(std::min<std::uint64_t>(left * right, WorkEstimate::kMany));
}

static bool isOperation(const Stmt *statement) {
  if (const auto *binary = dyn_cast<BinaryOperator>(statement))
    return binary->getOpcode() != BO_Comma;
  if (const auto *unary = dyn_cast<UnaryOperator>(statement))
    return unary->getOpcode() != UO_AddrOf && unary->getOpcode() != UO_Plus && unary->getOpcode() != UO_Extension;
  return isa<ArraySubscriptExpr, ConditionalOperator>(statement);
}

namespace {

struct LoopStatement {
  const Stmt *loop = nullptr; ///< null: the statement is none
  bool isUnrolled = false;    ///< by `#pragma unroll`, as a whole
};

/// Of a statement with its attributes.
LoopStatement readLoopStatement(const Stmt *statement) {
  LoopStatement out;
  if (const auto *attributed = dyn_cast<AttributedStmt>(statement)) {
    statement = attributed->getSubStmt();
    for (const Attr *attribute : attributed->getAttrs())
      if (const auto *hint = dyn_cast<LoopHintAttr>(attribute))
        out.isUnrolled = hint->getOption() == LoopHintAttr::Unroll && hint->getState() != LoopHintAttr::Disable;
  }
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement))
    out.loop = statement;
  return out;
}

} // namespace

unsigned WorkEstimate::of(const Stmt *statement, const Stmt *without) const {
  if (!statement || statement == without || isa<LambdaExpr>(statement))
    return 0;
  if (const LoopStatement read = readLoopStatement(statement); read.loop)
    return ofLoop(read.loop, read.isUnrolled, without);
  if (const auto *branch = dyn_cast<IfStmt>(statement))
    return add(add(of(branch->getInit()), of(branch->getCond())), std::max(of(branch->getThen(), without), of(branch->getElse(), without)));
  if (isa<GCCAsmStmt>(statement))
    return 8;
  unsigned total = isOperation(statement) ? 1 : 0;
  if (const auto *call = dyn_cast<CallExpr>(statement))
    total = ofCall(call);
  if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *declared : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declared))
        total = add(total, of(variable->getInit()));
    return total;
  }
  if (const auto *pseudo = dyn_cast<PseudoObjectExpr>(statement)) // threadIdx.x
    return of(pseudo->getSyntacticForm());
  for (const Stmt *child : statement->children())
    total = add(total, of(child, without));
  return total;
}

static std::optional<std::int64_t> constantOf(const Expr *expression, const ASTContext &context) {
  Expr::EvalResult result;
  if (!expression || expression->isValueDependent() || expression->isTypeDependent() || expression->containsErrors() ||
      !expression->EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().isSignedIntN(48) ? std::optional(result.Val.getInt().getExtValue()) : std::nullopt;
}

/// Whether the loop goes on is asked of something that an instantiation has as a constant, or may have.
static bool hasDependentBound(const ForStmt *loop) { return loop->getCond() && loop->getCond()->isValueDependent(); }

/// Whether the expression is made of constants, some of them a template's, and of `index`. `depth`: of constants made of constants, for one
/// may be made of itself.
static bool isConstantOfInstance(const Expr *expression, const VarDecl *index, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 16;
  expression = expression->IgnoreParenImpCasts();
  if (const auto *binary = dyn_cast<BinaryOperator>(expression))
    return !binary->isAssignmentOp() && isConstantOfInstance(binary->getLHS(), index, depth) &&
           isConstantOfInstance(binary->getRHS(), index, depth);
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    const bool isConstant = variable && variable->getInit() && variable->getType().isConstQualified() && !isa<ParmVarDecl>(variable);
    return isa<NonTypeTemplateParmDecl, EnumConstantDecl>(reference->getDecl()) || (variable && variable == index) ||
           (isConstant &&
            (variable->isConstexpr() || (depth < kMaxDepth && isConstantOfInstance(variable->getInit(), nullptr, depth + 1))));
  }
  return isa<IntegerLiteral>(expression);
}

/// Whether its bounds are constants of an instantiation's. Its step, which is one too where a loop goes over a tile, is not looked at.
static bool isOfInstance(const ForStmt *loop) {
  const auto *declaration = dyn_cast_or_null<DeclStmt>(loop->getInit());
  const auto *index = declaration && declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
  return index && index->getInit() && loop->getInc() && hasDependentBound(loop) && isConstantOfInstance(index->getInit(), nullptr) &&
         isConstantOfInstance(loop->getCond(), index);
}

unsigned WorkEstimate::ofLoop(const Stmt *loop, bool isUnrolled, const Stmt *without) const {
  if (const auto *block = dyn_cast<DoStmt>(loop); block && constantOf(block->getCond(), context) == 0) // of a macro
    return of(block->getBody(), without);
  const auto *counted = dyn_cast<ForStmt>(loop);
  if (!counted)
    return kMany;
  std::optional<unsigned> count = tripCount(counted);
  if (!count && (isOfInstance(counted) || (isUnrolled && hasDependentBound(counted))))
    count = kFewPasses;
  return count ? add(of(counted->getInit()), multiply(*count, of(counted->getBody(), without))) : kMany;
}

bool WorkEstimate::isUnrolled(const Stmt *statement) const {
  const LoopStatement read = readLoopStatement(statement);
  const auto *counted = dyn_cast_or_null<ForStmt>(read.loop);
  return counted && read.isUnrolled && (hasDependentBound(counted) || tripCount(counted));
}

/// A function of a name that is found in a template, or a variable's lambda, whose call only an instantiation resolves; the longest of
/// several. Nothing where there is none.
std::optional<unsigned> WorkEstimate::ofPattern(const Expr *callee) const {
  callee = callee->IgnoreParenImpCasts();
  if (const auto *reference = dyn_cast<DeclRefExpr>(callee)) {
    const LambdaExpr *lambda = lambdaIn(reference->getDecl());
    return lambda ? std::optional(ofFunction(lambda->getCallOperator())) : std::nullopt;
  }
  std::optional<unsigned> longest;
  if (const auto *lookup = dyn_cast<OverloadExpr>(callee))
    for (const NamedDecl *found : lookup->decls())
      if (const FunctionDecl *function = found->getUnderlyingDecl()->getAsFunction())
        longest = std::max(longest.value_or(0), ofFunction(function));
  return longest;
}

static StringRef calleeName(const CallExpr *call) {
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto *lookup = dyn_cast<OverloadExpr>(callee); lookup && lookup->getName().isIdentifier())
    return lookup->getName().getAsIdentifierInfo()->getName();
  return {};
}

unsigned WorkEstimate::ofCall(const CallExpr *call) const {
  if (const FunctionDecl *function = call->getDirectCallee())
    return ofFunction(function);
  if (isa<CXXOperatorCallExpr>(call)) // of a type that only instantiation knows
    return 1;
  if (const std::optional<unsigned> pattern = ofPattern(call->getCallee()))
    return *pattern;
  return calleeName(call).starts_with("__") ? 8 : kMany;
}

unsigned WorkEstimate::ofFunction(const FunctionDecl *function) const {
  const SourceManager &sources = context.getSourceManager();
  if (function->getBuiltinID() || sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()))) {
    const IdentifierInfo *name = function->getIdentifier();
    bool isLibrary = name && !name->getName().starts_with("__") && isa<NamespaceDecl>(function->getDeclContext());
    return isLibrary ? kMany : 8;
  }
  if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
    function = pattern;
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition))
    return kMany;
  auto [known, isNew] = functions.try_emplace(definition, kMany);
  if (!isNew)
    return known->second;
  unsigned total = of(definition->getBody());
  return functions[definition] = total;
}

namespace {

/// `index = first; index < last; index += step` with every number known.
struct CountedLoop {
  const VarDecl *index = nullptr;
  std::int64_t first = 0, last = 0, step = 0;
  BinaryOperatorKind test = BO_LT, change = BO_Add;

  bool goesOn(std::int64_t value) const {
    switch (test) {
    case BO_LT:
      return value < last;
    case BO_LE:
      return value <= last;
    case BO_GT:
      return value > last;
    case BO_GE:
      return value >= last;
    default:
      return value != last;
    }
  }

  std::int64_t next(std::int64_t value) const {
    switch (change) {
    case BO_Add:
      return value + step;
    case BO_Sub:
      return value - step;
    case BO_Mul:
      return value * step;
    case BO_Div:
      return step ? value / step : value;
    case BO_Shl:
      return step >= 0 && step < 32 ? value << step : value;
    default:
      return step >= 0 && step < 64 ? value >> step : value;
    }
  }
};

bool isIndex(const Expr *expression, const VarDecl *index) {
  const auto *reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference && reference->getDecl() == index;
}

bool readChange(const Expr *increment, const ASTContext &context, CountedLoop &loop) {
  increment = increment->IgnoreParenImpCasts();
  if (const auto *unary = dyn_cast<UnaryOperator>(increment)) {
    loop.step = 1;
    loop.change = unary->isIncrementOp() ? BO_Add : BO_Sub;
    return unary->isIncrementDecrementOp() && isIndex(unary->getSubExpr(), loop.index);
  }
  const auto *assignment = dyn_cast<CompoundAssignOperator>(increment);
  if (!assignment || !isIndex(assignment->getLHS(), loop.index))
    return false;
  std::optional<std::int64_t> step = constantOf(assignment->getRHS(), context);
  loop.change = BinaryOperator::getOpForCompoundAssignment(assignment->getOpcode());
  loop.step = step.value_or(0);
  return step && is_contained({BO_Add, BO_Sub, BO_Mul, BO_Div, BO_Shl, BO_Shr}, loop.change);
}

std::optional<CountedLoop> readLoop(const ForStmt *statement, const ASTContext &context) {
  const auto *declaration = dyn_cast_or_null<DeclStmt>(statement->getInit());
  const auto *test = dyn_cast_or_null<BinaryOperator>(statement->getCond());
  if (!declaration || !declaration->isSingleDecl() || !test || !statement->getInc())
    return std::nullopt;
  CountedLoop loop;
  loop.index = dyn_cast<VarDecl>(declaration->getSingleDecl());
  if (!loop.index || !isIndex(test->getLHS(), loop.index) || !(test->isRelationalOp() || test->getOpcode() == BO_NE))
    return std::nullopt;
  loop.test = test->getOpcode();
  std::optional<std::int64_t> first = constantOf(loop.index->getInit(), context), last = constantOf(test->getRHS(), context);
  if (!first || !last || !readChange(statement->getInc(), context, loop))
    return std::nullopt;
  loop.first = *first;
  loop.last = *last;
  return loop;
}

} // namespace

std::optional<unsigned> WorkEstimate::tripCount(const ForStmt *statement) const {
  std::optional<CountedLoop> loop = readLoop(statement, context);
  if (!loop)
    return std::nullopt;
  unsigned count = 0;
  for (std::int64_t value = loop->first; loop->goesOn(value); value = loop->next(value))
    if (++count > 1024)
      return std::nullopt;
  return count;
}

} // namespace kperf
