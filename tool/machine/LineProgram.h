// The line number program by which ptxas says which line of PTX an instruction comes from (section .nv_debug_line_sass).
#ifndef KPERF_TOOL_MACHINE_LINEPROGRAM_H
#define KPERF_TOOL_MACHINE_LINEPROGRAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace kperf::machine {

/// From this address on, up to that of the next row, instructions come from the line.
struct LineRow {
  std::uint64_t address = 0;
  unsigned line = 0;
};

/// The rows of one function.
struct LineSequence {
  std::uint64_t addressAt = 0; ///< offset in the section of the word that a relocation gives the function's address
  std::vector<LineRow> rows;   ///< ascending; addresses are relative to the function's begin
  std::uint64_t end = 0;
};

/// DWARF 2, section 6.2. Fails where the section ends too early.
llvm::Expected<std::vector<LineSequence>> readLineProgram(llvm::StringRef section);

} // namespace kperf::machine

#endif
