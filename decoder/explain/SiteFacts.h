// The faults of memory accesses by kernel, with the share of the kernel's traffic that each wastes.
#ifndef KPERF_DECODER_SITE_FACTS_H
#define KPERF_DECODER_SITE_FACTS_H

#include "decoder/explain/Facts.h"

#include <span>

namespace kperf::decoder {

/// Sectors of 32 bytes that an SM gets from L2 in a cycle (64 bytes: CUDA C++ Best Practices Guide, and Jia et al., "Dissecting the
/// NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, section 3.4), and passes over the banks of shared memory (one).
inline constexpr double kSectorsPerCycle = 2, kPassesPerCycle = 1;

/// Whether the sectors that an access wastes lie apart: of a misaligned one they are its neighbours', which asked for them already.
bool areApart(const MemoryFinding &fault);

/// Adds to each kernel the faults of the sites in it: of those in its own body, of those in a region that it entered, and of all others
/// where it is the only kernel. What is left is of the kernel that took most time, for nobody knows better.
Status addSites(ProgramFacts &facts, std::span<const Trace> traces);

} // namespace kperf::decoder

#endif
