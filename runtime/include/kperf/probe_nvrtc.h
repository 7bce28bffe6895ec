// What a source that NVRTC compiles begins with: the probes, for a compiler that has neither a standard library nor CUDA's headers.
//
// The names that the probes take of those are kperf's own here, by macros that end with this file: the program may declare its own, which
// need not be the same types.
#ifndef KPERF_PROBE_NVRTC_H
#define KPERF_PROBE_NVRTC_H

#ifdef __CUDACC_RTC__ // others take kperf/probe.h

#define int8_t kperf_int8
#define int16_t kperf_int16
#define int32_t kperf_int32
#define int64_t kperf_int64
#define uint8_t kperf_uint8
#define uint16_t kperf_uint16
#define uint32_t kperf_uint32
#define uint64_t kperf_uint64
#define uintptr_t kperf_uintptr
#define conditional kperf_conditional
#define is_same kperf_is_same

typedef signed char kperf_int8;
typedef short kperf_int16;
typedef int kperf_int32;
typedef long kperf_int64;
typedef unsigned char kperf_uint8;
typedef unsigned short kperf_uint16;
typedef unsigned kperf_uint32;
typedef unsigned long kperf_uint64;
typedef unsigned long kperf_uintptr;

namespace std {
using ::kperf_int16;
using ::kperf_int32;
using ::kperf_int64;
using ::kperf_int8;
using ::kperf_uint16;
using ::kperf_uint32;
using ::kperf_uint64;
using ::kperf_uint8;
using ::kperf_uintptr;
template <bool Is, typename Then, typename Else> struct kperf_conditional {
  typedef Then type;
};
template <typename Then, typename Else> struct kperf_conditional<false, Then, Else> {
  typedef Else type;
};
} // namespace std

#ifndef offsetof
#define offsetof(type, member) __INTADDR__(&(((type *)0)->member)) // of its front end: a constant
#define KPERF_OWN_OFFSETOF
#endif

#define KPERF_DEVICE_TABLES 1
#include <kperf/abi/registration.h>
#include <kperf/cuda/memory/CountSteps.h>
#include <kperf/cuda/record/CalledKernel.h>
#include <kperf/cuda/record/EventRow.h>
#include <kperf/cuda/record/Frame.h>
#include <kperf/cuda/record/FunctionStream.h>
#include <kperf/cuda/record/KernelStream.h>
#include <kperf/gpu/memory/MemoryProbe.h>
#include <kperf/gpu/record/ArenaReclaim.h>
#include <kperf/gpu/record/Calibration.h>
#include <kperf/gpu/record/SampledKernel.h>
#include <kperf/gpu/record/WaitProbe.h>

#ifdef KPERF_OWN_OFFSETOF
#undef KPERF_OWN_OFFSETOF
#undef offsetof
#endif
#undef int8_t
#undef int16_t
#undef int32_t
#undef int64_t
#undef uint8_t
#undef uint16_t
#undef uint32_t
#undef uint64_t
#undef uintptr_t
#undef conditional
#undef is_same

#endif
#endif
