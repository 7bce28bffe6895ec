// Threads that keep something in local memory: registers that the compiler had to spill, and arrays that are indexed.
//
// Model: none. How often local memory is accessed is not in the trace, so what a fix gains is not known. The driver says how many bytes the
// compiled kernel needs, of spills and arrays together; only those of the build without probes are the program's own.
#include "decoder/explain/Finder.h"

#include <fmt/format.h>

namespace kperf::decoder {

void findLocalMemory(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  constexpr std::uint32_t kMinBytes = 32, kMaxRegisters = 255; // some bytes of spills, at a kernel's ends, cost nothing
  const format::KernelRecord *const needs = kernel.plainNeeds ? &*kernel.plainNeeds : kernel.needs ? &*kernel.needs : nullptr;
  if (!needs || needs->localBytes < kMinBytes)
    return;
  Explained found{.rule = "local-memory", .what = fmt::format("each thread keeps {} B in local memory", needs->localBytes)};
  found.place = kernel.regions.empty() ? "" : placeOf(program, kernel.regions.front().region);
  found.evidence = fmt::format("{} registers and {} B of local memory a thread", needs->registers, needs->localBytes);
  if (kernel.plainNeeds && kernel.needs)
    found.evidence += fmt::format("; with probes {} and {} B", kernel.needs->registers, kernel.needs->localBytes);
  found.command = "dump: needs";
  found.why =
      needs->registers >= kMaxRegisters
          ? "it needs more registers than a thread can have: the rest is spilled, and is read and written through the L1"
          : "spilled registers, or arrays that are indexed: both are read and written through the L1 (ptxas -v says how many spills)";
  found.remedy =
      "of spills fewer values at once, or a smaller __launch_bounds__; of arrays indices that the compiler knows (#pragma unroll)";
  found.confirm = "local of its needs in kperf dump goes to 0; duration in kperf report";
  found.gain = {.isKnown = false};
  if (!kernel.plainNeeds)
    found.doubt = "with probes, which may have added that; --build and --run ask without";
  out.push_back(std::move(found));
}

} // namespace kperf::decoder
