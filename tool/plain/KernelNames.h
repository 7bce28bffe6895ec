// Names by which recorded kernels can be told apart.
#ifndef KPERF_TOOL_PLAIN_KERNEL_NAMES_H
#define KPERF_TOOL_PLAIN_KERNEL_NAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf::plain {

/// `ptx` whose kernels that would be recorded under one name are recorded under their demangled ones. Their probes name them by
/// __PRETTY_FUNCTION__, where nvcc says of a lambda its parameters alone: "F = lambda [](int)->void". A text that `plain`, made of the same
/// source without probes, has too is the program's, and stays as it is.
std::string withDistinctNames(llvm::StringRef ptx, llvm::StringRef plain);

} // namespace kperf::plain

#endif
