// Reads which instructions of a cubin load and store, and where in the source each comes from.
#ifndef KPERF_TOOL_MACHINE_CUBIN_H
#define KPERF_TOOL_MACHINE_CUBIN_H

#include "rewriters/machine/MachineCode.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kperf::machine {

/// `image`: a cubin of sm_70 or later that ptxas made of the PTX `ptx` with --generate-line-info. ptxas says of each instruction the line
/// of PTX that it comes from, and PTX says the place in the source. Fails where one of these is not there, and where the cubin is of
/// other PTX. The architecture is left to the caller.
llvm::Expected<MachineCode> readCubin(llvm::StringRef image, llvm::StringRef ptx);

} // namespace kperf::machine

#endif
