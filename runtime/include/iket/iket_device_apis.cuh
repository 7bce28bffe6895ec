// IKET's annotations (NVIDIA's In-Kernel Event Tracing) as kperf's: <iket/iket_device_apis.cuh> under kperf-cc, where no other is in front
// of it. CUB's have names of their own for them, which -D_CCCL_ENABLE_IKET turns on.
//
//   CREATE_IKET_START_END_RANGE(Load);                         declares an event; nothing is needed for it here
//   IKET_RANGE_START(Load); … IKET_RANGE_END(Load);            a region, as KPERF_BEGIN("Load") … KPERF_END("Load")
//   IKET_RANGE_PUSH(Load); … IKET_RANGE_POP();                 the same; the end is that of the innermost, as the function's text has them
//   IKET_MARK(Load);                                           an instant, as KPERF_MARK("Load")
//
// Payloads, of those that end in _EX, are not recorded and not evaluated.
#ifndef KPERF_IKET_DEVICE_APIS_CUH
#define KPERF_IKET_DEVICE_APIS_CUH

#define CREATE_IKET_START_END_RANGE(name)
#define CREATE_IKET_PUSH_POP_RANGE(name)
#define CREATE_IKET_MARKER(name)
#define CREATE_IKET_START_END_RANGE_EX(...)
#define CREATE_IKET_PUSH_POP_RANGE_EX(...)
#define CREATE_IKET_MARKER_EX(...)

#ifdef KPERF_REWRITING
#include <kperf/annotate_rewriting.h>
#define IKET_RANGE_START(name) KPERF_IMPORTED("begin", "IKET_RANGE_START", name)
#define IKET_RANGE_END(name) KPERF_IMPORTED("end", "IKET_RANGE_END", name)
#define IKET_RANGE_PUSH(name) KPERF_IMPORTED("push", "IKET_RANGE_PUSH", name)
#define IKET_RANGE_POP() KPERF_IMPORTED("pop", "IKET_RANGE_POP", )
#define IKET_MARK(name) KPERF_IMPORTED("mark", "IKET_MARK", name)
#else
#define IKET_RANGE_START(name)
#define IKET_RANGE_END(name)
#define IKET_RANGE_PUSH(name)
#define IKET_RANGE_POP()
#define IKET_MARK(name)
#endif

#define IKET_RANGE_START_EX(name, ...) IKET_RANGE_START(name)
#define IKET_RANGE_END_EX(name, ...) IKET_RANGE_END(name)
#define IKET_RANGE_PUSH_EX(name, ...) IKET_RANGE_PUSH(name)
#define IKET_RANGE_POP_EX(...) IKET_RANGE_POP()
#define IKET_MARK_EX(name, ...) IKET_MARK(name)

#endif
