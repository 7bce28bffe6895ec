// Whose compiler reads this: its clocks, lanes and instructions, under the names that the probes of every GPU share.
#ifndef KPERF_VENDOR_H
#define KPERF_VENDOR_H

/// Defined while code for a GPU is made: the pass in which probes have bodies.
#if defined(__CUDA_ARCH__) || (defined(__HIP__) && defined(__HIP_DEVICE_COMPILE__))
#define KPERF_DEVICE_CODE 1
#endif

#if defined(__HIP__)
#include <kperf/hip/Clock.h>
#include <kperf/hip/Instructions.h>
/// A value that all lanes have alike, in registers of the lanes: AMD's compilers would keep it in the wave's own, which
/// are fewer. What is found of such values is found by all lanes.
#define KPERF_PER_LANE(value) inVector(value)
#define KPERF_FOUND(isSo) anyLane(0, isSo)
#else
#define KPERF_PER_LANE(value) value
#define KPERF_FOUND(isSo) (isSo)
#include <kperf/cuda/Clock.h>
#include <kperf/cuda/Instructions.h>
#endif

#endif
