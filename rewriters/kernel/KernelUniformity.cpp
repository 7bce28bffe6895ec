// Decides which kernels' instances are known, and judges all kernels.
#include "rewriters/kernel/KernelUniformity.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {

namespace {

/// Code that the preprocessor leaves out here, where it reads for a GPU, may be there for the CPU, and launch other instances.
bool seesAllLaunches(const TranslationUnit &unit) {
  return none_of(unit.preprocessing.skipped, [&](clang::SourceRange range) {
    const auto [file, begin] = unit.sources.getDecomposedLoc(range.getBegin());
    const auto [endFile, end] = unit.sources.getDecomposedLoc(range.getEnd());
    const StringRef text = unit.sources.getBufferData(file), skipped = text.slice(begin, end);
    return file == endFile && !unit.sources.isInSystemHeader(range.getBegin()) && text.contains("__CUDA_ARCH__") &&
           (skipped.contains("<<<") || skipped.contains("LaunchKernel"));
  });
}

bool areInstancesKnown(const TranslationUnit &unit, KnownInstances known, const clang::FunctionDecl *kernel) {
  const bool isInMainFile = unit.expansionPlace(kernel->getLocation()).file == unit.sources.getMainFileID();
  // In a system header, code that launches it may not have been read.
  const bool areAll = known == KnownInstances::All && !unit.sources.isInSystemHeader(kernel->getLocation());
  return areAll || (isInMainFile && known != KnownInstances::None);
}

} // namespace

KernelUniformity::KernelUniformity(const TranslationUnit &unit, Instantiator instantiator, KnownInstances known,
                                   ArrayRef<const clang::FunctionDecl *> kernels) {
  const bool areLaunchesSeen = seesAllLaunches(unit);
  for (const clang::FunctionDecl *kernel : kernels)
    judged.try_emplace(kernel, kernel, areLaunchesSeen && areInstancesKnown(unit, known, kernel) ? &instantiator : nullptr);
}

} // namespace kperf
