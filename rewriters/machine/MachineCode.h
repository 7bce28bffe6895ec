// The load and store instructions that a compiler made of one source file and its headers.
#ifndef KPERF_REWRITERS_MACHINECODE_H
#define KPERF_REWRITERS_MACHINECODE_H

#include <cstddef>
#include <string>
#include <vector>

namespace kperf {

/// One instruction of a GPU: how many bytes it moves for a lane, and where these begin, seen from the access that it belongs to.
struct MachineInstruction {
  unsigned bytes = 0;
  int offset = 0;

  friend auto operator<=>(const MachineInstruction &, const MachineInstruction &) = default;
};

/// A line of the source.
struct MachinePlace {
  std::string file; ///< absolute, without links
  unsigned line = 0;
};

/// One load or store of global or shared memory in PTX.
struct MachineAccess {
  std::string file;  ///< absolute, without links, where its text stands; "" where that is not known
  unsigned line = 0; ///< 0: the compiler moved it, and does not say from where
  unsigned near = 0; ///< the last line that was known before it
  bool isStore = false;
  unsigned bytes = 0;                           ///< of one lane
  std::vector<MachineInstruction> instructions; ///< of its own; none where nobody needs it, or that of `leader` makes it too
  std::size_t leader = kNone;                   ///< index of another access
  std::vector<MachinePlace> callers = {};       ///< of inlined code: where it is called, where that is called, …

  static constexpr std::size_t kNone = ~std::size_t{0};
};

/// Of all functions that were compiled, in the order of their text.
struct MachineCode {
  std::string architecture; ///< "sm_90"; "" where there is no machine code to be had
  std::vector<MachineAccess> accesses;
};

} // namespace kperf

#endif
