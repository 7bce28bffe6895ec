// The tables of functions by name.
#include "MemoryIntrinsics.h"

#include "LaneFreeFunction.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using kperf::format::SiteKind;

namespace kperf {

SmallVector<AddressArgument, 2> addressArgumentsOf(StringRef function) {
  static constexpr StringRef loads[] = {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"};
  static constexpr StringRef stores[] = {"__stwb", "__stcg", "__stcs", "__stwt"};
  static constexpr StringRef atomics[] = {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"};
  if (is_contained(loads, function))
    return {{0, SiteKind::Load, std::nullopt}};
  if (is_contained(stores, function))
    return {{0, SiteKind::Store, std::nullopt}};
  StringRef operation = function;
  if (operation.consume_front("atomic")) {
    operation.consume_back("_block") || operation.consume_back("_system");
    if (is_contained(atomics, operation))
      return {{0, SiteKind::Atomic, std::nullopt}};
  }
  if (operation.consume_front("unsafeAtomic") || operation.consume_front("safeAtomic")) // HIP's
    if (is_contained(atomics, operation))
      return {{0, SiteKind::Atomic, std::nullopt}};
  if (StringRef scoped = function; scoped.consume_front("__nv_atomic_") && scoped != "thread_fence") { // nvcc's, since CUDA 12.8
    const StringRef what = scoped.take_front(scoped.find('_'));
    return {{0, what == "load" ? SiteKind::Load : what == "store" ? SiteKind::Store : SiteKind::Atomic, std::nullopt}};
  }
  if (function == "__builtin_nontemporal_load")
    return {{0, SiteKind::Load, std::nullopt}};
  if (function == "__builtin_nontemporal_store")
    return {{1, SiteKind::Store, std::nullopt}};
  if (function == "__pipeline_memcpy_async")
    return {{0, SiteKind::Store, 2}, {1, SiteKind::Load, 2}};
  return {};
}

namespace {

bool isMathematics(StringRef function) {
  static constexpr StringRef names[] = {"min",  "max",   "abs",   "fabs", "sqrt", "rsqrt",      "exp",  "exp2",
                                        "log",  "log2",  "pow",   "fma",  "sin",  "cos",        "tanh", "erf",
                                        "ceil", "floor", "round", "fmin", "fmax", "static_cast"};
  StringRef name = function;
  name.consume_back("f");
  return is_contained(names, function) || is_contained(names, name) || function.starts_with("__half") ||
         function.starts_with("__float") || function.starts_with("__bfloat") || function.starts_with("__int") ||
         function.starts_with("__shfl");
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
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getName() == "HIP_vector_type";
}

bool takesValue(const clang::CallExpr *call, unsigned index) {
  if (isMathematics(calledName(call)))
    return true;
  const auto *lookup = dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
  return lookup && lookup->getNumDecls() > 0 && all_of(lookup->decls(), [&](const clang::NamedDecl *candidate) {
           const clang::FunctionDecl *function = candidate->getUnderlyingDecl()->getAsFunction();
           return function &&
                  (index >= function->getNumParams() || !function->getParamDecl(index)->getType()->isReferenceType());
         });
}

} // namespace kperf
