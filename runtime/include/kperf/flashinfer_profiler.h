// The annotations of FlashInfer's kernels as kperf's, without an edit of FlashInfer: give -include kperf/flashinfer_profiler.h, and leave
// FLASHINFER_ENABLE_PROFILER undefined. It stands in for <flashinfer/profiler.cuh>: events have the names of their enumerators, and no
// buffer is passed to kernels.
#ifndef KPERF_FLASHINFER_PROFILER_H
#define KPERF_FLASHINFER_PROFILER_H

#define FLASHINFER_PROFILER_CUH_ // what that header defines: it is not read

#define PROFILER_CLOSURE_PARAMS_DECL
#define PROFILER_CLOSURE_FUNC_PARAMS
#define PROFILER_FUNC_PARAMS
#define PROFILER_PARAMS_DECL
#define PROFILER_INIT(...)

#ifdef KPERF_REWRITING
#include <kperf/annotate_rewriting.h>
#define PROFILER_EVENT_START(closure, event) KPERF_IMPORTED("begin", "PROFILER_EVENT_START", event)
#define PROFILER_EVENT_END(closure, event) KPERF_IMPORTED("end", "PROFILER_EVENT_END", event)
#define PROFILER_EVENT_INSTANT(closure, event) KPERF_IMPORTED("mark", "PROFILER_EVENT_INSTANT", event)
#else
#define PROFILER_EVENT_START(closure, event)
#define PROFILER_EVENT_END(closure, event)
#define PROFILER_EVENT_INSTANT(closure, event)
#endif

#endif
