// Finds the loads and stores in the text of PTX.
#ifndef KPERF_TOOL_MACHINE_PTXTEXT_H
#define KPERF_TOOL_MACHINE_PTXTEXT_H

#include "rewriters/machine/MachineCode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace kperf::machine {

/// A load or store of global, shared or unknown memory.
struct PtxAccess {
  unsigned ptxLine = 0; ///< 1-based
  unsigned block = 0;   ///< which stretch of code without labels and jumps it is in
  std::string file;     ///< of the innermost place in the source; "" where PTX names none
  unsigned line = 0;
  unsigned near = 0; ///< the last line before it that is not 0, in the same file
  bool isStore = false;
  unsigned bytes = 0; ///< of one lane
  std::string base;   ///< state space and register
  int offset = 0;
  std::vector<MachinePlace> callers = {}; ///< of inlined code: where it is called, where that is called, …
};

/// In the order of the text. What can't be read as PTX is skipped.
std::vector<PtxAccess> readPtx(llvm::ArrayRef<llvm::StringRef> lines);

} // namespace kperf::machine

#endif
