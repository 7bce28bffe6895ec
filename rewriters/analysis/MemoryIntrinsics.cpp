// Lists the functions by name.
#include "rewriters/analysis/MemoryIntrinsics.h"

#include "rewriters/analysis/Callees.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using kperf::format::SiteKind;

namespace kperf {

namespace {

/// Of libcu++'s copies, by their parameters' order and, in cuda::ptx, by the types that name the two spaces.
SmallVector<AddressArgument, 2> copyArgumentsOf(const clang::CallExpr *call, StringRef function) {
  auto bulk = [](unsigned global, unsigned shared, unsigned bytes, SiteKind kind) -> SmallVector<AddressArgument, 2> {
    const SiteKind other = kind == SiteKind::Load ? SiteKind::Store : SiteKind::Load;
    return {{global, kind, bytes, true}, {shared, other, bytes, true, kBulkInShared}};
  };
  auto isPointer = [&](unsigned index) { return index < call->getNumArgs() && PointerOrigins::isPointer(call->getArg(index)); };
  auto isGlobal = [&](unsigned index) {
    const clang::QualType space = index < call->getNumArgs() ? call->getArg(index)->IgnoreImplicit()->getType() : clang::QualType();
    return !space.isNull() && StringRef(space.getAsString()).contains("space_global_t");
  };
  if (const clang::FunctionDecl *callee = call->getDirectCallee(); callee && !isOfLibrary(callee))
    return {}; // what it does is seen there
  if (function == "cp_async_bulk" && call->getNumArgs() >= 5 && (isGlobal(0) || isGlobal(1)))
    return isGlobal(0) ? bulk(2, 3, 4, SiteKind::Store) : bulk(3, 2, 4, SiteKind::Load);
  if (function == "cp_reduce_async_bulk" && call->getNumArgs() >= 6 && isGlobal(0))
    return bulk(3, 4, 5, SiteKind::Atomic);
  if (function == "memcpy_async_tx" || function == "cp_async_bulk_global_to_shared")
    return bulk(1, 0, 2, SiteKind::Load);
  if (function == "cp_async_bulk_shared_to_global")
    return bulk(0, 1, 2, SiteKind::Store);
  function.consume_front("__builtin_");
  if (function == "memset" && isPointer(0))
    return {{0, SiteKind::Store, std::nullopt, false, "which instructions set it is not known here"}};
  const unsigned first = function == "memcpy_async" && !isPointer(0); // by a group, or by one thread
  const unsigned from = first + 1 + !isPointer(first + 1);            // behind a layout, in a cooperative group
  if ((function == "memcpy_async" || function == "memcpy" || function == "memmove") && isPointer(first) && isPointer(from)) {
    constexpr StringRef reason = "which instructions copy it is not known here";
    return {{first, SiteKind::Store, std::nullopt, false, reason}, {from, SiteKind::Load, std::nullopt, false, reason}};
  }
  return {};
}

} // namespace

SmallVector<AddressArgument, 2> addressArgumentsOf(const clang::CallExpr *call) {
  const StringRef function = calledName(call);
  static constexpr StringRef loads[] = {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"};
  static constexpr StringRef stores[] = {"__stwb", "__stcg", "__stcs", "__stwt"};
  static constexpr StringRef atomics[] = {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"};
  if (is_contained(loads, function))
    return {{0, SiteKind::Load}};
  if (is_contained(stores, function))
    return {{0, SiteKind::Store}};
  StringRef operation = function;
  if (operation.consume_front("atomic")) {
    operation.consume_back("_block") || operation.consume_back("_system");
    if (is_contained(atomics, operation))
      return {{0, SiteKind::Atomic}};
  }
  if (operation.consume_front("unsafeAtomic") || operation.consume_front("safeAtomic")) // HIP's
    if (is_contained(atomics, operation))
      return {{0, SiteKind::Atomic}};
  if (StringRef scoped = function; scoped.consume_front("__nv_atomic_") && scoped != "thread_fence") { // nvcc's, since CUDA 12.8
    const StringRef what = scoped.take_front(scoped.find('_'));
    return {{0, what == "load" ? SiteKind::Load : what == "store" ? SiteKind::Store : SiteKind::Atomic}};
  }
  if (function == "__builtin_nontemporal_load")
    return {{0, SiteKind::Load}};
  if (function == "__builtin_nontemporal_store")
    return {{1, SiteKind::Store}};
  if (function == "__pipeline_memcpy_async")
    return {{0, SiteKind::Store, 2}, {1, SiteKind::Load, 2}};
  return copyArgumentsOf(call, function);
}

namespace {

bool isMathematics(StringRef function) {
  static constexpr StringRef names[] = {"min", "max", "abs", "fabs", "sqrt", "rsqrt", "exp",   "exp2",  "log",  "log2", "pow",
                                        "fma", "sin", "cos", "tanh", "erf",  "ceil",  "floor", "round", "fmin", "fmax", "static_cast"};
  StringRef name = function;
  name.consume_back("f");
  return is_contained(names, function) || is_contained(names, name) || function.starts_with("__half") || function.starts_with("__float") ||
         function.starts_with("__bfloat") || function.starts_with("__int") || function.starts_with("__shfl");
}

} // namespace

SiteKind atomicKindOf(const clang::AtomicExpr *operation) {
  switch (operation->getOp()) {
  case clang::AtomicExpr::AO__hip_atomic_load:
  case clang::AtomicExpr::AO__atomic_load:
  case clang::AtomicExpr::AO__atomic_load_n:
  case clang::AtomicExpr::AO__scoped_atomic_load:
  case clang::AtomicExpr::AO__scoped_atomic_load_n:
    return SiteKind::Load;
  case clang::AtomicExpr::AO__hip_atomic_store:
  case clang::AtomicExpr::AO__atomic_store:
  case clang::AtomicExpr::AO__atomic_store_n:
  case clang::AtomicExpr::AO__scoped_atomic_store:
  case clang::AtomicExpr::AO__scoped_atomic_store_n:
    return SiteKind::Store;
  default:
    return SiteKind::Atomic;
  }
}

bool isOfLibrary(const clang::FunctionDecl *callee) {
  const clang::SourceManager &sources = callee->getASTContext().getSourceManager();
  return callee->isImplicit() || callee->isDefaulted() || !callee->getLocation().isValid() ||
         sources.isInSystemHeader(sources.getExpansionLoc(callee->getLocation()));
}

bool isPlain(clang::QualType type, const clang::ASTContext &context) {
  if (type.isNull() || type->isDependentType() || type.isTriviallyCopyableType(context))
    return true;
  static constexpr StringRef vectors[] = {"HIP_vector_type", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"};
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && is_contained(vectors, record->getName());
}

namespace {

/// Whether a call with so many arguments may mean it.
bool takesCount(const clang::FunctionDecl *function, unsigned count) {
  const bool isOpen = function->isVariadic() || (function->getNumParams() > 0 && function->parameters().back()->isParameterPack());
  return function->getMinRequiredArguments() <= count && (isOpen || count <= function->getNumParams());
}

/// The type of the parameter that takes the argument at `index`; null where `...` takes it.
clang::QualType parameterType(const clang::FunctionDecl *function, unsigned index) {
  const unsigned count = function->getNumParams();
  const bool isOfPack = count > 0 && index + 1 >= count && function->parameters().back()->isParameterPack();
  return isOfPack || index < count ? function->getParamDecl(isOfPack ? count - 1 : index)->getType().getNonPackExpansionType()
                                   : clang::QualType();
}

} // namespace

const clang::Expr *castArgument(const clang::CallExpr *call) {
  static constexpr StringRef kCasts[] = {"move", "forward", "forward_like", "move_if_noexcept", "as_const"};
  if (call->getNumArgs() != 1 || !is_contained(kCasts, calledName(call)))
    return nullptr;
  bool isCast = false; // in a template all that the name may mean have to be
  if (const clang::FunctionDecl *callee = call->getDirectCallee())
    isCast = isOfLibrary(callee);
  else if (const auto *named = dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreParenImpCasts()))
    isCast = named->getNumDecls() > 0 && all_of(named->decls(), [](const clang::NamedDecl *declared) {
               const clang::FunctionDecl *function = declared->getAsFunction();
               return function && isOfLibrary(function);
             });
  return isCast ? call->getArg(0) : nullptr;
}

Passing passingOf(const clang::FunctionDecl *callee, unsigned index) {
  static constexpr StringRef kKeepers[] = {"tie", "forward_as_tuple", "ref", "cref"};
  if (callee->getIdentifier() && is_contained(kKeepers, callee->getName()))
    return Passing::Keep;
  const clang::FunctionTemplateDecl *pattern = callee->getPrimaryTemplate(); // where T && is not a float & yet
  const clang::QualType type = parameterType(pattern ? pattern->getTemplatedDecl() : callee, index);
  const bool isRead = !type.isNull() && (type->isRValueReferenceType() || type.getNonReferenceType().isConstQualified());
  return isRead ? Passing::Read : Passing::Change;
}

namespace {

/// What is called in the instances of the function template that it depends on: a parameter, or what has the type that a template's
/// parameter says, as a variable or a temporary.
class CalledInInstances {
public:
  CalledInInstances(const clang::Expr *called, clang::QualType type) {
    const auto *reference = dyn_cast<clang::DeclRefExpr>(called);
    parameter = reference ? dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
    const auto *open = type.isNull() || parameter ? nullptr : type->getAs<clang::TemplateTypeParmType>();
    named = open ? open->getDecl() : nullptr;
    const clang::DeclContext *context = parameter ? parameter->getDeclContext() : named ? named->getDeclContext() : nullptr;
    pattern = dyn_cast_or_null<clang::FunctionDecl>(context);
  }

  const clang::FunctionTemplateDecl *function() const { return pattern ? pattern->getDescribedFunctionTemplate() : nullptr; }
  /// Null where packs leave it open.
  clang::QualType typeIn(const clang::FunctionDecl *instance) const {
    if (parameter) {
      const unsigned at = parameter->getFunctionScopeIndex();
      const bool isSame = at < instance->getNumParams() && instance->getNumParams() == pattern->getNumParams();
      return isSame ? instance->getParamDecl(at)->getType() : clang::QualType();
    }
    const clang::TemplateArgumentList *arguments = instance->getTemplateSpecializationArgs();
    const bool isType =
        arguments && named->getIndex() < arguments->size() && arguments->get(named->getIndex()).getKind() == clang::TemplateArgument::Type;
    return isType ? arguments->get(named->getIndex()).getAsType() : clang::QualType();
  }

private:
  const clang::ParmVarDecl *parameter = nullptr;
  const clang::TemplateTypeParmDecl *named = nullptr;
  const clang::FunctionDecl *pattern = nullptr;
};

/// By a pointer to a function, or an object whose type depends on a template's parameters: by all of its instances.
Taking takingByObject(const clang::CallExpr *call, unsigned index) {
  const clang::Expr *called = call->getCallee()->IgnoreParenImpCasts();
  const clang::QualType type = called->getType().isNull() ? clang::QualType() : called->getType().getNonReferenceType();
  if (const auto *pointer = type.isNull() ? nullptr : type->getAs<clang::PointerType>())
    if (const auto *function = pointer->getPointeeType()->getAs<clang::FunctionProtoType>(); function && index < function->getNumParams())
      return function->getParamType(index)->isReferenceType() ? Taking::Bound : Taking::Read;
  const CalledInInstances object(called, type);
  if (!object.function())
    return Taking::Open;
  Taking out = Taking::Open;
  for (const clang::FunctionDecl *instance : object.function()->specializations()) {
    const clang::QualType own = object.typeIn(instance);
    if (own.isNull())
      return Taking::Open;
    const auto operators = callOperatorsOf(own);
    if (operators.size() != 1 || !takesCount(operators[0], call->getNumArgs()))
      return Taking::Open;
    const clang::QualType taken = parameterType(operators[0], index);
    const bool isRead = !taken.isNull() && (!taken->isReferenceType() || taken->getPointeeType().isConstQualified());
    if (out != Taking::Open && isRead != (out == Taking::Read))
      return Taking::Open;
    out = isRead ? Taking::Read : Taking::Bound;
  }
  return out;
}

} // namespace

Taking takingOf(const clang::CallExpr *call, unsigned index) {
  if (isMathematics(calledName(call)))
    return Taking::Read;
  const clang::QualType given = call->getArg(index)->getType();
  const auto functions = callees(call);
  if (functions.empty())
    return takingByObject(call, index);
  Taking taking = Taking::Bound;
  for (const clang::FunctionDecl *function : functions) {
    if (!takesCount(function, call->getNumArgs()))
      continue;
    const clang::QualType type = parameterType(function, index);
    const bool isReference = !type.isNull() && type->isReferenceType();
    if (isReference && type->getPointeeType()->isArrayType() && !given.isNull() && !given->isArrayType())
      continue; // binds to arrays alone
    if (isReference)
      return Taking::Bound;
    taking = Taking::Read;
  }
  return taking;
}

bool mayReadArgument(clang::QualType made, unsigned count, unsigned index) {
  const clang::CXXRecordDecl *record = classOf(made);
  if (!record)
    return true;
  bool isBound = false;
  for (const clang::Decl *each : record->decls()) {
    const auto *constructor = dyn_cast_or_null<clang::CXXConstructorDecl>(each->getAsFunction());
    if (!constructor || !takesCount(constructor, count))
      continue;
    const clang::QualType type = parameterType(constructor, index);
    if (type.isNull() || !type->isReferenceType() || (type->getPointeeType().isConstQualified() && isOfLibrary(constructor)))
      return true;
    isBound = true;
  }
  return !isBound;
}

} // namespace kperf
