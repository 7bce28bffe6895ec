// Registers kernels' copies without probes where nvcc's host stub registers the kernels.
#ifndef KPERF_TOOL_PLAIN_STUB_ENTRIES_H
#define KPERF_TOOL_PLAIN_STUB_ENTRIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf::plain {

/// The text of a stub (*.cudafe1.stub.c) in which each __cudaRegisterEntry of one of these kernels is followed by one of its copy
/// (cuda/launch/PlainKernels.h). What is not found has no copy.
std::string withPlainEntries(llvm::StringRef stub, llvm::ArrayRef<std::string> kernels);

/// The same text where the entries of these kernels say that the kernel itself has no probes either.
std::string withOnlyPlainEntries(llvm::StringRef stub, llvm::ArrayRef<std::string> kernels);

} // namespace kperf::plain

#endif
