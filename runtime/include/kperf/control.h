// Starts and stops recording from host code, in sources with annotations or without any: in a program that was not built with kperf both do
// nothing.
//
//   kperf::stop();     waits for what was launched before and writes it; what is launched from now on is not recorded
//   kperf::start();    waits likewise; what is launched from now on is
//
// 0, or -1 when that is so already or nothing is being recorded at all. KPERF_START=off lets a program begin without recording.
#ifndef KPERF_CONTROL_H
#define KPERF_CONTROL_H

#if defined(KPERF_REGISTRATION_H) || defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__) // the first has them too
#elif defined(KPERF_REWRITING) || defined(KPERF_MODULE_H)                              // while kperf-rewrite reads the source
namespace kperf {
static inline int start() { return -1; }
static inline int stop() { return -1; }
} // namespace kperf
#else
extern "C" {
__attribute__((weak)) int kperf_start(void);
__attribute__((weak)) int kperf_stop(void);
}

namespace kperf {
__attribute__((unused)) static inline int start() { return kperf_start ? kperf_start() : -1; }
__attribute__((unused)) static inline int stop() { return kperf_stop ? kperf_stop() : -1; }
} // namespace kperf
#endif

#endif
