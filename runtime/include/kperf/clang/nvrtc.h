// Force-included behind nvcc.h while kperf-rewrite parses a source that NVRTC compiles: what that defines.
#ifndef KPERF_CLANG_NVRTC_H
#define KPERF_CLANG_NVRTC_H

#define __CUDACC_RTC__ 1
#ifdef KPERF_DEVICE_BY_DEFAULT // its option -default-device
#pragma clang force_cuda_host_device begin
#endif

#endif
