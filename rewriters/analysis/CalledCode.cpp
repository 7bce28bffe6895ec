// Walks statements, calls and constructions.
#include "rewriters/analysis/CalledCode.h"

#include "rewriters/analysis/Callees.h"
#include "rewriters/analysis/LaneInvariantFunction.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace clang;

namespace kperf {

bool CalledCode::isOfToolkit(const FunctionDecl *function) const {
  return function->getBuiltinID() != 0 || function->isImplicit() || function->isDefaulted() ||
         context.getSourceManager().isInSystemHeader(function->getLocation());
}

bool CalledCode::reaches(const FunctionDecl *function) {
  const bool isReserved = function->getIdentifier() && function->getName().starts_with("__");
  if (isReserved && isOfToolkit(function)) // an intrinsic, which its name tells all of
    return false;
  if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
    function = pattern; // which instances are made depends on what else is read
  const FunctionDecl *definition = nullptr;
  const bool hasBody = function->isDefined(definition) && definition->getBody();
  if (!hasBody || known.size() >= kMaxFunctions)
    return isUnknownSought && !isReserved && !isOfToolkit(function);
  const auto [entry, isNew] = known.try_emplace(definition->getCanonicalDecl(), false); // false while it is being read
  if (!isNew)
    return entry->second;
  // What the toolkit's functions call that can't be told is no one else's.
  SaveAndRestore unknown(isUnknownSought, isUnknownSought && !isOfToolkit(definition));
  bool isFound = reaches(definition->getBody());
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      isFound = isFound || reaches(initializer->getInit());
  return known[definition->getCanonicalDecl()] = isFound;
}

bool CalledCode::reaches(const Stmt *statement) {
  if (!statement)
    return false;
  if (isSought(statement))
    return true;
  if (isa<LambdaExpr>(statement))
    return false;
  if (const auto *call = dyn_cast<CallExpr>(statement)) {
    const auto functions = callees(call);
    const StringRef name = calledName(call);
    const bool isPlain = resultByName(name) != CallResult::Unknown || (functions.empty() && name.starts_with("__")); // min(a, b)
    if (!isPlain && (functions.empty() ? isUnknownSought : any_of(functions, [&](const FunctionDecl *each) { return reaches(each); })))
      return true;
  }
  if (const auto *construction = dyn_cast<CXXConstructExpr>(statement))
    if (reaches(construction->getConstructor()))
      return true;
  return any_of(statement->children(), [&](const Stmt *child) { return reaches(child); });
}

} // namespace kperf
