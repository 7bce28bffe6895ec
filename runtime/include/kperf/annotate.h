// The annotations that a kernel author writes; in an ordinary build every one of them expands to nothing.
//
//   KPERF_SCOPE("load tile");            a region from here to the end of the enclosing block
//   KPERF_BEGIN("mma"); … KPERF_END("mma");  a region with any control flow in between; several may be in flight
//   KPERF_MARK("tile", k);               an instant with an optional payload, converted to 32 bits
//   #pragma kperf region("softmax")      the next statement, loop or block
//
// Names are string literals. kperf-rewrite reads these spellings; the vendor's compiler never sees anything of them.
#ifndef KPERF_ANNOTATE_H
#define KPERF_ANNOTATE_H

#ifdef KPERF_REWRITING
#include <kperf/annotate_rewriting.h>
#else
#define KPERF_SCOPE(name)
#define KPERF_BEGIN(name)
#define KPERF_END(name)
#define KPERF_MARK(...)
// A pragma that a compiler does not know is a warning, and an error where warnings are: nothing else is hidden but the same of others'
// pragmas.
#ifndef KPERF_KEEP_PRAGMA_WARNINGS
#if defined(__CUDACC__) && defined(__NVCC__)
#pragma nv_diag_suppress 161, 20199
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#endif
#endif
#endif

#endif
