// Whose compiler reads this: its clocks, lanes and instructions, under the names that the probes of every GPU share.
#ifndef KPERF_VENDOR_H
#define KPERF_VENDOR_H

/// Defined while code for a GPU is made: the pass in which probes have bodies.
#if defined(__CUDA_ARCH__) || (defined(__HIP__) && defined(__HIP_DEVICE_COMPILE__))
#define KPERF_DEVICE_CODE 1
#endif

#if defined(__HIP__)
#include <kperf/hip/Vendor.h>
#else
#include <kperf/cuda/Vendor.h>
#endif

#endif
