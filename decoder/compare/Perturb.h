// Compares each kernel's registers, local memory, shared memory, occupancy and time with those of the same program without probes.
#ifndef KPERF_DECODER_PERTURB_H
#define KPERF_DECODER_PERTURB_H

#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <optional>
#include <span>
#include <string>

namespace kperf::decoder {

struct PerturbOptions {
  std::string kernel;                  ///< shell pattern; "" for all
  std::optional<double> budgetPercent; ///< of time; nothing: there is none
};

struct Perturbation {
  Table table;         ///< a row for each kernel and build; the verdict is its last note
  bool isOver = false; ///< there is a budget, and no build keeps it
  /// What the last build costs, all kernels together that were timed in both traces.
  std::optional<double> lastOverheadPercent = {};
};

/// `clean`: a trace of the program without probes (--probes=launches). `builds`: of the same program with probes, the one that tells
/// most first, and each with launches that were timed (KPERF_LAUNCH_TIMES=1). Kernels are the same by name, block size and dynamic
/// shared memory. Fails when a trace says nothing of kernels, no kernel matches, or there is a budget and no time. A build keeps
/// the budget only when all kernels were timed.
Expected<Perturbation> perturbation(const Trace &clean, std::span<const Trace> builds, const PerturbOptions &options);

/// One block in more than that says little of the others.
inline constexpr std::uint32_t kMaxBlocks = 1u << 10;

/// Of a build that costs so much with every block recorded: for one block in how many that would be within the budget, if all of it were
/// in proportion. A power of two from 2 to kMaxBlocks.
std::uint32_t blocksForBudget(double overheadPercent, double budgetPercent);

} // namespace kperf::decoder

#endif
