// Walks a function's body top-down; each expression is visited with what its parent does with its value.
#include "rewriters/access/AccessFinder.h"

#include "rewriters/access/AccessSize.h"
#include "rewriters/access/AsmOperands.h"
#include "rewriters/access/AtomicAccess.h"
#include "rewriters/access/GlvalueOperands.h"
#include "rewriters/access/ImplicitAccess.h"
#include "rewriters/access/Use.h"
#include "rewriters/analysis/MemoryIntrinsics.h"
#include "rewriters/analysis/OpenPointer.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;
using kperf::format::SiteKind;

namespace kperf {
namespace {

class AccessFinder {
public:
  AccessFinder(const ASTContext &context, const PointerOrigins &origins, const FunctionDecl *function)
      : context(context), origins(origins), function(function) {}

  std::vector<Access> found;

  void statement(const Stmt *node) {
    if (!node)
      return;
    if (const auto *expression = dyn_cast<Expr>(node))
      return visit(expression, Use::None);
    if (const auto *declaration = dyn_cast<DeclStmt>(node)) {
      for (const Decl *declared : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared); variable && variable->getInit())
          initialiser(variable);
      return;
    }
    if (const auto *assembly = dyn_cast<GCCAsmStmt>(node))
      return this->assembly(assembly);
    if (const auto *loop = dyn_cast<CXXForRangeStmt>(node))
      return rangeLoop(loop);
    const bool isReturn = isa<ReturnStmt>(node);
    const bool readsExpressions = isa<IfStmt, WhileStmt, DoStmt, SwitchStmt>(node) || (isReturn && returnsValue(function));
    const auto *loop = dyn_cast<ForStmt>(node);
    for (const Stmt *child : node->children()) {
      const auto *expression = dyn_cast_or_null<Expr>(child);
      if (expression && (readsExpressions || (loop && child == loop->getCond())))
        visit(expression, readIn(expression));
      else
        statement(child);
    }
  }

  /// What a constructor's head says, and what the members' declarations say where it says nothing.
  void initialisers(const CXXConstructorDecl *constructor) {
    for (const CXXCtorInitializer *each : constructor->inits()) {
      const bool bindsReference = each->isAnyMemberInitializer() && each->getAnyMember()->getType()->isReferenceType();
      if (each->isWritten() || isa<CXXDefaultInitExpr>(each->getInit()))
        visit(each->getInit(), bindsReference ? Use::None : readIn(each->getInit()));
    }
  }

private:
  void add(std::optional<Access> access) {
    if (access)
      found.push_back(std::move(*access));
  }

  /// What is evaluated here and stands elsewhere, where other code evaluates it too.
  void elsewhere(const Expr *node) {
    const auto *argument = dyn_cast<CXXDefaultArgExpr>(node);
    if (argument && argument->getParam()->hasUninstantiatedDefaultArg())
      return;
    const std::size_t known = found.size();
    const Expr *value = argument ? argument->getExpr() : cast<CXXDefaultInitExpr>(node)->getExpr();
    visit(value, readIn(value));
    for (Access &access : MutableArrayRef(found).drop_front(known))
      if (access.reason.empty())
        access.reason =
            argument ? "a default argument, which other calls evaluate too" : "a member's default initialiser, which host code may run";
  }

  /// What its text says; the iterators that Clang adds have none, though the reads through them stand where its colon
  /// does.
  void rangeLoop(const CXXForRangeStmt *loop) {
    statement(loop->getInit());
    visit(loop->getRangeInit(), Use::None);
    add(readOfElements(origins, loop));
    statement(loop->getBody());
  }

  void assembly(const GCCAsmStmt *node) {
    const unsigned outputs = node->getNumOutputs();
    for (Access &access : asmAccesses(node, origins)) {
      checkOperands(access, context);
      found.push_back(std::move(access));
    }
    for (unsigned index = 0; index < outputs; ++index)
      visit(node->getOutputExpr(index), node->isOutputPlusConstraint(index) ? Use::Update : Use::Store);
    for (unsigned index = 0; index < node->getNumInputs(); ++index)
      visit(node->getInputExpr(index), node->getInputConstraint(index) == "m" ? Use::None : readIn(node->getInputExpr(index)));
  }

