// Atomics of which many lanes update one address at once. The model of the gain is SiteFinding.h's: turns count as passes.
#include "decoder/explain/SiteFinding.h"

namespace kperf::decoder {

void findHotAtomic(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  addSiteFindings(kernel, program, [](std::string_view rule) { return rule == "same-address"; }, out);
}

} // namespace kperf::decoder
