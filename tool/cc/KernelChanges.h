// Tells the user what probes changed in the kernels that nvcc built with and without them.
#ifndef KPERF_TOOL_CC_KERNEL_CHANGES_H
#define KPERF_TOOL_CC_KERNEL_CHANGES_H

#include "tool/cc/Culprits.h"
#include "tool/cc/Options.h"
#include "tool/plain/PlainCopies.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kperf::cc {

/// A line on stderr for each kernel that changed: all of them under --verbose, else the first few of those whose change is large. Kernels
/// that were refused their probes, or some of them, are named in any case: in a warning, or under --strict in an error. `source`: whose
/// kernels they are; "" where that is not known.
void sayChanges(llvm::ArrayRef<plain::KernelChange> changes, const Options &options, llvm::StringRef source);

/// Says that a search begins for what keeps these kernels from being built.
void saySearch(llvm::ArrayRef<plain::KernelChange> refused);

/// Adds to the changes, for each kernel that can't be built with some of the culprits, which those are, why, and what to do.
void addLeftOut(llvm::ArrayRef<Culprit> culprits, const plain::PlainCopies &plain);

} // namespace kperf::cc

#endif