  void initialiser(const VarDecl *variable) {
    QualType type = variable->getType();
    const AutoType *deduced = type->getContainedAutoType();
    if (variable->isConstexpr())
      return;
    if (type->isReferenceType() || (deduced && deduced->isDecltypeAuto()))
      return visit(variable->getInit(), Use::None);
    const bool isOpen = type->isInstantiationDependentType() || type->isUndeducedType();
    if (isOpen && isa<ParenListExpr, InitListExpr>(variable->getInit()))
      return openConstruct(type, variable->getInit());
    visit(variable->getInit(), isOpen ? Use::Value : readIn(variable->getInit()));
  }

  void children(const Stmt *node, Use use) {
    for (const Stmt *child : node->children())
      if (const auto *expression = dyn_cast_or_null<Expr>(child))
        visit(expression, use);
      else
        statement(child);
  }

  void visit(const Expr *node, Use use) {
    if (!node || isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, TypeTraitExpr, RequiresExpr, ConceptSpecializationExpr,
                     ConstantExpr, PseudoObjectExpr, MSPropertyRefExpr>(node))
      return;
    if (const auto *lambda = dyn_cast<LambdaExpr>(node))
      return captures(lambda);
    if (isa<CXXDefaultArgExpr, CXXDefaultInitExpr>(node))
      return elsewhere(node);
    if (const auto *cast = dyn_cast<ImplicitCastExpr>(node))
      return implicitCast(cast, use);
    if (const auto *cast = dyn_cast<ExplicitCastExpr>(node))
      return explicitCast(cast, use);
    if (const auto *operation = dyn_cast<UnaryOperator>(node))
      return unary(operation, use);
    if (const auto *operation = dyn_cast<BinaryOperator>(node))
      return binary(operation, use);
    if (isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr, CXXDependentScopeMemberExpr, ExtVectorElementExpr>(node))
      return glvalue(node, use);
    if (const auto *call = dyn_cast<CallExpr>(node))
      if (const Expr *same = castArgument(call))
        return visit(same, use);
    if (const auto *call = dyn_cast<CallExpr>(node); call && use != Use::None && PointerOrigins::givesReference(call))
      access(node, use);
    if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(node))
      return PointerOrigins::isDereference(operation) ? glvalue(node, use) : operatorCall(operation);
    if (const auto *call = dyn_cast<CallExpr>(node))
      return this->call(call);
    if (const auto *atomic = dyn_cast<AtomicExpr>(node))
      return atomicOperation(atomic);
    if (const auto *construction = dyn_cast<CXXConstructExpr>(node))
      return construct(construction);
    if (isa<ParenExpr, ExprWithCleanups, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(node))
      return children(node, use);
    if (const auto *choice = dyn_cast<ConditionalOperator>(node)) {
      visit(choice->getCond(), readIn(node));
      visit(choice->getTrueExpr(), use);
      return visit(choice->getFalseExpr(), use);
    }
    if (const auto *choice = dyn_cast<BinaryConditionalOperator>(node)) {
      visit(choice->getCommon(), choice->getCommon()->isGLValue() ? Use::Load : readIn(node));
      return visit(choice->getFalseExpr(), use);
    }
    if (const auto *copy = dyn_cast<ArrayInitLoopExpr>(node))
      return visit(copy->getCommonExpr()->getSourceExpr(), Use::Load);
    if (const auto *made = dyn_cast<CXXNewExpr>(node))
      add(storeByNew(context, origins, made));
    if (const auto *made = dyn_cast<CXXUnresolvedConstructExpr>(node))
      return openConstruct(made->getTypeAsWritten(), made);
    children(node, readIn(node));
  }

