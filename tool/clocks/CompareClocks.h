// Compares the clocks of a job's hosts, for a timeline of all their traces: one process on each host takes part.
#ifndef KPERF_TOOL_COMPARE_CLOCKS_H
#define KPERF_TOOL_COMPARE_CLOCKS_H

#include "decoder/io/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kperf::tool {

struct ClockComparison {
  std::string folder;                       ///< that all hosts see; each but that of rank 0 adds a line to a file of its own there
  std::optional<std::uint64_t> rank, hosts; ///< of this process, and of all; nothing: what srun or mpirun says in the environment
  std::uint64_t timeoutSeconds = 60;
};

/// Says on stderr, in the process of rank 0, how exactly each host's clock is known.
decoder::Status compareClocks(const ClockComparison &options);

} // namespace kperf::tool

#endif
