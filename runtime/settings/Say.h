// The runtime's one way to speak: a line on stderr that begins with "kperf: ".
#ifndef KPERF_RUNTIME_SAY_H
#define KPERF_RUNTIME_SAY_H

#include <cstdarg>
#include <cstdio>

namespace kperf::runtime {

/// Writes one line to stderr in one call, so that lines of several threads do not mix.
[[gnu::format(printf, 1, 2)]] inline void say(const char *format, ...) {
  char line[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "kperf: %s\n", line);
}

} // namespace kperf::runtime

#endif