  /// An object of a type that templates leave open, of the arguments in `list`.
  void openConstruct(QualType made, const Expr *list) {
    const std::size_t count = range_size(list->children());
    for (const auto &[index, child] : enumerate(list->children())) {
      const auto *argument = cast<Expr>(child);
      if (const auto *inner = dyn_cast<InitListExpr>(argument); inner && isa<CXXUnresolvedConstructExpr>(list))
        openConstruct(made, inner);
      else
        visit(argument, !isAtomicReference(made) && mayReadArgument(made, count, index) ? Use::Value : Use::None);
    }
  }

  void captures(const LambdaExpr *lambda) {
    for (const auto &[capture, value] : zip(lambda->captures(), lambda->capture_inits())) {
      if (!capture.capturesVariable())
        visit(value, Use::None);
      else if (lambda->isInitCapture(&capture))
        initialiser(cast<VarDecl>(capture.getCapturedVar()));
      else
        add(readByCapture(origins, capture, value));
    }
  }

  void implicitCast(const ImplicitCastExpr *cast, Use use) {
    if (cast->getCastKind() == CK_LValueToRValue)
      return visit(cast->getSubExpr(), Use::Load);
    if (use != Use::None && cast->isGLValue() && !whyNoAddress(cast).empty())
      return glvalue(cast, use);
    const bool keepsObject = cast->getCastKind() == CK_NoOp;
    visit(cast->getSubExpr(), keepsObject ? use : readIn(cast));
  }

  void explicitCast(const ExplicitCastExpr *cast, Use use) {
    if (cast->isGLValue() && cast->getCastKind() == CK_LValueBitCast)
      return glvalue(cast, use);
    const bool readsBits = cast->getCastKind() == CK_LValueToRValueBitCast;
    visit(cast->getSubExpr(), readsBits ? Use::Load : cast->isGLValue() ? use : readIn(cast));
  }

  void unary(const UnaryOperator *operation, Use use) {
    if (operation->getOpcode() == UO_Deref)
      return glvalue(operation, use);
    if (operation->isIncrementDecrementOp())
      return visit(operation->getSubExpr(), Use::Update);
    visit(operation->getSubExpr(), operation->getOpcode() == UO_AddrOf ? Use::None : readIn(operation));
  }

  void binary(const BinaryOperator *operation, Use use) {
    if (operation->isPtrMemOp())
      return glvalue(operation, use);
    if (operation->isAssignmentOp()) {
      if (addAtomic(operation->getLHS(), BinaryOperator::getOverloadedOperator(operation->getOpcode()), operation))
        return; // in a template
      visit(operation->getLHS(), operation->isCompoundAssignmentOp() ? Use::Update : Use::Store);
      return visit(operation->getRHS(), readIn(operation));
    }
    if (operation->getOpcode() == BO_Comma) {
      visit(operation->getLHS(), Use::None);
      return visit(operation->getRHS(), use);
    }
    children(operation, readIn(operation));
  }

  /// An expression that names an object: an access if its value is used, then what it is made of.
  void glvalue(const Expr *node, Use use) {
    if (use == Use::Load || use == Use::Store || use == Use::Update || (use == Use::Value && namesObject(node)))
      access(node, use);
    for (const auto &[operand, how] : operandsOf(node))
      visit(operand, how);
  }

  void access(const Expr *node, Use use) {
    if (const auto *reference = dyn_cast<DeclRefExpr>(node); reference && !isa<VarDecl, BindingDecl>(reference->getDecl()))
      return;
    if (const auto *member = dyn_cast<MemberExpr>(node); member && !isa<FieldDecl, VarDecl>(member->getMemberDecl()))
      return;
    Origin origin = origins.ofLvalue(node);
    if (origin == Origin::Automatic || isCapturedCopy(node, function))
      return;
    const std::optional<StringRef> whyNot = origin == Origin::Unknown ? whyNoElement(origins, node, function) : std::nullopt;
    if (whyNot && whyNot->empty())
      origin = Origin::Memory;
    QualType type = node->getType();
    Access access;
    access.expression = node;
    access.kind = kindOf(use);
    access.isConstant = origin == Origin::Constant;
    access.bytes = bytesOf(type, context);
    access.openPointer = openPointerNameOf(node);
    if (origin == Origin::Unknown)
      access.reason = whyNot ? whyNot->str() : PointerOrigins::whyUnknown(node);
    else if (const StringRef why = whyNoAddress(node); !why.empty())
      access.reason = why.str();
    else if (const StringRef why = whyMayLackAddress(node, use, function); !why.empty())
      access.reason = why.str();
    else if (const StringRef why = whyNoPointer(node, function); !why.empty())
      access.reason = why.str();
    else if (!isPlain(type, context))
      access.reason = "its class copies itself";
    found.push_back(std::move(access));
  }

