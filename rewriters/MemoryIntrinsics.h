// CUDA's functions that access memory through their arguments.
#ifndef KPERF_REWRITERS_MEMORYINTRINSICS_H
#define KPERF_REWRITERS_MEMORYINTRINSICS_H

#include <kperf/format.h>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace kperf {

/// An argument that is the address of what the function accesses.
struct AddressArgument {
  unsigned index;
  format::SiteKind kind;
  std::optional<unsigned> bytesIndex; ///< the argument that says how many bytes; without it the pointer's type does
};

/// Empty for functions that are not known to access memory.
llvm::SmallVector<AddressArgument, 2> addressArgumentsOf(llvm::StringRef function);

/// Functions of mathematics and conversions that take their arguments by value, whatever their types.
bool takesValues(llvm::StringRef function);

} // namespace kperf

#endif
