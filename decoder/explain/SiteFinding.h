// Shared by the findings about memory accesses: how much time fewer passes would save.
#ifndef KPERF_DECODER_SITE_FINDING_H
#define KPERF_DECODER_SITE_FINDING_H

#include "decoder/explain/Finder.h"

#include <string_view>

namespace kperf::decoder {

/// Model: the fix saves a known share of the kernel's passes of one unit (sectors of global memory, wavefronts of shared memory, turns of
/// atomics). At most, that share of the kernel's time is saved, but for what other regions work: all of it would have to be that unit's.
/// Where sectors lie apart (strided, irregular) what is left may take half the time as well, for L2 fetches 64 bytes from memory where 32
/// are asked for (cudaLimitMaxL2FetchGranularity, CUDA Runtime API), and a quarter where they are stored to, for a sector that is written
/// in part has to be read before. Likely, where the device's rate is known, what the saved passes take at that rate, for the rest is hidden
/// by other work; where all of the unit's passes would take longer than the kernel at it (caches and merged stores are faster), their share
/// of the kernel's time; else half. Never less than nothing: other work may hide all of it.
Gain gainOfSite(const SiteFacts &site, const KernelFacts &kernel, const ProgramFacts &program);

/// Adds what is wrong with the sites of a rule that `isOf` takes: those of one array together, and those of one line.
void addSiteFindings(const KernelFacts &kernel, const ProgramFacts &program, bool (*isOf)(std::string_view rule),
                     std::vector<Explained> &out);

} // namespace kperf::decoder

#endif
