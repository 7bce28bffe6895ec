// Instances of templates. What a rewriter reads is the prefix of a translation unit, at whose end nothing is instantiated: bodies are made
// when they are asked for.
#ifndef KPERF_REWRITERS_INSTANCES_H
#define KPERF_REWRITERS_INSTANCES_H

#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace kperf {

class Instances {
public:
  explicit Instances(clang::Sema &sema) : sema(sema) {}

  /// Those that the translation unit's code for the CPU, or an explicit instantiation, makes of a kernel. Explicit specializations are
  /// none: their text is their own.
  std::vector<const clang::FunctionDecl *> of(const clang::FunctionTemplateDecl *kernel) const;

  /// The function's definition, its body made where it is an instance; null where it has none, or Clang finds an error in it, which is
  /// not reported.
  const clang::FunctionDecl *definitionOf(const clang::FunctionDecl *function) const;

private:
  void makeHostCode() const;
  /// False where Clang crashed, now or before: then nothing is instantiated any more. Only programs that enable
  /// llvm::CrashRecoveryContext when they start survive it, as kperf's do: no handler of signals is installed here.
  bool runs(llvm::function_ref<void()> instantiation) const;

  clang::Sema &sema;
  mutable bool isHostCodeMade = false, hasCrashed = false;
};

} // namespace kperf

#endif
