// Which memory an address lies in, and the memory probes' own accesses, by whose compiler reads this.
#ifndef KPERF_GPU_MEMORY_SPACES_H
#define KPERF_GPU_MEMORY_SPACES_H

#if defined(__HIP__)
#include <kperf/hip/MemorySpaces.h>
#else
#include <kperf/cuda/MemorySpaces.h>
#endif

#endif
