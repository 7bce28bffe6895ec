// Finds code that relies on the lanes of a warp running in step.
#include "rewriters/analysis/Lockstep.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace llvm;

namespace kperf {

namespace {

/// array[index] = … array[index + distance] …
struct LaneRead {
  const clang::ValueDecl *array;
  const clang::Expr *distance;
  clang::SourceLocation place;
  bool isSwap = false; ///< both lanes write what the other one reads
};

bool isSame(const clang::Expr *one, const clang::Expr *other, const clang::ASTContext &context) {
  FoldingSetNodeID first, second;
  one->IgnoreParenImpCasts()->Profile(first, context, /*Canonical=*/true);
  other->IgnoreParenImpCasts()->Profile(second, context, /*Canonical=*/true);
  return first == second;
}

const clang::ValueDecl *variableOf(const clang::Expr *expression) {
  const auto *reference = dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference ? reference->getDecl() : nullptr;
}

/// What all lanes of a block can see, by its declaration: shared, or volatile, as such code has to have it.
bool isExchanged(const clang::ValueDecl *array) {
  const clang::QualType type = array->getType();
  const clang::QualType element = type->isPointerType()         ? type->getPointeeType()
                                  : isa<clang::ArrayType>(type) ? cast<clang::ArrayType>(type)->getElementType()
                                                                : type;
  return array->hasAttr<clang::CUDASharedAttr>() || element.isVolatileQualified();
}

/// threadIdx.x, or a variable that begins with it.
bool isOfThread(const clang::Expr *index) {
  index = index->IgnoreParenImpCasts();
  if (const auto *variable = dyn_cast_or_null<clang::VarDecl>(variableOf(index)); variable && variable->getInit())
    index = variable->getInit()->IgnoreParenImpCasts();
  const auto *member = dyn_cast<clang::MemberExpr>(index);
  const clang::ValueDecl *builtin = member ? variableOf(member->getBase()) : nullptr;
  return builtin && builtin->getIdentifier() && builtin->getName() == "threadIdx";
}

/// What one statement does: what it reads of other lanes, and whether it calls anything else, which may be to wait.
class StatementReads {
public:
  StatementReads(const clang::Stmt *statement, const clang::ASTContext &context) : context(context) { visit(statement); }

  const LaneRead *only() const { return !callsOthers && reads.size() == 1 ? &reads.front() : nullptr; }
  ArrayRef<LaneRead> all() const { return reads; }

private:
  void visit(const clang::Stmt *statement) {
    if (!statement)
      return;
    const auto [place, value] = assignment(statement);
    if (const auto *written = place ? dyn_cast<clang::ArraySubscriptExpr>(place->IgnoreParenImpCasts()) : nullptr;
        written && findRead(value, *written))
      return;
    callsOthers |= isa<clang::CallExpr, clang::AsmStmt>(statement);
    for (const clang::Stmt *child : statement->children())
      visit(child);
  }

  /// What is assigned to, and what; of types with operators of their own, too.
  static std::pair<const clang::Expr *, const clang::Expr *> assignment(const clang::Stmt *statement) {
    if (const auto *binary = dyn_cast<clang::BinaryOperator>(statement); binary && binary->isAssignmentOp())
      return {binary->getLHS(), binary->getRHS()};
    if (const auto *call = dyn_cast<clang::CXXOperatorCallExpr>(statement); call && call->isAssignmentOp() && call->getNumArgs() == 2)
      return {call->getArg(0), call->getArg(1)};
    return {};
  }

  bool findRead(const clang::Stmt *in, const clang::ArraySubscriptExpr &written) {
    const clang::ValueDecl *array = variableOf(written.getBase());
    if (!in || !array || isa<clang::IntegerLiteral>(written.getIdx()->IgnoreParenImpCasts()))
      return false;
    if (const auto *read = dyn_cast<clang::ArraySubscriptExpr>(in); read && variableOf(read->getBase()) == array)
      if (const auto *index = dyn_cast<clang::BinaryOperator>(read->getIdx()->IgnoreParenImpCasts());
          index && (index->isAdditiveOp() || index->getOpcode() == clang::BO_Xor) && isSame(index->getLHS(), written.getIdx(), context)) {
        reads.push_back({array, index->getRHS()->IgnoreParenImpCasts(), read->getBeginLoc(),
                         index->getOpcode() == clang::BO_Xor && isOfThread(written.getIdx())});
        return true;
      }
    return any_of(in->children(), [&](const clang::Stmt *child) { return findRead(child, written); });
  }

