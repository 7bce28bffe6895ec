// Enlarges the stack for deeply nested sources, on which Clang recurses.
#ifndef KPERF_TOOL_DEEPSTACK_H
#define KPERF_TOOL_DEEPSTACK_H

#include <algorithm>
#include <sys/resource.h>

namespace kperf {

/// Lets the calling process's stack grow to 120 MiB, where the system allows: Linux keeps 128 MiB of addresses free below it (mmap_base in
/// arch/x86/mm/mmap.c), whatever the limit was. Processes that it starts inherit the limit. Without, 1500 pairs of parentheses were too
/// deep.
inline void deepenStack() {
  constexpr rlim_t kBytes = rlim_t{120} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < kBytes) {
    limit.rlim_cur = std::min(kBytes, limit.rlim_max);
    setrlimit(RLIMIT_STACK, &limit);
  }
}

} // namespace kperf

#endif
