// Acts as the assembler: falls back where it refuses copies of kernels, serialises wgmma or takes too long.
#ifndef KPERF_TOOL_PLAIN_ASSEMBLY_H
#define KPERF_TOOL_PLAIN_ASSEMBLY_H

#include "tool/plain/Step.h"

namespace kperf::plain {

/// One run of ptxas, on PTX with copies of its kernels or without. `command` begins with the program's name. Returns the exit code.
int runAssembly(const Plan &plan, Words command);

} // namespace kperf::plain

#endif
