// What rewriters put into kernels, and the object at each kernel's top that their probes record through.
#ifndef KPERF_REWRITERS_KERNELPROBES_H
#define KPERF_REWRITERS_KERNELPROBES_H

#include "AnnotatedFunction.h"
#include "RecordPart.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace kperf {

class KernelProbes {
public:
  /// What a kernel's object has to provide so far; of no kernel, nothing.
  KernelParts partsOf(const clang::FunctionDecl *kernel) const;
  /// A function got probes; `parts` is of the kernel that it is or lies in, if any.
  void add(const TranslationUnit &unit, const clang::FunctionDecl *function, const KernelParts &parts);
  /// Puts the objects into the kernels that need one: call it once, after the last add().
  void plan(TranslationUnit &unit, llvm::ArrayRef<const clang::FunctionDecl *> kernels) const;

private:
  llvm::DenseMap<const clang::FunctionDecl *, KernelParts> kernelsWithProbes;
  llvm::DenseSet<clang::FileID> editedFiles;
  bool functionsHoldProbes = false;
};

/// Whether the kernel's opening brace can be edited.
bool hasPlaceForKernel(const TranslationUnit &unit, const clang::FunctionDecl *kernel);

} // namespace kperf

#endif
