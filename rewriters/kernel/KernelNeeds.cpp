// Adds up what the probes of several rewriters need.
#include "rewriters/kernel/KernelNeeds.h"

#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/STLExtras.h"

namespace kperf {

void KernelParts::add(const KernelParts &other) {
  convergent.add(other.convergent.max()); // what can't be bounded stays so
  divergent.add(other.divergent.max());
  shared.add(other.shared.max());
  pieces.add(other.pieces.max());
  for (const auto &[statement, records] : other.convergentRecords)
    convergentRecords[statement] += records;
  llvm::append_range(sums, other.sums);
  partings.insert(other.partings.begin(), other.partings.end());
  isCalled |= other.isCalled;
  usesStream |= other.usesStream;
  usesRow |= other.usesRow;
  hasObjects |= other.hasObjects;
}

void KernelNeeds::set(const clang::FunctionDecl *function, const KernelParts &parts) {
  if (const clang::FunctionDecl *kernel = enclosingKernel(function)) {
    kernels[kernel] = parts;
  } else {
    functionsHoldProbes |= !(parts.usesStream || parts.usesRow) || parts.isCalled;
    functionsHoldStreams |= parts.usesStream;
    functionsHoldEvents |= parts.usesRow;
  }
  edited.push_back(function);
}

void KernelNeeds::add(const KernelNeeds &other) {
  for (const auto &[kernel, parts] : other.kernels)
    kernels[kernel].add(parts);
  kernelsWithAccesses.insert(other.kernelsWithAccesses.begin(), other.kernelsWithAccesses.end());
  llvm::append_range(edited, other.edited);
  streams.add(other.streams);
  functionsHoldProbes |= other.functionsHoldProbes;
  functionsHoldStreams |= other.functionsHoldStreams;
  functionsHoldEvents |= other.functionsHoldEvents;
}

} // namespace kperf
