// The vendor whose GPU this is compiled for: its clocks, lanes, instructions and memory, and what its devices say of themselves, under the
// names that the probes of every GPU share.
#ifndef KPERF_VENDOR_H
#define KPERF_VENDOR_H

#include <kperf/abi/Target.h>

#if defined(KPERF_FOR_AMD)
#include <kperf/hip/Vendor.h>
#elif defined(KPERF_FOR_NVIDIA)
#include <kperf/cuda/Vendor.h>
#else // a test on the CPU, where kperf/gpu/memory/AccessCounts.h is held against a plain statement of its rules
#include <kperf/cuda/LaneVotes.h>
#endif

#endif
