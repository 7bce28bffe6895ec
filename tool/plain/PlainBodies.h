// Puts a kernel's body without probes behind the one with them, for the blocks of a launch that are not recorded.
#ifndef KPERF_TOOL_PLAIN_PLAIN_BODIES_H
#define KPERF_TOOL_PLAIN_PLAIN_BODIES_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace kperf::plain {

/// The label of a body without probes in a kernel that has both.
inline constexpr llvm::StringLiteral kPlainBody = "$kperf_plain_body";

/// `merged` (PtxMerge.h), in which kernels but `except`, mangled names, have the body of their copy behind their own: where one says
/// goOnWithoutProbes() (kperf/cuda/Instructions.h), it goes on there. Parameters and shared memory are the same for both; registers are as
/// many as the one needs that needs more, in practice those of the probes. Left out are kernels that multiply by warp groups or give
/// registers away, whose registers are counted, long ones, which take the assembler long, and those that declare other shared memory
/// without probes.
std::string withPlainBodies(llvm::StringRef merged, const std::set<std::string> &except);

} // namespace kperf::plain

#endif