  const clang::ASTContext &context;
  std::vector<LaneRead> reads;
  bool callsOthers = false;
};

class LockstepFinder {
public:
  explicit LockstepFinder(const clang::ASTContext &context) : context(context) {}

  void visit(const clang::Stmt *statement) {
    if (!statement)
      return;
    if (const auto *loop = dyn_cast<clang::ForStmt>(statement))
      visitLoop(*loop);
    if (const auto *compound = dyn_cast<clang::CompoundStmt>(statement))
      visitCompound(*compound);
    for (const clang::Stmt *child : statement->children())
      visit(child);
  }

  std::vector<clang::SourceLocation> places;

private:
  std::optional<std::int64_t> constant(const clang::Expr *expression) const {
    clang::Expr::EvalResult value;
    if (expression->isValueDependent() || !expression->EvaluateAsInt(value, context))
      return std::nullopt;
    return value.Val.getInt().getExtValue();
  }

  void visitCompound(const clang::CompoundStmt &compound) {
    std::optional<LaneRead> before;
    const clang::ValueDecl *limit = nullptr; // up to 16 or 32 of it no lane waits
    bool isSaid = false;
    for (const clang::Stmt *statement : compound.body()) {
      const StatementReads reads(statement, context);
      const LaneRead *read = reads.only();
      const std::optional<std::int64_t> distance = read && isExchanged(read->array) ? constant(read->distance) : std::nullopt;
      const bool follows = before && distance && *distance <= 16 && before->array == read->array && constant(before->distance) != distance;
      const bool isSwap = read && read->isSwap && isa<clang::Expr>(statement);
      if (!isSaid &&
          (follows || isSwap || any_of(reads.all(), [&](const LaneRead &each) { return limit && variableOf(each.distance) == limit; }))) {
        places.push_back(reads.all().front().place);
        isSaid = true;
      }
      before = distance ? std::optional(*read) : std::nullopt;
      limit = limitOfBarrier(statement);
    }
  }

  /// Of a loop over distances that are halved or doubled.
  void visitLoop(const clang::ForStmt &loop) {
    const auto *step = dyn_cast_or_null<clang::BinaryOperator>(loop.getInc());
    if (!step || !step->isAssignmentOp())
      return;
    const clang::ValueDecl *distance = variableOf(step->getLHS());
    clang::BinaryOperatorKind kind = step->getOpcode();
    if (kind == clang::BO_Assign)
      if (const auto *value = dyn_cast<clang::BinaryOperator>(step->getRHS()->IgnoreParenImpCasts());
          value && variableOf(value->getLHS()) == distance)
        kind = value->getOpcode();
    if (!distance || !is_contained({clang::BO_DivAssign, clang::BO_ShrAssign, clang::BO_MulAssign, clang::BO_ShlAssign, clang::BO_Div,
                                    clang::BO_Shr, clang::BO_Mul, clang::BO_Shl},
                                   kind))
      return;
    const StatementReads reads(loop.getBody(), context);
    if (const LaneRead *read = reads.only(); read && isExchanged(read->array) && variableOf(read->distance) == distance)
      places.push_back(read->place);
  }

  /// The variable of `if (variable > 16) __syncthreads();`.
  const clang::ValueDecl *limitOfBarrier(const clang::Stmt *statement) const {
    const auto *branch = dyn_cast<clang::IfStmt>(statement);
    const auto *condition =
        branch && !branch->getElse() ? dyn_cast<clang::BinaryOperator>(branch->getCond()->IgnoreParenImpCasts()) : nullptr;
    if (!condition || (condition->getOpcode() != clang::BO_GT && condition->getOpcode() != clang::BO_GE))
      return nullptr;
    const clang::Stmt *then = branch->getThen();
    if (const auto *braces = dyn_cast<clang::CompoundStmt>(then); braces && braces->size() == 1)
      then = braces->body_front();
    const auto *call = dyn_cast<clang::CallExpr>(then);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    const std::optional<std::int64_t> lanes = constant(condition->getRHS());
    return callee && callee->getIdentifier() && callee->getName() == "__syncthreads" && lanes && *lanes >= 16 && *lanes <= 64
               ? variableOf(condition->getLHS())
               : nullptr;
  }

  const clang::ASTContext &context;
};

} // namespace

std::vector<clang::SourceLocation> readsInLockstep(const clang::FunctionDecl *function) {
  if (!function->doesThisDeclarationHaveABody() ||
      !(function->hasAttr<clang::CUDAGlobalAttr>() || function->hasAttr<clang::CUDADeviceAttr>()))
    return {};
  LockstepFinder finder(function->getASTContext());
  finder.visit(function->getBody());
  return std::move(finder.places);
}

} // namespace kperf
