// Adds kernels without probes to the PTX module that holds those with probes.
#ifndef KPERF_TOOL_PLAIN_PTX_MERGE_H
#define KPERF_TOOL_PLAIN_PTX_MERGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kperf::plain {

/// What a kernel's copy without probes is called: its name with this behind it. runtime/preload/DriverHooks.cpp says the same.
inline constexpr llvm::StringLiteral kPlainSuffix = "__kperf_plain";

struct MergedPtx {
  std::string text;
  std::vector<std::string> kernels; ///< mangled names of those that have a copy
};

/// `instrumented` with a copy of each kernel that `plain`, made of the same source without probes, has with another text. Functions that
/// copies call are copied too; variables are there once, so that both see one state. Kernels that `instrumented` lacks are left out.
/// Fails where the two can't be one module: with device debug information, or a variable that they declare differently.
llvm::Expected<MergedPtx> withPlainKernels(llvm::StringRef instrumented, llvm::StringRef plain);

/// Mangled names of the kernels that have a copy in `merged`.
std::vector<std::string> kernelsWithCopies(llvm::StringRef merged);

/// Those of `kernels`, which have a copy in `merged`, that are one of `functions` or reach one by calls.
std::vector<std::string> kernelsReaching(llvm::StringRef merged, llvm::ArrayRef<std::string> kernels,
                                         llvm::ArrayRef<std::string> functions);

/// The functions and kernels of `ptx` in whose own text the word stands.
std::vector<std::string> functionsWith(llvm::StringRef ptx, llvm::StringRef word);

/// `merged` with these kernels made like their copies: what is launched under their names has no probes.
std::string withoutProbes(llvm::StringRef merged, llvm::ArrayRef<std::string> kernels);

/// `ptx` with these kernels only, and all its functions and variables.
std::string withKernelsAlone(llvm::StringRef ptx, const std::set<std::string> &kernels);

/// `ptx` as it is made without line numbers.
std::string withoutLines(llvm::StringRef ptx);

/// The most threads of a block, of the kernels whose PTX limits them (.maxntid, .reqntid), by mangled name.
std::map<std::string, unsigned> blockLimits(llvm::StringRef ptx);

/// `ptx` with kernels, by mangled name, that are given so many registers a thread at most; the assembler spills what does not fit.
std::string withRegisterLimits(llvm::StringRef ptx, const std::map<std::string, unsigned> &limits);

} // namespace kperf::plain

#endif
