// Searches function bodies for anything that could make lanes differ.
#include "rewriters/analysis/LaneInvariantFunction.h"

#include "rewriters/analysis/Callees.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace kperf {

CallResult resultByName(StringRef name) {
  return StringSwitch<CallResult>(name)
      .Cases({"__syncthreads_count", "__syncthreads_and", "__syncthreads_or"}, CallResult::Uniform)
      .Cases({"__any_sync", "__all_sync", "__ballot_sync", "__any", "__all", "__ballot"}, CallResult::Uniform)
      .Cases({"__builtin_amdgcn_readfirstlane", "__builtin_amdgcn_ballot_w64"}, CallResult::Uniform)
      .Cases({"__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync"}, CallResult::Uniform)
      .Cases({"__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync"}, CallResult::Uniform)
      .Cases({"min", "max", "abs", "ceil_div", "cdiv", "fminf", "fmaxf", "__syncthreads"}, CallResult::AsItsArguments)
      .Cases({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"}, CallResult::AsItsArguments)
      .Cases({"__ffs", "__clz", "__popc", "__brev", "__umulhi", "__mulhi"}, CallResult::AsItsArguments)
      .Default(CallResult::Unknown);
}

CallResult resultOf(const CallExpr *call) {
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  const auto *lookup = dyn_cast<UnresolvedLookupExpr>(callee);
  const bool isMember = isa_and_nonnull<CXXMethodDecl>(call->getDirectCallee()) ||
                        isa<MemberExpr, CXXDependentScopeMemberExpr, UnresolvedMemberExpr, DependentScopeDeclRefExpr>(callee) ||
                        (lookup && lookup->getNamingClass());
  return isMember ? CallResult::OfMember : resultByName(calledName(call));
}

namespace {

using Functions = SmallVector<const FunctionDecl *, 4>;

class BodyReader {
public:
  BodyReader(function_ref<bool(const BinaryOperator *)> isOfWarp, Instantiator *instantiator)
      : isOfWarp(isOfWarp), instantiator(instantiator) {}

  bool accepts(const FunctionDecl *function) {
    const FunctionDecl *definition = definitionFor(function);
    if (!definition)
      return false;
    if (const auto *method = dyn_cast<CXXMethodDecl>(definition); method && method->isVirtual())
      return false;
    if (!seen.insert(definition->getCanonicalDecl()).second)
      return true; // being read further up
    if (seen.size() > kMaxFunctions)
      return false;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer *initializer : constructor->inits())
        if (!initializer->getInit() || !accepts(initializer->getInit()))
          return false;
    return accepts(definition->getBody());
  }

  bool acceptsConstructor(const CXXConstructorDecl *constructor) {
    if (constructor->isUserProvided())
      return accepts(constructor);
    return !constructor->isInheritingConstructor() && (!constructor->isDefaultConstructor() || acceptsDefault(constructor->getParent()));
  }

  bool acceptsObject(QualType type) {
    while (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    const CXXRecordDecl *record = type->isDependentType() ? classOf(type) : type->getAsCXXRecordDecl();
    record = record ? record->getDefinition() : nullptr;
    if (!record)
      return !type->isRecordType() && (!type->isDependentType() || type->isPointerType());
    const auto own = find_if(record->ctors(), [](const CXXConstructorDecl *each) { return each->isDefaultConstructor(); });
    return own == record->ctors().end() ? acceptsDefault(record) : acceptsConstructor(*own);
  }

private:
  static constexpr std::size_t kMaxFunctions = 32;

  const FunctionDecl *definitionFor(const FunctionDecl *function) const {
    if (instantiator)
      return instantiator->define(function);
    if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
      function = pattern;
    const FunctionDecl *definition = nullptr;
    return function->isDefined(definition) && definition->getBody() ? definition : nullptr;
  }

  bool accepts(const Stmt *statement) {
    if (!statement)
      return true;
    if (isa<AsmStmt, AtomicExpr, LambdaExpr, CXXNewExpr, RecoveryExpr, CXXUnresolvedConstructExpr>(statement))
      return false;
    if (const auto *operation = dyn_cast<BinaryOperator>(statement); operation && isOfWarp(operation))
      return true;
    if (const auto *object = dyn_cast<PseudoObjectExpr>(statement))
      return accepts(object->getSyntacticForm());
    if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement))
      return accepts(argument->getExpr());
    if (const auto *member = dyn_cast<CXXDefaultInitExpr>(statement))
      return accepts(member->getExpr());
    if (const auto *property = dyn_cast<MSPropertyRefExpr>(statement))
      return accepts(property->getBaseExpr());
    if (const auto *operation = dyn_cast<UnaryOperator>(statement); operation && operation->getOpcode() == UO_Deref)
      return false;
    if (isa<ArraySubscriptExpr>(statement))
      return false;
    if (const auto *member = dyn_cast<MemberExpr>(statement))
      return (!member->isArrow() || isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) && accepts(member->getBase());
    if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(statement))
      return member->isImplicitAccess() || ((!member->isArrow() || isa<CXXThisExpr>(member->getBase())) && accepts(member->getBase()));
    if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
      return acceptsReference(reference->getDecl());
    if (const auto *call = dyn_cast<CallExpr>(statement))
      return acceptsCall(call);
    if (const auto *construction = dyn_cast<CXXConstructExpr>(statement))
      return acceptsConstructor(construction->getConstructor()) && acceptsChildren(statement);
    if (const auto *declaration = dyn_cast<DeclStmt>(statement))
      return all_of(declaration->decls(), [&](const Decl *each) {
        const auto *variable = dyn_cast<VarDecl>(each);
        return !variable || (variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                             (!variable->getInit() || accepts(variable->getInit())));
      });
    return acceptsChildren(statement);
  }

  /// Of what the compiler's own default constructor makes.
  bool acceptsDefault(const CXXRecordDecl *record) {
    return all_of(record->fields(),
                  [&](const FieldDecl *field) {
                    return field->hasInClassInitializer() ? field->getInClassInitializer() && accepts(field->getInClassInitializer())
                                                          : acceptsObject(field->getType());
                  }) &&
           all_of(record->bases(), [&](const CXXBaseSpecifier &base) { return acceptsObject(base.getType()); });
  }

  bool acceptsChildren(const Stmt *statement) {
    return all_of(statement->children(), [&](const Stmt *child) { return accepts(child); });
  }

  static bool acceptsReference(const ValueDecl *declaration) {
    if (isa<EnumConstantDecl, NonTypeTemplateParmDecl, FunctionDecl>(declaration))
      return true;
    const auto *variable = dyn_cast<VarDecl>(declaration);
    return variable && (variable->hasLocalStorage() || variable->isConstexpr()) && !variable->getType()->isPointerType();
  }

  bool acceptsCall(const CallExpr *call) {
    const StringRef name = calledName(call);
    const CallResult result = resultOf(call);
    if (result == CallResult::Uniform)
      return !name.ends_with("_sync") || (call->getNumArgs() > 0 && accepts(call->getArg(0)));
    if (name == "__shfl_sync" && result != CallResult::OfMember)
      return call->getNumArgs() == 3 && accepts(call->getArg(0)) && accepts(call->getArg(2));
    if (!accepts(call->getCallee()) || !all_of(call->arguments(), [&](const Expr *argument) { return accepts(argument); }))
      return false;
    if (result == CallResult::AsItsArguments)
      return true;
    const Functions targets = callees(call);
    return !targets.empty() && all_of(targets, [&](const FunctionDecl *target) { return accepts(target); });
  }

  function_ref<bool(const BinaryOperator *)> isOfWarp;
  Instantiator *instantiator;
  SmallPtrSet<const FunctionDecl *, 8> seen;
};

} // namespace

