// Accesses to shared memory whose lanes want the same bank. The model of the gain is SiteFinding.h's.
#include "decoder/explain/SiteFinding.h"

namespace kperf::decoder {

void findBankConflicts(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  addSiteFindings(kernel, program, [](std::string_view rule) { return rule == "bank-conflict"; }, out);
}

} // namespace kperf::decoder
