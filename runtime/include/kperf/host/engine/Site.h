// A place in the kernel's source, taken by default arguments, so that a deadlock report can name it.
#ifndef KPERF_HOST_SITE_H
#define KPERF_HOST_SITE_H

namespace kperf::host {

struct Site {
  const char *file = "";
  const char *function = "";
  unsigned line = 0;

  /// As the default argument of a function: where that function is called.
  static constexpr Site here(const char *file = __builtin_FILE(), const char *function = __builtin_FUNCTION(),
                             unsigned line = __builtin_LINE()) {
    return {file, function, line};
  }
};

} // namespace kperf::host

#endif