bool isLaneInvariant(const FunctionDecl *function, function_ref<bool(const BinaryOperator *)> isOfWarp, Instantiator *instantiator) {
  return BodyReader(isOfWarp, instantiator).accepts(function);
}

bool isLaneInvariantConstructor(const CXXConstructorDecl *constructor, function_ref<bool(const BinaryOperator *)> isOfWarp,
                                Instantiator *instantiator) {
  return BodyReader(isOfWarp, instantiator).acceptsConstructor(constructor);
}

bool isLaneInvariantObject(QualType type, function_ref<bool(const BinaryOperator *)> isOfWarp, Instantiator *instantiator) {
  return BodyReader(isOfWarp, instantiator).acceptsObject(type);
}

bool isMadeOfArguments(QualType type, function_ref<bool(const BinaryOperator *)> isOfWarp) {
  const CXXRecordDecl *record = classOf(type);
  if (!record)
    return false;
  for (const FieldDecl *field : record->fields())
    if (field->getInClassInitializer())
      return false; // not worth reading
  return all_of(record->bases(), [&](const CXXBaseSpecifier &base) { return isMadeOfArguments(base.getType(), isOfWarp); }) &&
         all_of(record->decls(), [&](const Decl *declaration) {
           const FunctionDecl *function = declaration->getAsFunction();
           return !isa_and_nonnull<CXXConstructorDecl>(function) || function->isImplicit() || function->isDefaulted() ||
                  function->isDeleted() || isLaneInvariant(function, isOfWarp, nullptr);
         });
}

} // namespace kperf