  void addAtomic(const Expr *object, DeclarationName member) {
    if (std::optional<Access> access = atomicAccess(context, origins, object, member))
      found.push_back(std::move(*access));
  }
  /// By an operator. True where the object is an atomic.
  bool addAtomic(const Expr *object, OverloadedOperatorKind member, const Expr *operation) {
    if (!isAtomic(object))
      return false;
    addAtomic(object, context.DeclarationNames.getCXXOperatorName(member));
    for (const Stmt *child : operation->children())
      visit(cast<Expr>(child), child == object ? Use::None : readIn(operation));
    return true;
  }

  /// An argument that a function takes the address of.
  void address(const Expr *argument, const AddressArgument &how, const Expr *bytes) {
    Access access;
    access.expression = argument;
    access.kind = how.kind;
    access.isAddress = true;
    access.isBulk = how.isBulk;
    access.reason = how.reason.str();
    Origin origin = origins.ofPointer(argument);
    if (origin == Origin::Automatic)
      return visit(argument, readIn(argument));
    setBytes(access, bytes, context);
    if (origin == Origin::Unknown && access.reason.empty())
      access.reason = "it may be the address of an automatic variable";
    found.push_back(std::move(access));
    visit(argument, readIn(argument));
  }

  void call(const CallExpr *call) {
    const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<MemberExpr>(callee)) {
      addAtomic(member->getBase(), member->getMemberDecl()->getDeclName());
      visit(member->getBase(), Use::None);
    } else if (const auto *dependent = dyn_cast<CXXDependentScopeMemberExpr>(callee)) {
      if (!dependent->isImplicitAccess()) {
        addAtomic(dependent->getBase(), dependent->getMember());
        visit(dependent->getBase(), dependent->isArrow() ? Use::Value : Use::None);
      }
    } else if (!isa<DeclRefExpr, OverloadExpr>(callee)) {
      visit(call->getCallee(), Use::None);
    }
    const SmallVector<AddressArgument, 2> addresses = addressArgumentsOf(call);
    for (unsigned index = 0; index < call->getNumArgs(); ++index) {
      const auto *known = find_if(addresses, [&](const AddressArgument &each) { return each.index == index; });
      const bool hasBytes = known != addresses.end() && known->bytesIndex && *known->bytesIndex < call->getNumArgs();
      if (known != addresses.end())
        address(call->getArg(index), *known, hasBytes ? call->getArg(*known->bytesIndex) : nullptr);
      else
        argument(call, index);
    }
  }

  void atomicOperation(const AtomicExpr *operation) {
    for (const Expr *each : ArrayRef(operation->getSubExprs(), operation->getNumSubExprs()))
      each == operation->getPtr() ? address(each, {0, atomicKindOf(operation)}, nullptr) : visit(each, readIn(operation));
  }

  /// By a reference to a function of a library.
  void passed(const Expr *value, Passing how) {
    const std::size_t own = found.size();
    visit(value, how == Passing::Change ? Use::Update : Use::Load);
    if (how == Passing::Keep && own < found.size() && found[own].expression == value->IgnoreParens() && found[own].reason.empty())
      found[own].reason = "a function of a library keeps a reference to it";
  }

  void argument(const CallExpr *call, unsigned index) {
    const Expr *value = call->getArg(index);
    if (const FunctionDecl *callee = call->getDirectCallee()) {
      const bool isMethodOperator = isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee);
      if (isMethodOperator && index == 0)
        return visit(value, isOfLibrary(callee) ? useOfObject(cast<CXXOperatorCallExpr>(call)) : Use::None);
      index -= isMethodOperator;
      QualType type = index < callee->getNumParams() ? callee->getParamDecl(index)->getType() : QualType();
      // What a function of the user's does with a reference is seen there, and what a part of it is used for where it is given.
      if (!PointerOrigins::givesPart(callee) && !type.isNull() && type->isReferenceType() && value->isGLValue() && isOfLibrary(callee))
        return passed(value, passingOf(callee, index));
      return visit(value, Use::None);
    }
    if (!value->isTypeDependent() && !value->isGLValue())
      return visit(value, Use::None);
    const Taking taking = takingOf(call, index);
    const std::size_t own = found.size();
    visit(value, taking == Taking::Bound ? Use::None : Use::Value);
    if (taking == Taking::Open && own < found.size() && found[own].expression == value->IgnoreParens() && found[own].reason.empty())
      found[own].reason = "which function takes it depends on template arguments";
  }

  void operatorCall(const CXXOperatorCallExpr *operation) {
    if (addAtomic(operation->getArg(0), operation->getOperator(), operation))
      return;
    const bool isUnresolved = !operation->getDirectCallee();
    if (operation->getOperator() == OO_Equal && operation->getNumArgs() == 2) {
      const auto *method = dyn_cast_or_null<CXXMethodDecl>(operation->getDirectCallee());
      if (isUnresolved || isOfLibrary(method)) {
        visit(operation->getArg(0), Use::Store);
        const bool copies = method && method->getParamDecl(0)->getType()->isReferenceType() && operation->getArg(1)->isGLValue();
        return visit(operation->getArg(1), copies ? Use::Load : readIn(operation));
      }
    }
    if (!isUnresolved || operation->getOperator() == OO_Call || operation->getOperator() == OO_Arrow) {
      for (unsigned index = 0; index < operation->getNumArgs(); ++index)
        argument(operation, index);
      return;
    }
    if (operation->isAssignmentOp() || operation->getOperator() == OO_PlusPlus || operation->getOperator() == OO_MinusMinus) {
      visit(operation->getArg(0), Use::Update);
      if (operation->isAssignmentOp())
        visit(operation->getArg(1), Use::Value);
      return;
    }
    const bool isSubscript = operation->getOperator() == OO_Subscript;
    for (unsigned index = 0; index < operation->getNumArgs(); ++index)
      visit(operation->getArg(index), isSubscript && index == 0 ? Use::None : Use::Value);
  }

  void construct(const CXXConstructExpr *construction) {
    const CXXConstructorDecl *constructor = construction->getConstructor();
    for (unsigned index = 0; index < construction->getNumArgs(); ++index) {
      const Expr *value = construction->getArg(index);
      QualType type = index < constructor->getNumParams() ? constructor->getParamDecl(index)->getType() : QualType();
      const bool reads = !type.isNull() && type->isReferenceType() && value->isGLValue() && type->getPointeeType().isConstQualified() &&
                         isOfLibrary(constructor);
      const bool copies = constructor->isCopyOrMoveConstructor() && !constructor->isUserProvided();
      visit(value, reads || (value->isGLValue() && copies) ? Use::Load : readIn(construction));
    }
  }

  const ASTContext &context;
  const PointerOrigins &origins;
  const FunctionDecl *function;
};

} // namespace

std::vector<Access> findAccesses(const ASTContext &context, const PointerOrigins &origins, const FunctionDecl *function, const Stmt *body) {
  AccessFinder finder(context, origins, function);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    finder.initialisers(constructor);
  finder.statement(body);
  for (Access &access : finder.found)
    if (function->isDefaulted() && access.reason.empty())
      access.reason = "a function that is defaulted has no text";
  return std::move(finder.found);
}

} // namespace kperf
