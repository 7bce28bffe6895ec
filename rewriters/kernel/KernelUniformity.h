// Judges kernels' bodies once, before anything is planned: which of their statements whole warps come to.
#ifndef KPERF_REWRITERS_KERNELUNIFORMITY_H
#define KPERF_REWRITERS_KERNELUNIFORMITY_H

#include "rewriters/analysis/Instantiator.h"
#include "rewriters/analysis/WarpUniformity.h"
#include "rewriters/unit/TranslationUnit.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>

namespace kperf {

/// Of which of its kernel templates a translation unit has all instances that there are.
enum class KnownInstances {
  None,       ///< others may call its kernels
  OfMainFile, ///< others include its headers, of which they get the same copies
  All
};

class KernelUniformity {
public:
  /// Has Clang make instances of the templates among `kernels`, where the unit has all of them and the judgement depends on them. Nothing
  /// is added to the AST later.
  KernelUniformity(const TranslationUnit &unit, Instantiator instantiator, KnownInstances known,
                   llvm::ArrayRef<const clang::FunctionDecl *> kernels);

  /// Null where it is none of those: then nothing is known of it.
  const WarpUniformity *of(const clang::FunctionDecl *kernel) const {
    const auto found = judged.find(kernel);
    return found == judged.end() ? nullptr : &found->second;
  }

private:
  std::map<const clang::FunctionDecl *, WarpUniformity> judged;
};

} // namespace kperf

#endif
