// Force-included behind nvcc.h while kperf-rewrite parses a source that NVRTC compiles: what that defines.
#ifndef KPERF_CLANG_NVRTC_H
#define KPERF_CLANG_NVRTC_H

#define __CUDACC_RTC__ 1

#endif
