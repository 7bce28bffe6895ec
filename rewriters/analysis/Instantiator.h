// Has Clang make instances of templates. What a rewriter reads is the prefix of a translation unit, at whose end nothing is instantiated.
#ifndef KPERF_REWRITERS_INSTANTIATOR_H
#define KPERF_REWRITERS_INSTANTIATOR_H

#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace kperf {

/// Adds to the AST, and changes nothing that it holds: what is not asked for is not made, for that takes time, and Clang may crash. It is
/// given to what acts (KernelUniformity.h), and to nothing that answers of a translation unit.
class Instantiator {
public:
  explicit Instantiator(clang::Sema &sema) : sema(sema) {}

  /// Makes what the translation unit's code for the CPU, or an explicit instantiation, makes of templates: the kernel's instances.
  /// Explicit specializations are none: their text is their own.
  std::vector<const clang::FunctionDecl *> instantiate(const clang::FunctionTemplateDecl *kernel);

  /// Makes the function's body where it is an instance without one. The definition; null where it has none, or Clang finds an error in
  /// it, which is not reported.
  const clang::FunctionDecl *define(const clang::FunctionDecl *function);

private:
  void makeHostCode();
  /// False where Clang crashed, now or before: then nothing is instantiated any more. Only programs that enable
  /// llvm::CrashRecoveryContext when they start survive it, as kperf's do: no handler of signals is installed here.
  bool runs(llvm::function_ref<void()> instantiation);

  clang::Sema &sema;
  bool isHostCodeMade = false, hasCrashed = false;
};

} // namespace kperf

#endif
