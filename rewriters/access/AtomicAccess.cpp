// Recognises the classes by name, because their implementation differs between versions of libcu++.
#include "rewriters/access/AtomicAccess.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace llvm;
using kperf::format::SiteKind;

namespace kperf {
namespace {

struct AtomicClass {
  clang::QualType value;
  bool isReference;
};

std::optional<AtomicClass> atomicClassOf(clang::QualType type) {
  if (type.isNull())
    return std::nullopt;
  ArrayRef<clang::TemplateArgument> arguments;
  const clang::NamedDecl *declared = nullptr;
  if (const auto *record = dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl())) {
    declared = record;
    arguments = record->getTemplateArgs().asArray();
  } else if (const auto *open = type->getAs<clang::TemplateSpecializationType>()) { // in a template
    declared = open->getTemplateName().getAsTemplateDecl();
    arguments = open->template_arguments();
  }
  if (!declared || !declared->getIdentifier() || arguments.empty() || arguments[0].getKind() != clang::TemplateArgument::Type)
    return std::nullopt;
  const bool isReference = declared->getName() == "atomic_ref";
  const clang::NamespaceDecl *outermost = nullptr;
  for (const clang::DeclContext *at = declared->getDeclContext(); at; at = at->getParent())
    if (const auto *space = dyn_cast<clang::NamespaceDecl>(at))
      outermost = space;
  if ((!isReference && declared->getName() != "atomic") || !outermost || outermost->getName() != "cuda")
    return std::nullopt;
  return AtomicClass{arguments[0].getAsType(), isReference};
}

/// By the member's name.
std::optional<SiteKind> kindOf(clang::DeclarationName member) {
  if (member.getNameKind() == clang::DeclarationName::CXXConversionFunctionName)
    return SiteKind::Load;
  if (member.getCXXOverloadedOperator() != clang::OO_None)
    return member.getCXXOverloadedOperator() == clang::OO_Equal ? SiteKind::Store : SiteKind::Atomic;
  const StringRef name = member.isIdentifier() ? member.getAsIdentifierInfo()->getName() : "";
  if (name == "load" || name == "store")
    return name == "load" ? SiteKind::Load : SiteKind::Store;
  if (name == "exchange" || name.starts_with("compare_exchange_") || name.starts_with("fetch_"))
    return SiteKind::Atomic;
  return std::nullopt;
}

} // namespace

std::optional<Access> atomicAccess(const clang::ASTContext &context, const PointerOrigins &origins, const clang::Expr *object,
                                   clang::DeclarationName member) {
  const clang::Expr *named = object->IgnoreParenImpCasts();
  const clang::QualType pointee = named->getType()->getPointeeType();
  const std::optional<AtomicClass> atomic = atomicClassOf(pointee.isNull() ? named->getType() : pointee);
  const std::optional<SiteKind> kind = atomic ? kindOf(member) : std::nullopt;
  if (!kind || isa<clang::CXXThisExpr>(named) || (!atomic->isReference && pointee.isNull() && origins.ofLvalue(named) == Origin::Automatic))
    return std::nullopt;
  Access access;
  access.expression = named;
  access.kind = *kind;
  access.isObject = true;
  if (const auto *arrow = dyn_cast<clang::CXXOperatorCallExpr>(named); arrow && arrow->getOperator() == clang::OO_Arrow) {
    access.expression = arrow->getArg(0); // the text of the operator ends behind the arrow
    access.reason = "a class's own -> says where it is";
  }
  if (!atomic->value->isDependentType())
    access.bytes = static_cast<unsigned>(context.getTypeSizeInChars(atomic->value).getQuantity());
  return access;
}

bool isAtomic(const clang::Expr *object) { return atomicClassOf(object->IgnoreParenImpCasts()->getType()).has_value(); }

bool isAtomicReference(clang::QualType type) {
  const std::optional<AtomicClass> atomic = atomicClassOf(type);
  return atomic && atomic->isReference;
}

} // namespace kperf
