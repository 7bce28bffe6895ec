// Disassembles a program with NVIDIA's tools.
#ifndef KPERF_TOOL_PLACEMENT_DISASSEMBLY_H
#define KPERF_TOOL_PLACEMENT_DISASSEMBLY_H

#include "decoder/io/Error.h"
#include "tool/placement/Program.h"

#include <string>
#include <vector>

namespace kperf::placement {

struct Disassembly {
  std::string architecture; ///< "sm_90"; "" of a cubin that was given as such
  std::string text;         ///< of nvdisasm, with lines of the source and where they are inlined
};

/// Of each cubin in the program. `folder`: an empty one, for what is unpacked. Fails where cuobjdump or nvdisasm is not there, or fails.
decoder::Expected<std::vector<Disassembly>> disassemble(const Program &program, const std::string &path, const std::string &folder);

} // namespace kperf::placement

#endif
