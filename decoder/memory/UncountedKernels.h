// Finds kernels that were launched and whose files list no memory access, counted or not.
#ifndef KPERF_DECODER_UNCOUNTED_KERNELS_H
#define KPERF_DECODER_UNCOUNTED_KERNELS_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

struct UncountedKernel {
  std::string name, file;
  std::uint32_t line;
};

/// Where other files list some: those were built with --probes=memory, and these without, or they have no access. `functions`: shell
/// pattern.
Expected<std::vector<UncountedKernel>> uncountedKernels(std::span<const Trace> traces, const std::string &functions);

/// That numbers of accesses are without those; "" where there are none.
std::string uncountedNote(std::span<const Trace> traces, const std::string &functions);

} // namespace kperf::decoder

#endif
