// Looks at the arguments of `with`, and at all that makes or takes what it gives.
#include "rewriters/construct/BarrierCopies.h"

#include "rewriters/construct/SideEffects.h"
#include "rewriters/unit/FunctionBodies.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::CallExpr;
using clang::Expr;

namespace kperf {

namespace {

constexpr llvm::StringLiteral kCopy = "copy", kPrefetch = "prefetch", kUnpack = "copy_unpack", kWith = "with";

const CallExpr *asWith(const Expr *expression) {
  const auto *made = expression ? dyn_cast<CallExpr>(expression->IgnoreImplicit()->IgnoreParens()) : nullptr;
  return made && isMemberCall(made) && writtenName(made) == kWith ? made : nullptr;
}

/// The local variable that an expression names.
const clang::VarDecl *localNamedBy(const Expr *expression) {
  const auto *reference = dyn_cast<clang::DeclRefExpr>(expression->IgnoreImplicit()->IgnoreParens());
  const auto *variable = reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->isLocalVarDecl() ? variable : nullptr;
}

/// The call of a member `with` that is a call's first argument, or what the variable begins as that is.
const CallExpr *withOf(const CallExpr *call) {
  if (isMemberCall(call) || call->getNumArgs() == 0)
    return nullptr;
  const clang::VarDecl *variable = localNamedBy(call->getArg(0));
  return asWith(variable ? variable->getInit() : call->getArg(0));
}

std::string nameIn(const Expr *expression) {
  if (const auto *reference = dyn_cast<clang::DeclRefExpr>(expression))
    return reference->getNameInfo().getAsString();
  if (const auto *member = dyn_cast<clang::MemberExpr>(expression))
    return member->getMemberNameInfo().getAsString();
  const auto *member = dyn_cast<clang::CXXDependentScopeMemberExpr>(expression);
  return member ? member->getMemberNameInfo().getAsString() : "";
}

/// Whether it is of 64 bits without a sign, as an mbarrier is.
bool isWord(clang::QualType type) {
  return type->isSpecificBuiltinType(clang::BuiltinType::ULong) || type->isSpecificBuiltinType(clang::BuiltinType::ULongLong);
}

/// Whether an argument of `with` is its barrier: an object of 64 bits, or, where only an instantiation knows types, what a pointer points
/// to, what is cast to a reference, or what is called one.
bool isBarrierArgument(const Expr *argument) {
  argument = argument->IgnoreImplicit()->IgnoreParens();
  const clang::QualType type = argument->getType();
  if (!type->isDependentType())
    return argument->isLValue() && isWord(type);
  if (const auto *unary = dyn_cast<clang::UnaryOperator>(argument))
    return unary->getOpcode() == clang::UO_Deref;
  if (const auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(argument))
    return operation->getOperator() == clang::OO_Star && operation->getNumArgs() == 1;
  if (const auto *cast = dyn_cast<clang::ExplicitCastExpr>(argument))
    return cast->getTypeAsWritten()->isReferenceType();
  return StringRef(nameIn(argument)).contains_insensitive("bar");
}

/// A static function `copy` of a class that is given the address of a barrier, as CuTe's operations are.
bool isOperation(const clang::FunctionDecl *function) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(function);
  const auto takesBarrier = [](const clang::ParmVarDecl *parameter) {
    const clang::QualType type = parameter->getType();
    return type->isPointerType() && isWord(type->getPointeeType());
  };
  return method && method->isStatic() && method->getIdentifier() && method->getName() == kCopy &&
         any_of(method->parameters(), takesBarrier);
}

const Expr *barrierIn(const CallExpr *with) {
  const auto found = find_if(with->arguments(), isBarrierArgument);
  return found == with->arguments().end() ? nullptr : *found;
}

bool isNamed(const clang::FunctionDecl *function, StringRef name) { return function->getIdentifier() && function->getName() == name; }

/// Looks for copies in a function, and for some of which the barrier isn't known where they are written.
class CopySearch {
public:
  /// What CuTe makes copies of is not looked at.
  explicit CopySearch(const FunctionBody &body) : body(body.body) {
    isUnknownThere =
        !isNamed(body.function, kCopy) && !isNamed(body.function, kWith) && !isNamed(body.function, kUnpack) && isIn(body.body);
  }

