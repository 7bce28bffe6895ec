// Continues where Clang stopped to read, and ends there if Clang crashes.
#include "rewriters/analysis/Instantiator.h"

#include "clang/AST/Attr.h"
#include "clang/Sema/Scope.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <utility>

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

/// As when the translation unit was read to its end: with a scope for names that Clang makes up, and without messages, for what there is
/// to say of instances is the vendor's compiler's to say.
class Continuation {
public:
  explicit Continuation(Sema &sema)
      : sema(sema), scope(nullptr, Scope::DeclScope, sema.getDiagnostics()), scopeBefore(sema.TUScope),
        wasSilent(sema.getDiagnostics().getSuppressAllDiagnostics()) {
    scope.setEntity(sema.Context.getTranslationUnitDecl());
    sema.TUScope = &scope;
    sema.getDiagnostics().setSuppressAllDiagnostics(true);
  }
  ~Continuation() {
    sema.TUScope = scopeBefore;
    sema.getDiagnostics().setSuppressAllDiagnostics(wasSilent);
  }
  Continuation(const Continuation &) = delete;
  Continuation &operator=(const Continuation &) = delete;

private:
  Sema &sema;
  Scope scope, *scopeBefore;
  bool wasSilent;
};

bool runsOnDeviceOnly(const FunctionDecl *function) {
  return function->hasAttr<CUDAGlobalAttr>() || (function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>());
}

} // namespace

bool Instantiator::runs(function_ref<void()> instantiation) {
  if (hasCrashed)
    return false;
  hasCrashed = !CrashRecoveryContext().RunSafely([&] {
    const Continuation continuation(sema);
    instantiation();
  });
  return !hasCrashed;
}

/// Follows what the source's own functions call, from the end of the prefix on.
void Instantiator::makeHostCode() {
  do
    while (!sema.PendingInstantiations.empty()) {
      const auto [declaration, location] = sema.PendingInstantiations.front();
      sema.PendingInstantiations.pop_front();
      if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
        if (!runsOnDeviceOnly(function))
          sema.InstantiateFunctionDefinition(location, function);
      } else {
        sema.InstantiateVariableDefinition(location, cast<VarDecl>(declaration));
      }
    }
  while (sema.DefineUsedVTables());
}

std::vector<const FunctionDecl *> Instantiator::instantiate(const FunctionTemplateDecl *kernel) {
  std::vector<const FunctionDecl *> found;
  if (!std::exchange(isHostCodeMade, true))
    runs([&] { makeHostCode(); });
  if (hasCrashed)
    return found;
  for (const FunctionDecl *instance : kernel->specializations())
    if (instance->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
      found.push_back(instance);
  return found;
}

const FunctionDecl *Instantiator::define(const FunctionDecl *function) {
  const FunctionDecl *definition = nullptr;
  if (!function->isDefined(definition) && function->isTemplateInstantiation() && !function->isDependentContext()) {
    runs([&] { sema.InstantiateFunctionDefinition(function->getLocation(), const_cast<FunctionDecl *>(function)); });
  }
  return !hasCrashed && function->isDefined(definition) && !definition->isInvalidDecl() && definition->getBody() ? definition : nullptr;
}

} // namespace kperf
