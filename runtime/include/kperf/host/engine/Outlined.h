// The functions of the host target that a program need not compile: kperf's library for it has them, once for all programs.
//
// Everything is in headers, so that a source can be compiled by any compiler with any options and linked to nothing. But most of what a
// small source then takes to compile is the engine. A source that is compiled with KPERF_HOST_LIBRARY, as `kperf-cc host` does where the
// options change no type, leaves these functions to libkperf_host.a.
#ifndef KPERF_HOST_OUTLINED_H
#define KPERF_HOST_OUTLINED_H

#include <kperf/host/engine/SanitizedStack.h>

#include <cstddef>

// What makes other types of the engine's, or of the standard library's: a compiler's wrapper may have said it, which kperf-cc does not see.
#if defined(KPERF_HOST_ADDRESS_SANITIZER) || defined(KPERF_HOST_THREAD_SANITIZER) || defined(_GLIBCXX_DEBUG) || defined(_LIBCPP_VERSION)
#undef KPERF_HOST_LIBRARY
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#undef KPERF_HOST_LIBRARY
#endif

#if defined(KPERF_HOST_LIBRARY_SOURCE) // the library's own
#define KPERF_HOST_OUTLINED __attribute__((used))
#elif defined(KPERF_HOST_LIBRARY)
#define KPERF_HOST_OUTLINED __attribute__((gnu_inline, noinline)) // never emitted
#else
#define KPERF_HOST_OUTLINED
#endif

#endif
