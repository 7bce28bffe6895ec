// What a device says of itself, and what the vendor calls its runtime API, by whose compiler reads this.
#ifndef KPERF_GPU_DEVICE_INFO_H
#define KPERF_GPU_DEVICE_INFO_H

#if defined(__HIP__)
#include <kperf/hip/DeviceInfo.h>
#else
#include <kperf/cuda/DeviceInfo.h>
#endif

#endif
