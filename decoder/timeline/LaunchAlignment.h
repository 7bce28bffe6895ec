// Puts the launches of a trace where another tool saw the same kernels run.
#ifndef KPERF_DECODER_LAUNCH_ALIGNMENT_H
#define KPERF_DECODER_LAUNCH_ALIGNMENT_H

#include "decoder/timeline/OtherTimeline.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kperf::decoder {

/// Of the launches of one device.
struct LaunchAlignment {
  std::vector<std::int64_t> shiftsNs; ///< of each launch, to be added to its times; one that was not found has that of its neighbour
  std::int64_t shiftNs = 0;
  std::uint64_t found = 0;     ///< launches of which the other has a kernel at that place
  std::int64_t maxErrorNs = 0; ///< of those that were found: no shift is further from the true one
  bool isOneOfSeveral = false; ///< another shift, by more than the error, fits as many
};

/// `launches`: from the first warp's start to the last one's end, so that each lies within the kernel's own extent; by begin. A kernel is
/// the same where its name without namespaces, arguments and parameters is, and grid and block where both say them. The clocks may begin
/// anywhere, and one may be faster by a ten-thousandth. Nothing is found where no name is the same. `near`: no shift is taken that is
/// further from it than half a second.
LaunchAlignment alignLaunches(std::span<const KernelRun> launches, std::span<const KernelRun> others,
                              std::optional<std::int64_t> near = std::nullopt);

} // namespace kperf::decoder

#endif
