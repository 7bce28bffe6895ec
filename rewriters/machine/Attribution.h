// Assigns machine instructions to the access sites that they come from.
#ifndef KPERF_REWRITERS_ATTRIBUTION_H
#define KPERF_REWRITERS_ATTRIBUTION_H

#include "rewriters/machine/MachineCode.h"
#include "rewriters/plan/Site.h"

#include <vector>

namespace kperf {

/// Fills in Site::machine of the sites whose instructions the compiler chooses. Compilers say of an instruction the line that it comes
/// from and no more, so what is looked at together are the sites of one line that load, and those that store. Where they leave more than
/// one answer the state is Varies; of lines that also hold what is not told apart from these sites (inline assembly, accesses of
/// macros), and of sites whose size depends on template arguments, nothing is said.
void attributeMachineCode(const MachineCode &code, std::vector<Site> &sites);

} // namespace kperf

#endif
