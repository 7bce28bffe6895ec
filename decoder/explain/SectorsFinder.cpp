// Global accesses that move sectors of which little is used: strided, misaligned, gathered, partial. The model of the gain is
// SiteFinding.h's.
#include "decoder/explain/SiteFinding.h"

namespace kperf::decoder {

void findSectors(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  addSiteFindings(kernel, program, [](std::string_view rule) { return rule.ends_with("-access") || rule == "partial-warp"; }, out);
}

} // namespace kperf::decoder