  bool isUnknownThere = false, isCopyThere = false;

private:
  bool isIn(const clang::Stmt *statement) {
    return isOne(statement) || any_of(statement->children(), [&](const clang::Stmt *child) { return child && isIn(child); });
  }

  bool isOne(const clang::Stmt *statement) {
    if (const auto *declaration = dyn_cast<clang::DeclStmt>(statement))
      return any_of(declaration->decls(), [&](const clang::Decl *each) { return isUnsure(dyn_cast<clang::VarDecl>(each)); });
    if (const auto *reference = dyn_cast<clang::DeclRefExpr>(statement))
      return variables.contains(reference->getDecl()) && !known.contains(reference);
    const auto *call = dyn_cast<CallExpr>(statement);
    if (!call)
      return false;
    if (withOf(call)) {
      const Expr *first = call->getArg(0)->IgnoreImplicit()->IgnoreParens(), *barrier = barrierOfCopy(call);
      if (barrier || writtenName(call) == kPrefetch)
        known.insert(first);
      isCopyThere |= barrier != nullptr;
      return barrier && !onlyReads(barrier);
    }
    if (const CallExpr *with = asWith(call))
      return !known.contains(with) && barrierIn(with);
    const clang::FunctionDecl *callee = isMemberCall(call) ? nullptr : call->getDirectCallee();
    return callee && isOperation(callee);
  }

  /// A variable that is copied with later: its barrier has to be the same there.
  bool isUnsure(const clang::VarDecl *variable) {
    const CallExpr *with = variable && variable->isLocalVarDecl() ? asWith(variable->getInit()) : nullptr;
    const Expr *barrier = with ? barrierIn(with) : nullptr;
    if (!barrier)
      return false;
    variables.insert(variable);
    known.insert(with);
    return mayChange(barrier);
  }

  /// Whether a variable that the expression names is assigned to anywhere.
  bool mayChange(const clang::Stmt *expression) const {
    const auto *reference = dyn_cast<clang::DeclRefExpr>(expression);
    return (reference && mayAssign(body, reference->getDecl())) ||
           any_of(expression->children(), [&](const clang::Stmt *child) { return child && mayChange(child); });
  }

  const clang::Stmt *body;
  DenseSet<const Expr *> known;                 ///< calls of `with` and names of `variables` of which it is known what is copied with them
  DenseSet<const clang::ValueDecl *> variables; ///< that begin as what `with` gives
};

} // namespace

const Expr *barrierOfCopy(const CallExpr *call) {
  const CallExpr *with = writtenName(call) == kCopy ? withOf(call) : nullptr;
  return with ? barrierIn(with) : nullptr;
}

BarrierCopies::BarrierCopies(const TranslationUnit &unit) {
  bool isUnknownThere = false;
  for (const FunctionBody &body : deviceBodies(unit)) {
    const CopySearch search(body);
    areKnown |= search.isCopyThere;
    isUnknownThere |= search.isUnknownThere;
  }
  areKnown &= !isUnknownThere;
}

std::optional<SyncConstruct> BarrierCopies::construct(const CallExpr *call) const {
  if (!areKnown || !barrierOfCopy(call))
    return std::nullopt;
  return SyncConstruct{.name = kCopy.str(),
                       .operation = format::SyncOperation::Issue,
                       .object = format::SyncObject::SharedBarrier,
                       .operand = SyncOperand::With};
}

bool BarrierCopies::isRecordedByCallers(const clang::FunctionDecl *function, const SyncConstruct &construct) const {
  return areKnown && construct.operation == format::SyncOperation::Issue && construct.object == format::SyncObject::SharedBarrier &&
         (isOperation(function) || isNamed(function, kUnpack));
}

} // namespace kperf
