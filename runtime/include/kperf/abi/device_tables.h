// The tables of a module that is loaded without host code (a cubin, PTX, what NVRTC makes), as text in the module itself, where whoever
// loads the module finds it: kperf run does (runtime/driver). Included where KPERF_DEVICE_TABLES is defined, by registration.h.
//
// Each symbol is an array of characters: the rows as the rewriter wrote them, which are C++ initialisers.
#ifndef KPERF_DEVICE_TABLES_H
#define KPERF_DEVICE_TABLES_H

#ifdef KPERF_DEVICE_TABLES

#ifdef KPERF_SWITCHABLE
#define KPERF_TABLES_SWITCHABLE 1u
#else
#define KPERF_TABLES_SWITCHABLE 0u
#endif

#ifndef KPERF_ACCESSES_SAMPLED
#define KPERF_ACCESSES_SAMPLED 0
#endif

// The head: version, whether probes look at switches, kperf_module::sample_accesses.
#define KPERF_TABLE_HEAD __device__ unsigned kperf_table_head[] = {KPERF_MODULE_ABI, KPERF_TABLES_SWITCHABLE, KPERF_ACCESSES_SAMPLED};
#define KPERF_REGIONS(...)                                                                                                                 \
  KPERF_CALIBRATION_KERNEL                                                                                                                 \
  extern "C" {                                                                                                                             \
  KPERF_TABLE_HEAD                                                                                                                         \
  __device__ char kperf_table_regions[] = #__VA_ARGS__;                                                                                    \
  }
#define KPERF_NO_REGIONS                                                                                                                   \
  extern "C" {                                                                                                                             \
  KPERF_TABLE_HEAD                                                                                                                         \
  __device__ char kperf_table_regions[] = "";                                                                                              \
  }
#define KPERF_SITES(...)                                                                                                                   \
  extern "C" {                                                                                                                             \
  __device__ char kperf_table_sites[] = #__VA_ARGS__;                                                                                      \
  }
#define KPERF_SAMPLE_OF(blocks)                                                                                                            \
  extern "C" {                                                                                                                             \
  __device__ unsigned kperf_table_sample = blocks;                                                                                         \
  }

#endif
#endif
